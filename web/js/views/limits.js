// SPDX-License-Identifier: Apache-2.0
// The selection of parallel coordinates as numbers and words: what a brush does, for the keyboard and for exact limits.
import {haveCharts, position} from '../charts/frame.js';
import {quantityScale} from '../charts/scatter.js';
import {field} from '../dialog.js';
import {h} from '../dom.js';

/// limits: name -> [low, high] in [0, 1] of the axis; change(name, limit or null)
export function limitsForm(quantities, limits, change) {
  if (!haveCharts()) return [];
  return h(
    'div',
    {class: 'fields'},
    quantities.map(quantity => (quantity.parameter?.values ? oneOf(quantity, limits, change) : between(quantity, limits, change)))
  );
}

function oneOf(quantity, limits, change) {
  const scale = quantityScale(quantity, [0, 1]),
    {values} = quantity.parameter,
    limit = limits.get(quantity.name);
  const at = value => position(scale, value),
    inside = value => limit && at(value) >= limit[0] && at(value) <= limit[1];
  const only = limit && values.filter(inside).length === 1 ? values.findIndex(inside) : '';
  const select = h(
    'select',
    {
      'data-focus': `only ${quantity.name}`,
      onchange: () =>
        change(quantity.name, select.value === '' ? null : [at(values[select.value]) - 1e-6, at(values[select.value]) + 1e-6]),
    },
    h('option', {value: ''}, 'all'),
    values.map((value, k) => h('option', {value: k, selected: k === only}, String(value)))
  );
  return field(quantity.name, select);
}

function between(quantity, limits, change) {
  const scale = quantityScale(quantity, [0, 1]),
    limit = limits.get(quantity.name);
  const shown = at => (limit && at > 0 && at < 1 ? +scale.invert(at).toPrecision(5) : '');
  const box = (label, at) =>
    h('input', {
      type: 'number',
      step: 'any',
      'aria-label': `${quantity.name}, ${label}`,
      placeholder: label,
      value: shown(at),
      'data-focus': `${label} ${quantity.name}`,
      onchange: () => {
        const read = (input, otherwise) => (input.value === '' ? otherwise : scale(Number(input.value)));
        const range = [read(low, 0), read(high, 1)];
        change(quantity.name, low.value === '' && high.value === '' ? null : range);
      },
    });
  const low = box('from', limit?.[0]),
    high = box('to', limit?.[1]);
  return h('div', {class: 'field'}, h('span', {}, quantity.name), h('div', {class: 'between'}, low, high));
}
