// SPDX-License-Identifier: Apache-2.0
// The best so far in a line of a table. Plain SVG: it needs no library.
import {svg} from '../dom.js';

export function sparkline(values) {
  const wide = 120,
    tall = 28,
    edge = 4;
  const drawing = svg('svg', {class: 'spark', viewBox: `0 0 ${wide} ${tall}`, 'aria-hidden': 'true', preserveAspectRatio: 'none'});
  if (values.length < 2) return drawing;
  const low = Math.min(...values),
    span = Math.max(...values) - low || 1;
  const x = k => edge + ((wide - 2 * edge) * k) / (values.length - 1);
  const y = value => tall - edge - ((tall - 2 * edge) * (value - low)) / span;
  let line = `M${x(0)} ${y(values[0])}`;
  for (let k = 1; k < values.length; ++k) line += `H${x(k).toFixed(1)}V${y(values[k]).toFixed(1)}`;
  drawing.append(svg('path', {d: line}), svg('circle', {cx: x(values.length - 1), cy: y(values.at(-1)), r: 2.6}));
  return drawing;
}
