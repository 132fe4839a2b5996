// SPDX-License-Identifier: Apache-2.0
// A study in few words: its state, how far it is, its cards.
import {h} from './dom.js';
import {ago, count, number, percent} from './format.js';
import {openTrial} from './route.js';

/// What the study is doing, as a word and a kind of badge.
export function condition({paused, budget, counts}) {
  const open = counts.running + counts.waiting + counts.lost;
  if (paused) return {word: 'paused', kind: 'paused'};
  if (counts.running) return {word: 'running', kind: 'running'};
  if (budget !== null && counts.issued >= budget && !open) return {word: 'done', kind: 'done'};
  return counts.issued || counts.added ? {word: 'idle', kind: ''} : {word: 'new', kind: ''};
}

export function progressBar({budget, counts}) {
  const ended = counts.completed + counts.failed - counts.added;
  if (budget === null) return h('div', {class: 'progress'}, h('small', {}, `${ended}, no limit`));
  return h(
    'div',
    {class: 'progress'},
    h('progress', {max: budget, value: Math.min(ended, budget), 'aria-label': 'Trials that ended'}),
    h('small', {}, `${ended} of ${budget}`)
  );
}

/// The cards above a study's tabs.
export function cards(study) {
  const {counts, best, budget, goal, optimum} = study;
  const ended = counts.completed + counts.failed;
  const openBest = () => openTrial(best.id);
  return [
    card(
      'Best',
      best ? number(best.value, 6) : '–',
      best
        ? h('button', {type: 'button', class: 'quiet small', 'data-focus': 'best', onclick: openBest}, `trial ${best.id}`)
        : `nothing to ${goal} yet`,
      'first'
    ),
    optimum !== null &&
      card(
        'Regret',
        best ? number(goal === 'maximize' ? optimum - best.value : best.value - optimum, 3) : '–',
        `known optimum ${number(optimum)}`
      ),
    card(
      'Trials',
      `${ended - counts.added}${budget === null ? '' : ` / ${budget}`}`,
      budget === null
        ? 'no limit'
        : h('progress', {max: budget, value: Math.min(ended - counts.added, budget), 'aria-label': 'Trials that ended'})
    ),
    card(
      'Running',
      String(counts.running),
      [counts.waiting && `${counts.waiting} waiting`, counts.lost && `${counts.lost} lost`].filter(Boolean).join(', ') || 'nothing waits'
    ),
    card('Failed', String(counts.failed), ended ? percent(counts.failed / ended) + ' of the answers' : 'no answers yet'),
    card(
      'Last event',
      ago(study.last_at),
      [counts.added && `${count(counts.added, 'value')} added`, counts.abandoned && `${counts.abandoned} abandoned`]
        .filter(Boolean)
        .join(', ') || `made ${ago(study.created_at)}`
    ),
  ].filter(Boolean);
}

const card = (label, value, detail, kind = '') =>
  h(
    'div',
    {class: `card ${kind}`},
    h('div', {class: 'label'}, label),
    h('div', {class: 'value'}, value),
    h('div', {class: 'detail'}, detail)
  );
