// SPDX-License-Identifier: Apache-2.0
// How the study goes: progress, the best trial, what runs and waits, what failed and why.
import {trialActions} from '../actions.js';
import {get} from '../api.js';
import {progressChart} from '../charts/progress_chart.js';
import {copyable, fill, h} from '../dom.js';
import {ago, count, duration, firstLine, now, number} from '../format.js';
import {openTrial, studyLink} from '../route.js';
import {table} from '../table.js';
import {throttle} from '../throttle.js';
import {parameterTable} from './trial.js';

export async function create(feed, {signal, onError}) {
  const parts = [progressPanel(feed, signal), bestPanel(feed), runningPanel(feed), failuresPanel(feed)];
  const update = throttle(
    async () => {
      try {
        await Promise.all(parts.map(part => part.load?.(signal)));
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
    },
    900,
    signal
  );
  feed.addEventListener('trials', update, {signal});
  const loaded = parts.map(part => part.load?.(signal));
  if (!feed.progress) loaded.push(feed.loadProgress());
  await Promise.all(loaded);
  return h(
    'div',
    {class: 'panels'},
    parts.map(part => part.element)
  );
}

const panel = (title, wide, controls, ...content) =>
  h('section', {class: `panel ${wide}`}, h('header', {}, h('h2', {}, title), controls), content);

const choice = (label, options, change) =>
  h(
    'label',
    {},
    label,
    h(
      'select',
      {onchange: event => change(event.target.value)},
      options.map(([value, text]) => h('option', {value}, text))
    )
  );

function progressPanel(feed, signal) {
  const options = {by: 'trial', show: 'values'};
  const improvements = table({
    caption: 'Each new best',
    columns: [
      {key: 'trial', label: 'Trial', cell: row => trialButton(row.trial)},
      {key: 'value', label: 'Best value', align: 'right', cell: row => number(row.value, 7)},
      {key: 'at', label: 'After', align: 'right', cell: row => duration(feed.progress.ended_at[row.index])},
    ],
  });
  const place = h('div'),
    waiting = h('div', {class: 'empty'}, h('p', {}, 'No value has been told yet. The first ones will appear here by themselves.'));
  let chart = null;
  const show = () => {
    const {progress, study} = feed;
    if (!progress?.trials.length) {
      fill(place, waiting);
      return;
    }
    if (!chart) {
      chart = progressChart({
        input: () => ({progress: feed.progress, goal: study.goal, optimum: study.optimum}),
        options,
        open: openTrial,
        signal,
      });
      fill(place, chart.element);
    } else {
      chart.redraw();
    }
    const last = progress.improvements.at(-1);
    chart.setLabel(
      `Progress: ${count(progress.trials.length, 'value')}, the best is ${number(last.value, 6)} in trial ${last.trial}, after ${count(progress.improvements.length, 'improvement')}. Arrow keys read the trials, Enter opens one.`
    );
    improvements.update(progress.improvements.slice().reverse());
  };
  feed.addEventListener(
    'progress',
    throttle(async () => show(), 250, signal),
    {signal}
  ); // many values may come at once
  show();
  const controls = h(
    'div',
    {class: 'controls'},
    choice(
      'show',
      [['values', 'all values'], ['half', 'the better half'], ...(feed.study.optimum === null ? [] : [['regret', 'regret']])],
      text => {
        options.show = text;
        chart?.redraw();
      }
    ),
    choice(
      'over',
      [
        ['trial', 'trials'],
        ['time', 'time'],
      ],
      text => {
        options.by = text;
        chart?.redraw();
      }
    )
  );
  const legend = h(
    'div',
    {class: 'legend', 'aria-hidden': 'true'},
    h('span', {}, h('i', {class: 'dot'}), 'a trial'),
    h('span', {}, h('i', {class: 'c1'}), 'best so far')
  );
  return {
    element: panel(
      'Progress',
      'wide-8',
      controls,
      place,
      legend,
      h('details', {}, h('summary', {}, 'Each new best as a table'), improvements.element)
    ),
  };
}

const trialButton = id =>
  h(
    'button',
    {type: 'button', class: 'quiet small', 'data-focus': `trial ${id}`, 'aria-label': `Open trial ${id}`, onclick: () => openTrial(id)},
    String(id)
  );

function bestPanel(feed) {
  const place = h('div');
  let shown = null;
  const load = async signal => {
    const wanted = feed.study.best ? `${feed.study.best.id} ${feed.study.best.value}` : 'none';
    if (wanted === shown) return;
    const {best} = await get(feed.at('best'), {}, signal);
    shown = wanted;
    fill(
      place,
      best
        ? [
            h(
              'p',
              {},
              h('strong', {}, number(best.value, 8)),
              ' in trial ',
              trialButton(best.id),
              h('span', {class: 'muted'}, ago(best.ended_at))
            ),
            parameterTable(feed.study.parameters, best.parameters),
            best.command && copyable(best.command, 'Command that runs the best trial'),
          ]
        : h('div', {class: 'empty'}, h('p', {}, 'The best trial and the command to run it will stand here.'))
    );
  };
  return {element: panel('Best trial', 'wide-4 best', null, place), load};
}

function runningPanel(feed) {
  const {parameters} = feed.study;
  const list = table({
    caption: 'Running and waiting trials',
    empty: 'Nothing runs or waits.',
    columns: [
      {key: 'id', label: 'Trial', cell: trial => trialButton(trial.id)},
      {key: 'state', label: 'State', cell: trial => h('span', {class: `badge ${trial.state}`}, trial.state)},
      {key: 'worker', label: 'Worker', cell: trial => h('span', {class: 'clip', title: trial.worker}, trial.worker || '–')},
      {
        key: 'since',
        label: 'For',
        align: 'right',
        cell: trial => duration(now() - (trial.state === 'waiting' ? trial.asked_at : trial.started_at)),
      },
      {
        key: 'point',
        label: 'Point',
        class: 'narrow-off',
        cell: trial =>
          h(
            'div',
            {class: 'chips'},
            parameters.slice(0, 6).map(({name}) => h('span', {class: 'chip'}, h('b', {}, `${name} `), number(trial.parameters[name], 3))),
            parameters.length > 6 && h('span', {class: 'muted small'}, `and ${parameters.length - 6} more`)
          ),
      },
      {key: 'act', label: h('span', {class: 'unseen'}, 'Actions'), align: 'right', cell: trial => trialActions(feed, trial, true)},
    ],
  });
  const note = h('p', {class: 'muted small'});
  const load = async signal => {
    const {running, waiting, lost} = feed.study.counts;
    const {trials, total} =
      running + waiting + lost ? await get(feed.at('trials'), {state: 'running,lost,waiting', limit: 50}, signal) : {trials: [], total: 0};
    const rank = {running: 0, lost: 1, waiting: 2};
    list.update(trials.sort((a, b) => rank[a.state] - rank[b.state] || a.id - b.id));
    note.textContent = total > trials.length ? `The first ${trials.length} of ${total}.` : '';
  };
  return {element: panel('Running and waiting', 'wide-8', null, list.element, note), load};
}

function failuresPanel(feed) {
  const list = table({
    caption: 'Failures by cause',
    empty: 'Nothing has failed.',
    columns: [
      {key: 'cause', label: 'Cause', cell: row => h('span', {title: row.latest}, firstLine(row.cause) || 'no reason given')},
      {key: 'count', label: 'Trials', align: 'right', cell: row => row.count},
      {key: 'latest', label: 'Latest', align: 'right', cell: row => trialButton(row.trials.reduce((a, b) => Math.max(a, b), 0))},
    ],
  });
  let failed = -1;
  const load = async signal => {
    if (feed.study.counts.failed === failed) return;
    list.update(feed.study.counts.failed ? (await get(feed.at('failures'), {}, signal)).failures : []);
    failed = feed.study.counts.failed;
  };
  const all = h('a', {class: 'small', href: studyLink(feed.name, 'trials', {filter: 'failed'})}, 'All failed trials');
  return {element: panel('Failures', 'wide-4', all, list.element), load};
}
