// SPDX-License-Identifier: Apache-2.0
// What each group does, and how much each parameter matters.
import {get} from '../api.js';
import {commonScale, effectChart} from '../charts/effect.js';
import {fill, h} from '../dom.js';
import {number, percent} from '../format.js';
import {table} from '../table.js';
import {scaleLegend} from './structure.js';

const most = 24; // drawn at first; more on demand

export function effectsPanel(feed, signal) {
  const place = h('div', {class: 'multiples'}),
    note = h('p', {class: 'muted small'}),
    legend = h('div'),
    title = h('h2', {}, 'What the groups do'),
    lead = h('p', {class: 'lead'});
  const view = {quantity: 'mean', range: null, best: null};
  let sequence = -1,
    charts = [],
    all = false,
    answer = null,
    drawn = new AbortController();
  signal.addEventListener('abort', () => drawn.abort());

  const select = h(
    'select',
    {
      onchange: () => {
        view.quantity = select.value;
        showLegend();
        charts.forEach(chart => chart.redraw());
      },
    },
    h('option', {value: 'mean'}, 'mean'),
    h('option', {value: 'stddev'}, 'uncertainty')
  );
  const showLegend = () => {
    const [low, high] = view.range[view.quantity];
    fill(legend, scaleLegend(number(low, 3), number(high, 3)));
  };
  const show = () => {
    drawn.abort();
    drawn = new AbortController();
    const {slices} = answer;
    view.range = commonScale(slices);
    const parts = slices.every(slice => slice.additive);
    title.textContent = parts ? 'What the groups do' : 'Cuts through the model';
    lead.textContent = parts
      ? 'The part of the value that each group is responsible for; parts add up, apart from a constant. Bands are two standard deviations. All share one scale.'
      : 'The whole function where all other parameters are those of the best trial, for the model that leads has no parts. Bands are two standard deviations. All share one scale.';
    const shown = all ? slices : slices.slice(0, most);
    charts = shown.map(slice => effectChart({slice, parameters: feed.study.parameters, view: () => view, signal: drawn.signal}));
    fill(
      place,
      charts.map((chart, k) => {
        const {parameters, group} = shown[k];
        chart.element.prepend(h('h3', {}, parameters.length === 2 ? `${parameters[1]} over ${parameters[0]}` : parameters[0]));
        if (group.length > parameters.length && group.length < feed.study.parameters.length)
          chart.caption.textContent = `of the group ${group.join(', ')}`;
        return chart.element;
      })
    );
    const rest = slices.length - shown.length;
    fill(
      note,
      answer.note ?? '',
      rest > 0 &&
        h(
          'button',
          {
            type: 'button',
            onclick: () => {
              all = true;
              show();
            },
          },
          `Show ${rest} more`
        )
    );
    controls.hidden = !slices.some(slice => slice.parameters.length === 2);
    if (!controls.hidden) showLegend();
  };
  const load = async () => {
    const [slices, {best}] = await Promise.all([get(feed.at('slices'), {}, signal), get(feed.at('best'), {}, signal)]);
    view.best = best?.parameters ?? null;
    if (slices.sequence === sequence) return;
    sequence = slices.sequence;
    answer = slices;
    if (slices.slices.length) show();
    else
      fill(place, h('p', {class: 'muted'}, slices.note ?? 'There is no model yet; curves and maps appear once there are enough values.'));
  };
  const controls = h('div', {class: 'controls', hidden: true}, h('label', {}, 'maps show', select), legend);
  return {element: h('section', {class: 'panel'}, h('header', {}, title, controls), lead, place, note), load};
}

export function importancePanel(feed, signal) {
  const list = table({
    caption: 'Importance of the parameters',
    empty: 'There is no model yet.',
    columns: [
      {key: 'name', label: 'Parameter', cell: row => row.name},
      {key: 'share', label: 'Share', align: 'right', cell: row => percent(row.share)},
      {key: 'interval', label: 'Nine of ten in', align: 'right', cell: row => (row.high < 0.005 ? percent(row.high) : `${percent(row.low)} to ${percent(row.high)}`)},
      {
        key: 'bar',
        label: h('span', {class: 'unseen'}, 'Bar'),
        class: 'bar-cell',
        cell: row => {
          const at = share => `${(100 * share) / row.largest}%`;
          return h(
            'span',
            {class: 'bar-with-interval'},
            h('span', {class: 'bar', style: {width: at(row.share)}}),
            h('span', {class: 'interval', style: {left: at(row.low), width: at(row.high - row.low)}})
          );
        },
      },
    ],
  });
  const note = h('p', {class: 'muted small'});
  let sequence = -1;
  const load = async () => {
    const answer = await get(feed.at('importance'), {}, signal);
    if (answer.sequence === sequence) return;
    sequence = answer.sequence;
    const largest = Math.max(...answer.high, ...answer.importance, 1e-12);
    const rows = answer.names.map((name, k) => ({name, share: answer.importance[k], low: answer.low[k], high: answer.high[k], largest}));
    list.update(rows.sort((a, b) => b.share - a.share));
    note.textContent = answer.note ?? '';
  };
  return {
    element: h(
      'section',
      {class: 'panel'},
      h('header', {}, h('h2', {}, 'Importance')),
      h('p', {class: 'lead'}, 'The share of the function’s variation that each parameter is responsible for, interactions included. Lines: where nine of ten functions that fit the values have it.'),
      list.element,
      note
    ),
    load,
  };
}
