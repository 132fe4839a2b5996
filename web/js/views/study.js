// SPDX-License-Identifier: Apache-2.0
// One study: its head, its cards, its tabs, and a trial over whatever is shown.
import {studyActions} from '../actions.js';
import {announce, fill, h} from '../dom.js';
import {number} from '../format.js';
import {changeQuery, studyLink} from '../route.js';
import {StudyFeed} from '../study_feed.js';
import {cards, condition} from '../summary.js';
import {openTrialDialog} from './trial.js';

const tabs = {
  overview: ['Overview', () => import('./overview.js')],
  structure: ['Structure', () => import('./structure.js')],
  explore: ['Explore', () => import('./explore.js')],
  trials: ['Trials', () => import('./trials.js')],
  settings: ['Settings', () => import('./settings.js')],
};

export async function create(route, {signal, showConnection, onError}) {
  const feed = new StudyFeed(route.parts[1], showConnection, onError);
  signal.addEventListener('abort', () => feed.stop());
  await feed.start();

  const head = h('div', {class: 'page-head'}),
    strip = h('div', {class: 'cards'});
  const bar = h('nav', {class: 'tabs', 'aria-label': 'Parts of the study'});
  const body = h('div');
  const element = h('div', {}, head, strip, bar, body);
  let tab = null,
    end = () => {},
    dialog = null,
    best = feed.study.best?.value;

  const showHead = () => {
    fill(head, ...studyHead(feed));
    fill(strip, cards(feed.study));
    const now = feed.study.best?.value;
    if (now !== undefined && now !== best) announce(`New best value: ${number(now, 6)}`);
    best = now;
  };
  feed.addEventListener('study', showHead);
  const tick = setInterval(() => fill(strip, cards(feed.study)), 10000);
  signal.addEventListener('abort', () => {
    clearInterval(tick);
    end();
    dialog?.close();
  });
  showHead();

  const showTab = async name => {
    end();
    const controller = new AbortController();
    end = () => controller.abort();
    tab = name;
    body.setAttribute('aria-busy', 'true');
    document.title = `${feed.name} · Summand`;
    fill(
      bar,
      Object.entries(tabs).map(([key, [label]]) =>
        h('a', {href: studyLink(feed.name, key), 'aria-current': key === name ? 'page' : null, 'data-focus': `tab ${key}`}, label)
      )
    );
    try {
      const {create: createTab} = await tabs[name][1]();
      const made = await createTab(feed, {signal: controller.signal, onError});
      if (!controller.signal.aborted) fill(body, made);
    } catch (error) {
      if (!controller.signal.aborted)
        fill(body, h('div', {class: 'panel'}, h('div', {class: 'empty', role: 'alert'}, h('p', {}, error.message))));
    }
    if (!controller.signal.aborted) body.removeAttribute('aria-busy');
  };
  const showTrial = id => {
    if (dialog?.trial === id) return;
    dialog?.close();
    dialog =
      id === null
        ? null
        : openTrialDialog(feed, id, closed => {
            if (dialog !== closed) return; // another one took its place
            dialog = null;
            changeQuery({trial: null}, {replace: true});
          });
  };
  const follow = here => {
    const wanted = Object.hasOwn(tabs, here.parts[2]) ? here.parts[2] : 'overview';
    if (wanted !== tab) showTab(wanted);
    const id = Number(here.query.get('trial'));
    showTrial(Number.isInteger(id) && id > 0 ? id : null);
  };
  return {element, follow};
}

function studyHead(feed) {
  const {study} = feed;
  const {word, kind} = condition(study);
  return [
    h(
      'div',
      {},
      h('h1', {}, study.name),
      h(
        'div',
        {class: 'under'},
        h('span', {class: `badge ${kind}`}, word),
        h('span', {}, study.goal),
        h('span', {}, `${study.parameters.length} parameters`),
        h('span', {}, `batches of ${study.batch_size}`),
        h('a', {href: `#/compare?a=${encodeURIComponent(study.name)}`, 'data-focus': 'compare'}, 'Compare')
      )
    ),
    h('div', {class: 'buttons'}, studyActions(feed)),
  ];
}
