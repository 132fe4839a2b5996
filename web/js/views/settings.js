// SPDX-License-Identifier: Apache-2.0
// The search space, the options as used and how programs are run.
import {copyable, h} from '../dom.js';
import {clock, number} from '../format.js';
import {table} from '../table.js';

export async function create(feed) {
  const {study} = feed;
  const space = table({
    caption: 'Search space',
    columns: [
      {key: 'name', label: 'Parameter', cell: one => one.name},
      {key: 'type', label: 'Type', cell: one => one.type},
      {key: 'range', label: 'Range', cell: one => (one.values ? one.values.join(', ') : `${number(one.low, 8)} to ${number(one.high, 8)}`)},
      {key: 'scale', label: 'Scale', cell: one => one.scale ?? '–'},
    ],
  });
  space.update(study.parameters);
  const facts = {
    name: study.name,
    goal: study.goal,
    made: clock(study.created_at),
    budget: study.budget ?? 'no limit',
    optimum: study.optimum ?? 'not known',
    target: study.target ?? 'none',
  };
  return h(
    'div',
    {class: 'panels'},
    section('Search space', 'wide-7', space.element),
    section(
      'Study',
      'wide-5',
      list(facts),
      study.command.length > 0 && [h('h3', {}, 'Command, for workers'), copyable(study.command.join(' '), 'Command of the study')]
    ),
    section('Options of the optimiser', 'wide-6', list(flat(study.options))),
    section('How programs are run', 'wide-6', list(flat(study.settings)))
  );
}

const section = (title, wide, ...content) => h('section', {class: `panel ${wide}`}, h('header', {}, h('h2', {}, title)), content);

const list = facts =>
  h(
    'dl',
    {class: 'facts'},
    Object.entries(facts).map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))])
  );

/// {a: {b: 1}} as {'a.b': '1'}
function flat(value, prefix = '') {
  if (value === null || typeof value !== 'object') return {[prefix]: value === null ? 'none' : value};
  if (Array.isArray(value)) return {[prefix]: value.map(one => (typeof one === 'object' ? JSON.stringify(one) : one)).join(', ') || 'none'};
  return Object.assign({}, ...Object.entries(value).map(([key, one]) => flat(one, prefix ? `${prefix}.${key}` : key)));
}
