// SPDX-License-Identifier: Apache-2.0
// Which parameters belong together, as it is learned, and what each group does.
import {get} from '../api.js';
import {interactionGraph, groupColor} from '../charts/graph.js';
import {pairMatrix} from '../charts/matrix.js';
import {sequential} from '../charts/frame.js';
import {fill, h} from '../dom.js';
import {count, number, percent} from '../format.js';
import {openTrial} from '../route.js';
import {table} from '../table.js';
import {throttle} from '../throttle.js';
import {effectsPanel, importancePanel} from './effects.js';

export async function create(feed, {signal, onError}) {
  const state = {structure: await get(feed.at('structure'), {}, signal)};
  const verdict = h('div', {role: 'status'}),
    recommendation = h('p', {class: 'recommended'}),
    lower = h('div', {class: 'panels'});
  const pairs = pairsPanels(() => state.structure, signal),
    effects = effectsPanel(feed, signal),
    importance = importancePanel(feed, signal);
  const show = () => {
    fill(verdict, verdictText(state.structure));
    const learned = state.structure.pair_probability.length > 0;
    if (learned !== (lower.firstChild !== null)) fill(lower, learned ? pairs.elements : []);
    if (learned) pairs.update();
  };
  const loadModel = () =>
    Promise.all([
      effects.load(),
      importance.load(),
      get(feed.at('recommended'), {}, signal).then(answer => fill(recommendation, recommended(answer))),
    ]);
  const update = throttle(
    async () => {
      try {
        const structure = await get(feed.at('structure'), {}, signal);
        if (structure.sequence === state.structure.sequence) return; // nothing new was learned: the larger answers are the same too
        state.structure = structure;
        show();
        await loadModel();
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
    },
    2500,
    signal
  );
  feed.addEventListener('trials', update, {signal});
  show();
  loadModel().catch(error => {
    if (!signal.aborted) onError(error);
  });
  return h(
    'div',
    {class: 'panels'},
    h('section', {class: 'panel'}, h('header', {}, h('h2', {}, 'Verdict')), verdict, recommendation),
    lower,
    effects.element,
    importance.element
  );
}

/// With noise the best value is mostly the luckiest; the model's own favourite may be another trial.
function recommended({recommended: one}) {
  if (!one) return [];
  const open = h(
    'button',
    {type: 'button', class: 'quiet small', 'data-focus': 'recommended', onclick: () => openTrial(one.id)},
    `trial ${one.id}`
  );
  const expected = `: ${number(one.mean, 5)} ± ${number(2 * one.stddev, 2)} without noise (told ${number(one.value, 5)}).`;
  const seen = ` Values are noisy (± ${number(2 * one.noise_stddev, 2)}), and the best value is mostly the luckiest.`;
  const doubted = ' The best value told is far from what the others foretell: it is taken for an error of its evaluation and has no say.';
  return ['The model expects most of ', open, expected, one.best_doubted ? doubted : one.noisy ? seen : ''];
}

function verdictText({found, groups, sentences, note}) {
  const many = groups.filter(group => group.length > 1).length,
    alone = groups.length - many;
  const counted = `${count(many, 'group')} found${alone ? `, ${count(alone, 'parameter')} alone` : ''}`;
  const [title, ...rest] = found ? [counted, ...sentences] : sentences;
  return [
    h('p', {class: 'verdict'}, title),
    h(
      'ul',
      {class: 'sentences'},
      rest.map(text => h('li', {}, text))
    ),
    note && h('p', {class: 'note'}, note),
  ];
}

function pairsPanels(structure, signal) {
  let threshold = 0.3;
  const matrix = pairMatrix({input: structure, signal});
  const graph = interactionGraph({input: () => ({...structure(), threshold}), onPoint: matrix.point, signal});
  const shown = h('output', {}, percent(threshold));
  const slider = h('input', {
    type: 'range',
    min: 0.05,
    max: 0.95,
    step: 0.05,
    value: threshold,
    oninput: () => {
      threshold = Number(slider.value);
      shown.textContent = percent(threshold);
      graph.redraw();
    },
  });
  const list = table({
    caption: 'Pairs, most probable first',
    columns: [
      {key: 'pair', label: 'Pair', cell: row => `${row.a} and ${row.b}`},
      {key: 'p', label: 'Probability', align: 'right', cell: row => percent(row.p)},
      {
        key: 'bar',
        label: h('span', {class: 'unseen'}, 'Bar'),
        class: 'bar-cell',
        cell: row => h('span', {class: 'bar', style: {width: `${100 * row.p}%`}}),
      },
    ],
  });
  const groups = h('div'),
    weights = h('div');

  const update = () => {
    const now = structure(),
      rows = pairRows(now);
    graph.setLabel(
      `Interaction graph of ${now.names.length} parameters. ${rows.filter(row => row.p >= 0.5).length} pairs are more likely together than not. The table of pairs below has all of it.`
    );
    matrix.setLabel(`Matrix of pair probabilities. The table of pairs below has all of it.`);
    graph.redraw();
    matrix.redraw();
    list.update(rows.slice(0, 60));
    fill(groups, groupList(now));
    fill(weights, weightTables(now));
  };
  const elements = [
    h(
      'section',
      {class: 'panel wide-6'},
      h('header', {}, h('h2', {}, 'Interaction graph'), h('div', {class: 'controls'}, h('label', {}, 'pairs from', slider, shown))),
      graph.element
    ),
    h('section', {class: 'panel wide-6'}, h('header', {}, h('h2', {}, 'Pair matrix'), scaleLegend('0 %', '100 %')), matrix.element),
    h(
      'section',
      {class: 'panel wide-6'},
      h('header', {}, h('h2', {}, 'Groups')),
      groups,
      h('details', {}, h('summary', {}, 'All pairs as a table'), list.element)
    ),
    h('section', {class: 'panel wide-6'}, h('header', {}, h('h2', {}, 'How sure it is')), weights),
  ];
  return {elements, update};
}

function pairRows({names, pair_probability: p}) {
  return names.flatMap((a, i) => names.slice(0, i).map((b, j) => ({a: b, b: a, p: p[i][j]}))).sort((x, y) => y.p - x.p);
}

function groupList({groups, found}) {
  const single = groups.filter(group => group.length === 1).flat(),
    many = groups.filter(group => group.length > 1);
  const chips = group =>
    h(
      'div',
      {class: 'chips'},
      group.map(name => h('span', {class: 'chip'}, name))
    );
  return [
    h('p', {class: 'muted'}, found ? 'These were found.' : 'No groups were found; this is one guess among others.'),
    h(
      'ul',
      {class: 'groups'},
      many.map(group => h('li', {}, h('span', {class: `swatch ${found ? groupColor(groups, group[0]) : ''}`}), chips(group)))
    ),
    single.length > 0 && [h('h3', {}, found ? 'Alone' : 'Alone in this guess'), chips(single)],
  ];
}

function weightTables({models, structures}) {
  const weighted = (caption, name, rows) => {
    const made = table({
      caption,
      columns: [
        {key: 'name', label: name, cell: row => row.name},
        {key: 'weight', label: 'Weight', align: 'right', cell: row => percent(row.weight)},
        {
          key: 'bar',
          label: h('span', {class: 'unseen'}, 'Bar'),
          class: 'bar-cell',
          cell: row => h('span', {class: 'bar', style: {width: `${100 * row.weight}%`}}),
        },
      ],
    });
    made.update(rows);
    return made.element;
  };
  const text = groups =>
    groups
      .filter(group => group.length > 1)
      .map(group => `{${group.join(', ')}}`)
      .join(' ') || 'every parameter alone';
  return [
    models.length > 0 && [h('h3', {}, 'Models, by how well they foretell'), weighted('Models', 'Model', models)],
    structures.length > 0 && [
      h('h3', {}, 'Most probable structures'),
      weighted(
        'Structures',
        'Groups of more than one',
        structures.slice(0, 8).map(({groups, weight}) => ({name: text(groups), weight}))
      ),
    ],
    !models.length && !structures.length && h('p', {class: 'muted'}, 'Nothing has been weighed yet.'),
  ];
}

/// A bar of the colours of maps with the values at its ends.
export function scaleLegend(low, high) {
  const bar = h('canvas', {width: 128, height: 10, 'aria-hidden': 'true'}),
    context = bar.getContext('2d');
  for (let k = 0; k < 128; ++k) {
    context.fillStyle = sequential(k / 127);
    context.fillRect(k, 0, 1, 10);
  }
  return h('div', {class: 'legend'}, h('span', {}, low), bar, h('span', {}, high));
}
