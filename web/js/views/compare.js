// SPDX-License-Identifier: Apache-2.0
// Two studies side by side: how they went, what they found.
import {get, path} from '../api.js';
import {comparisonChart} from '../charts/comparison.js';
import {fill, h} from '../dom.js';
import {follow} from '../live.js';
import {duration, number, percent} from '../format.js';
import {changeQuery, studyLink} from '../route.js';
import {table} from '../table.js';
import {throttle} from '../throttle.js';

export async function create(route, {signal, showConnection, onError}) {
  const {studies} = await get('/studies', {}, signal);
  const names = studies.map(study => study.name);
  const chosen = {a: known(names, route.query.get('a')) ?? names[0], b: known(names, route.query.get('b'))};
  chosen.b ??= names.find(name => name !== chosen.a) ?? names[0];
  const body = h('div', {class: 'panels'});
  const options = {by: 'trial'};
  let drawn = new AbortController();
  signal.addEventListener('abort', () => drawn.abort());

  const load = async () => {
    if (!names.length) return;
    try {
      const sides = await Promise.all([read(chosen.a, signal), read(chosen.b, signal)]);
      drawn.abort();
      drawn = new AbortController();
      fill(body, comparison(sides, options, drawn.signal));
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  };
  const choose = (side, label) =>
    h(
      'label',
      {},
      label,
      h(
        'select',
        {
          'aria-label': `${label} study`,
          onchange: event => {
            chosen[side] = event.target.value;
            changeQuery({a: chosen.a, b: chosen.b}, {replace: true});
            load();
          },
        },
        names.map(name => h('option', {value: name, selected: name === chosen[side]}, name))
      )
    );
  const renew = throttle(load, 4000, signal);
  const stop = follow('/events', {
    onState: showConnection,
    onEvent: (_, data) => {
      if (data && (data.name === chosen.a || data.name === chosen.b)) renew();
    },
  });
  signal.addEventListener('abort', stop);
  await load();
  document.title = 'Compare · Summand';
  return {
    element: h(
      'div',
      {},
      h(
        'div',
        {class: 'page-head'},
        h('div', {}, h('h1', {}, 'Compare two studies')),
        names.length > 1 && h('div', {class: 'controls'}, choose('a', 'First'), choose('b', 'Second'))
      ),
      names.length > 1 ? body : h('p', {class: 'empty'}, 'There are fewer than two studies here.')
    ),
  };
}

const known = (names, name) => (names.includes(name) ? name : null);

async function read(name, signal) {
  const at = (...parts) => path('studies', name, ...parts);
  const [study, progress, {best}, structure] = await Promise.all([
    get(at(), {}, signal),
    get(at('progress'), {}, signal),
    get(at('best'), {}, signal),
    get(at('structure'), {}, signal),
  ]);
  return {study, progress, best, structure};
}

function comparison(sides, options, signal) {
  const [a, b] = sides;
  const chart = comparisonChart({sides, options, signal});
  chart.setLabel(`Best so far: ${a.study.name} ${number(a.best?.value ?? null)}, ${b.study.name} ${number(b.best?.value ?? null)}`);
  const over = h(
    'label',
    {},
    'over',
    h(
      'select',
      {
        onchange: event => {
          options.by = event.target.value;
          chart.redraw();
        },
      },
      ['trial', 'time'].map(key => h('option', {value: key, selected: key === options.by}, key === 'trial' ? 'trials' : 'time'))
    )
  );
  const legend = h('div', {class: 'legend'}, h('span', {}, h('i', {}), a.study.name), h('span', {}, h('i', {class: 'c1'}), b.study.name));
  const goals = a.study.goal !== b.study.goal && h('p', {class: 'note'}, 'Their goals differ: one maximizes, the other minimizes.');
  return [
    h(
      'section',
      {class: 'panel wide-7'},
      h('header', {}, h('h2', {}, 'Best so far'), h('div', {class: 'controls'}, over)),
      chart.element,
      legend,
      goals
    ),
    h('section', {class: 'panel wide-5'}, h('header', {}, h('h2', {}, 'In numbers')), facts(sides)),
    h('section', {class: 'panel'}, h('header', {}, h('h2', {}, 'Best parameters')), bestParameters(sides)),
  ];
}

const heads = ([a, b]) =>
  [
    ['a', a],
    ['b', b],
  ].map(([key, side]) => ({key, align: 'right', label: h('a', {href: studyLink(side.study.name)}, side.study.name)}));

function facts(sides) {
  const of = (name, text) => ({name, a: text(sides[0]), b: text(sides[1])});
  const answers = ({study: {counts}}) => counts.completed + counts.failed;
  const made = table({
    caption: 'The studies in numbers',
    class: 'wraps',
    columns: [{key: 'name', label: 'What', cell: row => row.name}, ...heads(sides).map(head => ({...head, cell: row => row[head.key]}))],
  });
  made.update([
    of('Goal', side => side.study.goal),
    of('Best', side => number(side.best?.value ?? null, 6)),
    of('Found in trial', side => side.best?.id ?? '–'),
    of('Values', side => side.study.counts.completed),
    of('Failed', side => (answers(side) ? `${side.study.counts.failed} (${percent(side.study.counts.failed / answers(side))})` : '0')),
    of('Improvements', side => side.progress.improvements.length),
    of('Until the best', side => {
      const last = side.progress.improvements.at(-1);
      return last ? duration(side.progress.ended_at[last.index]) : '–';
    }),
    of('Batch size', side => side.study.batch_size),
    of('Seed', side => side.study.options.seed ?? '–'),
    of('Structure', side => side.structure.short),
  ]);
  return made.element;
}

function bestParameters(sides) {
  const names = [...new Set(sides.flatMap(side => side.study.parameters.map(parameter => parameter.name)))];
  const value = (side, name) => number(side.best?.parameters[name] ?? null, 6);
  const made = table({
    caption: 'Parameters of the best trials',
    columns: [
      {key: 'name', label: 'Parameter', cell: name => name},
      ...heads(sides).map((head, k) => ({...head, cell: name => value(sides[k], name)})),
      {key: 'apart', label: 'Apart by, of the range', align: 'right', cell: name => apart(sides, name)},
    ],
  });
  made.update(names);
  return made.element;
}

function apart(sides, name) {
  const [p, q] = sides.map(side => side.best?.parameters[name]),
    parameter = sides[0].study.parameters.find(one => one.name === name);
  if (p === undefined || q === undefined || !parameter) return '–';
  if (parameter.values) return String(p) === String(q) ? 'same' : 'differs';
  const of = parameter.scale === 'log' ? Math.log : x => x;
  return percent(Math.abs(of(p) - of(q)) / (of(parameter.high) - of(parameter.low)));
}
