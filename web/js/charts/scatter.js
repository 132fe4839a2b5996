// SPDX-License-Identifier: Apache-2.0
// One quantity against another, a dot for each trial, coloured by a third; what is not selected turns grey.
import {number} from '../format.js';
import {axes, color, frame, parameterScale, position, sequential} from './frame.js';
import {answering} from './tip.js';

/// A quantity: {name, values: [], parameter (its scale) or null}. input() gives {x, y, tint or null, selected: Uint8Array, ids}.
export function scatterChart({input, open, signal}) {
  const marks = {x: [], y: [], text: () => '', open: () => {}};
  const chart = frame({
    label: 'Values against a parameter',
    height: 22,
    focusable: true,
    signal,
    draw: area => drawScatter(area, input(), marks, open),
  });
  if (chart.plot !== chart.element) answering(chart.plot, () => marks);
  return chart;
}

export function quantityScale(quantity, range) {
  if (quantity.parameter) return parameterScale(quantity.parameter, range);
  const [low, high] = quantity.domain ?? d3.extent(quantity.values.filter(value => value !== null));
  return d3.scaleLinear(low === high ? [low - 1, high + 1] : [low ?? 0, high ?? 1], range).clamp(true);
}

/// Ranks in [0, 1]: one colour for each tenth of the trials, however uneven the values are.
export function ranks(values) {
  const order = values
    .map((value, k) => [value, k])
    .filter(([value]) => value !== null)
    .sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  const rank = new Float64Array(values.length).fill(NaN);
  let start = 0;
  order.forEach(([value, k], at) => {
    if (value !== order[start][0]) start = at;
    rank[k] = order.length > 1 ? start / (order.length - 1) : 1;
  });
  return rank;
}

function drawScatter({svg: drawing, context, width, height, rem}, {x: across, y: up, tint, selected, ids}, marks, open) {
  const box = {left: 3.8 * rem, right: width - 0.8 * rem, top: 1.5 * rem, bottom: height - 2.9 * rem};
  const x = quantityScale(across, [box.left, box.right]),
    y = quantityScale(up, [box.bottom, box.top]);
  axes(drawing, {x, y, box, rem, xName: across.name, yName: up.name});
  const shade = tint && ranks(tint.values),
    plain = color('--c0'),
    grey = color('--strong-line');
  const jitter = x.step ? k => (((k * 0.618) % 1) - 0.5) * Math.min(x.step() * 0.5, 40) : () => 0; // dots of one choice stand side by side
  marks.x = [];
  marks.y = [];
  const radius = ids.length > 2000 ? 2 : 3;
  const dot = k => {
    context.beginPath();
    context.arc(marks.x[k], marks.y[k], radius, 0, 2 * Math.PI);
    context.fill();
  };
  for (let k = 0; k < ids.length; ++k) {
    const shown = across.values[k] !== null && up.values[k] !== null;
    marks.x.push(shown ? position(x, across.values[k]) + jitter(k) : NaN);
    marks.y.push(shown ? position(y, up.values[k]) : NaN);
  }
  context.fillStyle = grey;
  context.globalAlpha = 0.25;
  for (let k = 0; k < ids.length; ++k) if (!selected[k] && !Number.isNaN(marks.x[k])) dot(k);
  context.globalAlpha = Math.max(0.35, Math.min(0.85, 1500 / ids.length));
  for (let k = 0; k < ids.length; ++k) {
    if (!selected[k] || Number.isNaN(marks.x[k])) continue;
    context.fillStyle = shade ? sequential(shade[k]) : plain;
    dot(k);
  }
  marks.text = k =>
    [`trial ${ids[k]}`, ...[across, up, tint].filter(Boolean).map(one => `${one.name}: ${number(one.values[k], 6)}`)].join('\n');
  marks.open = k => open(ids[k]);
}
