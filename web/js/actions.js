// SPDX-License-Identifier: Apache-2.0
// What a person with a token that may write can do. Each asks first or can be undone, and says what happened.
import {server} from './access.js';
import {send} from './api.js';
import {field, openForm} from './dialog.js';
import {h, notify} from './dom.js';
import {number} from './format.js';

const why = 'Enter a token that may write (top right) to do this';

/// A button that is there for everybody and works for those who may write.
export const actionButton = (label, run, attributes = {}) =>
  h(
    'button',
    {type: 'button', disabled: !server.mayWrite, title: server.mayWrite ? null : why, onclick: run, 'data-focus': label, ...attributes},
    label
  );

export function studyActions(feed) {
  const {paused} = feed.study;
  return [
    actionButton(paused ? 'Resume' : 'Pause', () => setPaused(feed, !paused), {'data-focus': 'pause'}),
    actionButton('Change the budget', () => changeBudget(feed)),
    actionButton('Enqueue a point', () => enqueue(feed, null)),
  ];
}

async function attempt(feed, done, work) {
  try {
    await work();
    notify(done);
    feed.refresh();
  } catch (error) {
    notify(error.message, {bad: true});
  }
}

const setPaused = (feed, paused) =>
  attempt(feed, paused ? 'Paused: no new trials are handed out; answers are taken.' : 'Resumed.', () => send('PATCH', feed.at(), {paused}));

function changeBudget(feed) {
  const {budget, counts} = feed.study;
  const input = h('input', {type: 'number', min: 1, step: 1, value: budget ?? '', placeholder: 'no limit'});
  openForm({
    title: 'Change the budget',
    fields: [field('Trials in all', input, `${counts.issued} have been handed out. Empty: no limit.`)],
    button: 'Change',
    run: async () => {
      await send('PATCH', feed.at(), {budget: input.value === '' ? null : Number(input.value)});
      notify(input.value === '' ? 'There is no limit now.' : `The budget is ${input.value} trials now.`);
      feed.refresh();
    },
  });
}

/// A point of one's own; `from` are values to begin with.
export function enqueue(feed, from) {
  const controls = feed.study.parameters.map(parameter => [parameter, control(parameter, from?.[parameter.name])]);
  openForm({
    title: 'Enqueue a point',
    text: 'It is evaluated before any suggestion, within the budget.',
    button: 'Enqueue',
    fields: [
      h(
        'div',
        {class: 'fields'},
        controls.map(([parameter, input]) => field(parameter.name, input, range(parameter)))
      ),
    ],
    run: async () => {
      const point = Object.fromEntries(controls.map(([parameter, input]) => [parameter.name, read(parameter, input)]));
      const {ids} = await send('POST', feed.at('enqueue'), {points: [point]});
      notify(`Trial ${ids[0]} waits to be evaluated.`);
      feed.refresh();
    },
  });
}

const range = ({values, low, high, scale}) => (values ? null : `${number(low)} to ${number(high)}${scale === 'log' ? ', log scale' : ''}`);

function control(parameter, given) {
  if (parameter.values)
    return h(
      'select',
      {},
      parameter.values.map((value, k) => h('option', {value: k, selected: String(value) === String(given)}, String(value)))
    );
  const {low, high, scale, type} = parameter;
  const middle = scale === 'log' ? Math.sqrt(low * high) : (low + high) / 2;
  return h('input', {
    type: 'number',
    required: true,
    min: low,
    max: high,
    step: type === 'integer' ? 1 : 'any',
    value: given ?? (type === 'integer' ? Math.round(middle) : +middle.toPrecision(6)),
  });
}

const read = (parameter, input) => (parameter.values ? parameter.values[Number(input.value)] : Number(input.value));

export const trialActions = (feed, trial, small = false) =>
  [
    ['waiting', 'running', 'lost'].includes(trial.state) && trialAction(feed, trial, 'abandon', small),
    ['completed', 'failed'].includes(trial.state) && trialAction(feed, trial, 'rerun', small),
  ].filter(Boolean);

const texts = {
  abandon: {
    label: 'Abandon',
    text: 'Its answer is not wanted any more. The budget gets it back. A program that is running goes on, but nobody waits for it.',
    done: id => `Trial ${id} is abandoned.`,
  },
  rerun: {
    label: 'Run again',
    text: 'Its answer no longer counts and stays in the history. The trial is evaluated once more with the next ask.',
    done: id => `Trial ${id} waits to be evaluated again.`,
  },
};

function trialAction(feed, trial, kind, small) {
  const {label, text, done} = texts[kind];
  return actionButton(
    label,
    () =>
      openForm({
        title: `${label}: trial ${trial.id}`,
        text,
        button: label,
        danger: kind === 'abandon',
        run: async () => {
          await send('POST', feed.at('trials', trial.id, kind));
          notify(done(trial.id));
          feed.refresh();
        },
      }),
    {class: small ? 'small' : null, 'data-focus': `${kind} ${trial.id}`}
  );
}
