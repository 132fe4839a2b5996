// SPDX-License-Identifier: Apache-2.0
// All trials as pictures: value against anything, parallel coordinates whose selection every part of the page follows.
import {get} from '../api.js';
import {valueDomain} from '../charts/progress_chart.js';
import {heights, parallelChart} from '../charts/parallel.js';
import {scatterChart} from '../charts/scatter.js';
import {haveCharts} from '../charts/frame.js';
import {fill, h} from '../dom.js';
import {better, count, number} from '../format.js';
import {openTrial} from '../route.js';
import {table} from '../table.js';
import {throttle} from '../throttle.js';
import {limitsForm} from './limits.js';

const axesAtFirst = 9;

export async function create(feed, {signal, onError}) {
  const state = {data: null, limits: new Map(), selected: null, shown: null};
  await load(feed, state, signal);
  const chart = scatter(feed, state, signal),
    lines = parallel(feed, state, signal, () => select()),
    best = selectionTable(feed, state);
  const summary = h('p', {class: 'muted', role: 'status'});

  const select = () => {
    state.selected = selection(state);
    const chosen = state.selected.reduce((sum, one) => sum + one, 0),
      all = state.data.ids.length;
    summary.textContent = state.limits.size
      ? `${chosen} of ${count(all, 'trial')} selected`
      : `${count(all, 'trial')} with a value; drag along an axis to select`;
    chart.redraw();
    lines.update();
    best.update();
  };
  const renew = throttle(
    async () => {
      try {
        await load(feed, state, signal);
        select();
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
    },
    Math.max(4000, feed.study.counts.completed),
    signal
  ); // all trials are read again: rarely, if they are many
  feed.addEventListener('trials', renew, {signal});
  select();
  return h('div', {class: 'panels'}, chart.element, lines.panel(summary), best.element);
}

/// Columns of all completed trials as quantities: the value, further values, time, and each parameter on its own scale.
async function load(feed, state, signal) {
  const [{columns}, {names, importance}] = await Promise.all([
    get(feed.at('trials'), {form: 'columns', state: 'completed', digits: 5}, signal),
    quickly(get(feed.at('importance'), {}, signal), {names: [], importance: []}),
  ]);
  const rank = new Map(names.map((name, k) => [name, importance[k]]));
  const parameters = feed.study.parameters.map(parameter => ({
    key: `p ${parameter.name}`,
    name: parameter.name,
    values: columns.parameters[parameter.name],
    parameter,
  }));
  parameters.sort((a, b) => (rank.get(b.name) ?? 0) - (rank.get(a.name) ?? 0));
  const value = {
    key: 'value',
    name: 'value',
    values: columns.value,
    parameter: null,
    domain: columns.value.length ? valueDomain(columns.value, feed.study.goal) : undefined,
  };
  const took = {
    key: 'took',
    name: 'seconds it took',
    values: columns.ended_at.map((end, k) => (end === null ? null : end - columns.started_at[k])),
    parameter: null,
  };
  const order = {key: 'trial', name: 'trial', values: columns.id, parameter: null};
  const also = Object.entries(columns.also).map(([name, values]) => ({key: `a ${name}`, name, values, parameter: null}));
  state.data = {ids: columns.id, value, parameters, others: [...also, took, order], all: [value, ...parameters, ...also, took, order]};
  state.goal = feed.study.goal;
}

/// The model may still be computed; the pictures do not wait for the order of their axes.
const quickly = (answer, otherwise) =>
  Promise.race([
    answer,
    new Promise(done => {
      setTimeout(done, 1000, otherwise);
    }),
  ]);

function selection({data, limits}) {
  const selected = new Uint8Array(data.ids.length).fill(1);
  if (!haveCharts()) return selected;
  for (const quantity of data.all) {
    const limit = limits.get(quantity.name);
    if (limit)
      heights(quantity).forEach((at, k) => {
        if (!(at >= limit[0] && at <= limit[1])) selected[k] = 0;
      });
  }
  return selected;
}

const picker = (label, quantities, chosen, change, none) =>
  h(
    'label',
    {},
    label,
    h(
      'select',
      {onchange: event => change(event.target.value)},
      none && h('option', {value: ''}, none),
      quantities.map(({key, name}) => h('option', {value: key, selected: key === chosen}, name))
    )
  );

function scatter(feed, state, signal) {
  const first = state.data.parameters[0];
  const chosen = {x: first.key, y: 'value', tint: ''};
  const find = key => state.data.all.find(quantity => quantity.key === key) ?? null;
  const chart = scatterChart({
    input: () => ({x: find(chosen.x), y: find(chosen.y), tint: find(chosen.tint), selected: state.selected, ids: state.data.ids}),
    open: openTrial,
    signal,
  });
  const redraw = () => {
    chart.setLabel(
      `${find(chosen.y).name} against ${find(chosen.x).name}, ${count(state.data.ids.length, 'trial')}. Arrow keys read the trials, Enter opens one.`
    );
    chart.redraw();
  };
  const set = part => key => {
    chosen[part] = key;
    redraw();
  };
  const {all} = state.data;
  const controls = h(
    'div',
    {class: 'controls'},
    picker('up', all, chosen.y, set('y')),
    picker('across', all, chosen.x, set('x')),
    picker('colour', all, '', set('tint'), 'none')
  );
  const element = h(
    'section',
    {class: 'panel'},
    h('header', {}, h('h2', {}, 'One against another'), controls),
    state.data.ids.length ? chart.element : h('p', {class: 'empty'}, 'No value has been told yet.')
  );
  return {element, redraw};
}

function parallel(feed, state, signal, select) {
  const shown = new Set(['value', ...state.data.parameters.slice(0, axesAtFirst).map(quantity => quantity.key)]);
  const quantities = () => [...state.data.parameters, ...state.data.others, state.data.value].filter(quantity => shown.has(quantity.key));
  // Rank of goodness: bright is good, whichever the goal is.
  const goodness = () => ({values: state.goal === 'maximize' ? state.data.value.values : state.data.value.values.map(value => -value)});
  const limit = (name, range) => {
    if (range) state.limits.set(name, range);
    else state.limits.delete(name);
    select();
  };
  const chart = parallelChart({
    input: () => ({quantities: quantities(), tint: goodness(), selected: state.selected, limits: state.limits}),
    onBrush: limit,
    signal,
  });
  const scroll = h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Parallel coordinates'}, chart.element),
    form = h('div');
  const update = () => {
    chart.element.style.setProperty('min-width', `${Math.max(20, 4.6 * shown.size)}rem`);
    chart.setLabel(
      `Parallel coordinates of ${quantities()
        .map(quantity => quantity.name)
        .join(', ')}. The limits below select the same way by keyboard.`
    );
    chart.redraw();
    fill(form, limitsForm(quantities(), state.limits, limit));
  };
  const boxes = () =>
    [...state.data.parameters, ...state.data.others].map(({key, name}) =>
      h(
        'label',
        {},
        h('input', {
          type: 'checkbox',
          checked: shown.has(key),
          onchange: event => {
            if (event.target.checked) shown.add(key);
            else {
              shown.delete(key);
              state.limits.delete(name);
            }
            select();
          },
        }),
        name
      )
    );
  const clear = h(
    'button',
    {
      type: 'button',
      class: 'small',
      onclick: () => {
        state.limits.clear();
        select();
      },
    },
    'Clear the selection'
  );
  const panel = summary =>
    h(
      'section',
      {class: 'panel'},
      h('header', {}, h('h2', {}, 'Parallel coordinates'), summary, clear),
      scroll,
      h('p', {class: 'muted small'}, 'Bright lines are better trials.'),
      h('details', {}, h('summary', {}, 'Axes'), h('div', {class: 'controls'}, boxes())),
      h('details', {}, h('summary', {}, 'Limits by number'), form)
    );
  return {panel, update};
}

function selectionTable(feed, state) {
  const parameters = state.data.parameters.slice(0, 8);
  const list = table({
    caption: 'Best selected trials',
    empty: 'No trial is selected.',
    columns: [
      {
        key: 'id',
        label: 'Trial',
        cell: k =>
          h(
            'button',
            {
              type: 'button',
              class: 'quiet small',
              'data-focus': `trial ${state.data.ids[k]}`,
              'aria-label': `Open trial ${state.data.ids[k]}`,
              onclick: () => openTrial(state.data.ids[k]),
            },
            String(state.data.ids[k])
          ),
      },
      {key: 'value', label: 'Value', align: 'right', cell: k => number(state.data.value.values[k])},
      ...parameters.map(({name, parameter}, j) => ({
        key: `p${j}`,
        label: name,
        align: parameter.type === 'choice' ? null : 'right',
        class: j > 2 ? 'narrow-off' : null,
        cell: k => number(state.data.parameters.find(one => one.name === name).values[k], 4),
      })),
    ],
  });
  const update = () => {
    const {values} = state.data.value;
    const chosen = [...state.selected.keys()]
      .filter(k => state.selected[k])
      .sort((a, b) => (better(state.goal, values[a], values[b]) ? -1 : 1));
    list.update(chosen.slice(0, 15));
  };
  return {element: h('section', {class: 'panel'}, h('header', {}, h('h2', {}, 'Best of the selection')), list.element), update};
}
