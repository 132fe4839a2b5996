// SPDX-License-Identifier: Apache-2.0
// The page's frame: which view is shown, the state of the connection, the theme and the token.
import {askForToken, meetServer, showAccess} from './access.js';
import {fill, h, notify} from './dom.js';
import {route} from './route.js';
import {connectTheme} from './theme.js';

const main = document.getElementById('main');
const views = {
  '': () => import('./views/studies.js'),
  study: () => import('./views/study.js'),
  compare: () => import('./views/compare.js'),
};
let current = {key: null, view: null, end: () => {}};

const liveWords = {live: 'Live', connecting: 'Connecting', lost: 'Not connected'};
function showConnection(state) {
  const place = document.getElementById('live');
  place.className = state ? `live is-${state}` : 'live';
  place.textContent = liveWords[state] ?? '';
}

/// A view: {element, follow(route)}; it ends when its signal is aborted. The same key keeps the view and only tells it the route.
async function show() {
  const here = route();
  const kind = here.parts[0] ?? '';
  const key = kind === 'study' ? `study/${here.parts[1]}` : kind;
  markNavigation(kind);
  if (key === current.key && current.view) {
    current.view.follow?.(here);
    return;
  }
  current.end();
  const controller = new AbortController();
  current = {key, view: null, end: () => controller.abort()};
  fill(main, h('p', {class: 'empty'}, 'Loading …'));
  try {
    const load = views[kind];
    if (!load) throw new Error(`There is no page “${here.parts.join('/')}” here.`);
    const {create} = await load();
    const view = await create(here, {signal: controller.signal, showConnection, onError: report});
    if (controller.signal.aborted) return;
    current.view = view;
    fill(main, view.element);
    view.follow?.(route());
  } catch (error) {
    if (!controller.signal.aborted) showFailure(error);
  }
}

function markNavigation(kind) {
  for (const item of document.querySelectorAll('[data-nav]'))
    if (item.dataset.nav === (kind === 'compare' ? 'compare' : 'studies')) item.setAttribute('aria-current', 'page');
    else item.removeAttribute('aria-current');
}

function showFailure(error) {
  current.end();
  current = {key: null, view: null, end: () => {}}; // so that the next attempt is a fresh one
  showConnection(null);
  const refused = error.status === 401 || error.status === 403;
  const again = h(
    'button',
    {type: 'button', class: 'primary', onclick: refused ? () => askForToken(start) : start},
    refused ? 'Enter a token' : 'Try again'
  );
  fill(
    main,
    h(
      'div',
      {class: 'empty', role: 'alert'},
      h('h1', {}, refused ? 'This server asks for a token' : 'That did not work'),
      h('p', {}, error.message),
      again,
      error.status === 404 && h('a', {href: '#/'}, 'All studies')
    )
  );
}

/// A failed update: said once, the page goes on with what it has.
let lastReport = '';
function report(error) {
  if (error.name === 'AbortError' || error.message === lastReport) return;
  lastReport = error.message;
  setTimeout(() => {
    lastReport = '';
  }, 10000);
  notify(error.message, {bad: true});
}

async function start() {
  showAccess();
  views[route().parts[0] ?? '']?.(); // its modules come while the server is being met
  try {
    await meetServer();
    current.end();
    current.key = null;
    await show();
  } catch (error) {
    showFailure(error);
  }
}

connectTheme(document.getElementById('theme'));
document.getElementById('access').addEventListener('click', () => askForToken(start));
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', show);
start();
