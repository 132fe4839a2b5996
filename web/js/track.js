// SPDX-License-Identifier: Apache-2.0
// Where a value lies in its parameter's range, on the parameter's own scale.
import {h} from './dom.js';

export function shareOfRange(parameter, value) {
  if (parameter.values)
    return parameter.values.length < 2
      ? 0.5
      : parameter.values.findIndex(one => String(one) === String(value)) / (parameter.values.length - 1);
  const of = parameter.scale === 'log' ? Math.log : x => x;
  return (of(value) - of(parameter.low)) / (of(parameter.high) - of(parameter.low) || 1);
}

export const track = (parameter, value) =>
  h(
    'span',
    {class: 'track', 'aria-hidden': 'true'},
    h('i', {style: {left: `${100 * Math.min(1, Math.max(0, shareOfRange(parameter, value)))}%`}})
  );
