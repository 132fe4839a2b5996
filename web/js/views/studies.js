// SPDX-License-Identifier: Apache-2.0
// All studies at a glance.
import {get} from '../api.js';
import {sparkline} from '../charts/sparkline.js';
import {fill, h} from '../dom.js';
import {ago, count, number} from '../format.js';
import {follow} from '../live.js';
import {link, studyLink} from '../route.js';
import {condition, progressBar} from '../summary.js';
import {table} from '../table.js';
import {throttle} from '../throttle.js';

const share = study => study.counts.issued / (study.budget ?? Infinity);
const keys = {
  name: study => study.name.toLowerCase(),
  state: study => condition(study).word,
  progress: share,
  best: study => study.best?.value ?? NaN,
  running: study => study.counts.running,
  failed: study => study.counts.failed,
  last: study => study.last_at ?? 0,
  created: study => study.created_at,
};

export async function create(_route, {signal, showConnection}) {
  const {studies} = await get('/studies', {}, signal);
  const byName = new Map(studies.map(study => [study.name, study]));
  let order = {key: 'created', descending: true},
    words = '';

  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter by name',
    'aria-label': 'Filter studies by name',
    oninput: () => {
      words = filter.value.toLowerCase();
      show();
    },
  });
  const totals = h('p', {class: 'muted'});
  const list = table({
    caption: 'Studies',
    columns: columns(),
    empty: 'No study has this in its name.',
    onSort: (key, descending) => {
      order = {key, descending};
      show();
    },
  });
  const content = h('div', {class: 'panel'}, list.element);
  const element = h('div', {}, h('div', {class: 'page-head'}, h('div', {}, h('h1', {}, 'Studies'), totals), filter), content);

  const show = () => {
    const all = [...byName.values()];
    totals.textContent = [
      count(all.length, 'study', 'studies'),
      count(sum(all, 'completed'), 'value'),
      `${sum(all, 'running')} running`,
      `${sum(all, 'failed')} failed`,
    ].join(' · ');
    const rows = all.filter(study => study.name.toLowerCase().includes(words)).sort(by(order));
    fill(content, all.length ? list.element : noStudies());
    list.update(rows, order);
  };
  show();
  const soon = throttle(async () => show(), 400, signal); // many studies may report at once
  const stop = follow('/events', {
    onState: showConnection,
    onEvent: (name, data) => {
      if (name === 'deleted') byName.delete(data.name);
      else if (name === 'study') byName.set(data.name, data);
      else return;
      soon();
    },
  });
  const tick = setInterval(show, 10000); // "3 min ago" grows old
  signal.addEventListener('abort', () => {
    stop();
    clearInterval(tick);
  });
  document.title = 'Studies · Summand';
  return {element};
}

const sum = (studies, kind) => studies.reduce((total, study) => total + study.counts[kind], 0);

function by({key, descending}) {
  const of = keys[key],
    sign = descending ? -1 : 1;
  return (a, b) => {
    const [p, q] = [of(a), of(b)];
    if (Number.isNaN(p) || Number.isNaN(q)) return Number.isNaN(p) - Number.isNaN(q); // no value: last, either way
    return sign * (p < q ? -1 : p > q ? 1 : 0) || a.created_at - b.created_at;
  };
}

const columns = () => [
  {
    key: 'name',
    label: 'Study',
    sort: true,
    cell: study => h('a', {class: 'study-name', href: studyLink(study.name), 'data-focus': `study ${study.name}`}, study.name),
  },
  {
    key: 'state',
    label: 'State',
    sort: true,
    cell: study => {
      const {word, kind} = condition(study);
      return h('span', {class: `badge ${kind}`}, word);
    },
  },
  {key: 'progress', label: 'Progress', sort: true, cell: progressBar},
  {
    key: 'best',
    label: 'Best',
    align: 'right',
    sort: true,
    cell: study =>
      study.best
        ? h(
            'a',
            {href: link(['study', study.name, 'overview'], {trial: study.best.id}), title: `trial ${study.best.id}`},
            number(study.best.value)
          )
        : '–',
  },
  {key: 'spark', label: 'Best so far', class: 'narrow-off spark-cell', cell: study => sparkline(study.sparkline)},
  {key: 'goal', label: 'Goal', class: 'narrow-off', cell: study => study.goal},
  {
    key: 'running',
    label: 'Running',
    align: 'right',
    sort: true,
    descendingFirst: true,
    class: 'narrow-off',
    cell: study => study.counts.running + (study.counts.waiting ? ` + ${study.counts.waiting}` : ''),
  },
  {
    key: 'failed',
    label: 'Failed',
    align: 'right',
    sort: true,
    descendingFirst: true,
    class: 'narrow-off',
    cell: study => study.counts.failed,
  },
  {
    key: 'last',
    label: 'Last event',
    align: 'right',
    sort: true,
    descendingFirst: true,
    class: 'narrow-off',
    cell: study => ago(study.last_at),
  },
];

const noStudies = () =>
  h(
    'div',
    {class: 'empty'},
    h('h2', {}, 'No studies yet'),
    h('p', {}, 'They appear here as soon as there is one in the database of this server: '),
    h('pre', {}, 'summand init study.toml\nsummand run study.toml'),
    h('p', {}, 'or POST /api/v1/studies.')
  );
