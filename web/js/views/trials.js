// SPDX-License-Identifier: Apache-2.0
// All trials as a table: filtered and sorted by the server, page by page, so ten thousand are as quick as ten.
import {get} from '../api.js';
import {fill, h} from '../dom.js';
import {parseFilter} from '../filter.js';
import {count, duration, firstLine, number} from '../format.js';
import {changeQuery, openTrial, route} from '../route.js';
import {table} from '../table.js';
import {throttle} from '../throttle.js';

const pageSize = 50;

export async function create(feed, {signal, onError}) {
  const here = route().query;
  const state = {
    filter: here.get('filter') ?? '',
    sort: here.get('sort') ?? 'id',
    descending: (here.get('descending') ?? 'true') === 'true',
    offset: 0,
  };
  const input = h('input', {
    type: 'search',
    value: state.filter,
    placeholder: 'failed   value<0.1   solver=adam',
    'aria-label': 'Filter trials',
    spellcheck: 'false',
  });
  const problem = h('p', {class: 'problem', role: 'alert'}),
    pager = h('div', {class: 'pager'}),
    place = h('div');
  let list = null,
    shape = '';

  const load = async () => {
    try {
      const query = {...parseFilter(state.filter), sort: state.sort, descending: state.descending, offset: state.offset, limit: pageSize};
      query.state = query.state.join(',') || null;
      const {trials, total} = await get(feed.at('trials'), query, signal);
      problem.textContent = '';
      showRows(trials);
      fill(pager, pages(total));
    } catch (error) {
      if (!signal.aborted) problem.textContent = error.message;
    }
  };
  // Further values are only known from the trials; a new one makes a new table.
  const showRows = trials => {
    const also = [...new Set(trials.flatMap(trial => Object.keys(trial.also)))];
    if (shape !== also.join('\n') || !list) {
      shape = also.join('\n');
      list = table({
        caption: 'Trials',
        empty: 'No trial passes the filter.',
        class: 'dense',
        columns: columns(feed.study.parameters, also),
        onSort: (sort, descending) => change({sort, descending, offset: 0}),
      });
      fill(place, list.element);
    }
    list.update(trials, {key: state.sort, descending: state.descending});
  };
  const pages = total => {
    const last = Math.min(total, state.offset + pageSize);
    const button = (label, offset, off) =>
      h('button', {type: 'button', disabled: off, 'data-focus': label, onclick: () => change({offset})}, label);
    return [
      button('Back', Math.max(0, state.offset - pageSize), state.offset === 0),
      button('Next', state.offset + pageSize, last >= total),
      h('span', {role: 'status'}, total ? `${state.offset + 1} to ${last} of ${count(total, 'trial')}` : 'no trials'),
    ];
  };
  const change = changes => {
    Object.assign(state, changes);
    changeQuery({filter: state.filter, sort: state.sort, descending: String(state.descending)}, {replace: true});
    return load();
  };

  const form = h(
    'form',
    {
      class: 'filter',
      role: 'search',
      onsubmit: event => {
        event.preventDefault();
        change({filter: input.value, offset: 0});
      },
    },
    input,
    h('button', {type: 'submit', class: 'primary'}, 'Filter')
  );
  input.addEventListener('search', () => change({filter: input.value, offset: 0})); // the cross that empties it
  feed.addEventListener('trials', throttle(load, 1500, signal), {signal});
  await load().catch(onError);
  return h(
    'section',
    {class: 'panel'},
    h('header', {}, h('h2', {}, 'Trials'), form),
    problem,
    place,
    pager,
    h(
      'p',
      {class: 'muted small'},
      'States and comparisons with value, duration (seconds), a further value or a parameter; all must hold. A name with spaces stands in quotes: "my name">2'
    )
  );
}

const columns = (parameters, also) => [
  {
    key: 'id',
    label: 'Trial',
    sort: true,
    descendingFirst: true,
    cell: trial =>
      h(
        'button',
        {
          type: 'button',
          class: 'quiet small',
          'data-focus': `trial ${trial.id}`,
          'aria-label': `Open trial ${trial.id}`,
          onclick: () => openTrial(trial.id),
        },
        String(trial.id)
      ),
  },
  {key: 'state', label: 'State', cell: trial => h('span', {class: `badge ${trial.state}`, title: trial.reason || null}, trial.state)},
  {
    key: 'value',
    label: 'Value',
    align: 'right',
    sort: true,
    cell: trial =>
      trial.state === 'failed' ? h('span', {class: 'clip reason', title: trial.reason}, firstLine(trial.reason)) : number(trial.value, 7),
  },
  {
    key: 'duration',
    label: 'Took',
    align: 'right',
    sort: true,
    descendingFirst: true,
    class: 'narrow-off',
    cell: trial => (trial.ended_at && trial.started_at ? duration(trial.ended_at - trial.started_at) : '–'),
  },
  ...also.map(name => ({key: name, label: name, align: 'right', sort: true, cell: trial => number(trial.also[name] ?? null)})),
  {key: 'worker', label: 'Worker', class: 'narrow-off', cell: trial => h('span', {class: 'clip', title: trial.worker}, trial.worker)},
  ...parameters.map(({name, type}) => ({
    key: name,
    label: name,
    align: type === 'choice' ? null : 'right',
    sort: true,
    cell: trial => number(trial.parameters[name], 5),
  })),
];
