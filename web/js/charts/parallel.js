// SPDX-License-Identifier: Apache-2.0
// Parallel coordinates: an axis for each quantity, a line for each trial, coloured by its rank. Dragging along an axis selects.
import {svg} from '../dom.js';
import {axis, color, frame, position, sequential} from './frame.js';
import {quantityScale, ranks} from './scatter.js';

const mostLines = 4000; // of each kind; more would be a carpet

/// input() gives {quantities, tint, selected, limits: Map name -> [low, high] in [0, 1] of the axis}; onBrush(name, [low, high] or null).
export function parallelChart({input, onBrush, signal}) {
  const chart = frame({
    label: 'Parallel coordinates',
    height: 23,
    class: 'parallel',
    signal,
    draw: area => drawParallel(area, input(), onBrush),
  });
  return chart;
}

/// Where on its axis a quantity's values lie: 0 at the bottom, 1 at the top. One function for drawing and for selecting.
export function heights(quantity) {
  const scale = quantityScale(quantity, [0, 1]);
  return quantity.values.map(value => (value === null ? NaN : position(scale, value)));
}

function drawParallel({svg: drawing, context, width, height, rem}, {quantities, tint, selected, limits}, onBrush) {
  const top = 2.4 * rem,
    bottom = height - 0.8 * rem,
    left = 3.2 * rem,
    right = width - 2.6 * rem,
    n = quantities.length;
  const x = k => (n > 1 ? left + ((right - left) * k) / (n - 1) : (left + right) / 2),
    y = at => bottom + (top - bottom) * at;
  const columns = quantities.map(heights);
  drawLines(context, columns, x, y, ranks(tint.values), selected);
  quantities.forEach((quantity, k) => {
    const place = svg('g', {transform: `translate(${x(k)} 0)`, class: 'halo'});
    drawing.append(place);
    d3.select(place).call(axis('Left', quantityScale(quantity, [bottom, top]), 6, {words: 10}));
    const room = Math.max(5, Math.floor((right - left) / Math.max(1, n - 1) / (0.47 * rem)));
    const name = quantity.name.length > room ? quantity.name.slice(0, room - 1) + '…' : quantity.name;
    place.append(svg('text', {class: 'axis-name', y: top - 0.9 * rem, 'text-anchor': 'middle'}, name, svg('title', {}, quantity.name)));
    addBrush(place, quantity.name, {top, bottom, rem, limit: limits.get(quantity.name), onBrush});
  });
}

function drawLines(context, columns, x, y, shade, selected) {
  const order = Array.from(selected.keys()).sort((a, b) => (shade[a] || 0) - (shade[b] || 0)); // the best on top
  const chosen = order.filter(k => selected[k]),
    others = order.filter(k => !selected[k]);
  const thin = list =>
    list.length <= mostLines ? list : list.filter((_, k) => (list.length - 1 - k) % Math.ceil(list.length / mostLines) === 0);
  const line = k => {
    let pen = false;
    columns.forEach((column, j) => {
      const at = column[k];
      if (Number.isNaN(at)) {
        pen = false;
        return;
      }
      if (pen) context.lineTo(x(j), y(at));
      else context.moveTo(x(j), y(at));
      pen = true;
    });
  };
  const stroke = (list, style, alpha) => {
    context.strokeStyle = style;
    context.globalAlpha = alpha;
    context.beginPath();
    list.forEach(line);
    context.stroke();
  };
  context.lineWidth = 1;
  stroke(thin(others), color('--strong-line'), 0.06);
  const shown = thin(chosen),
    alpha = Math.max(0.12, Math.min(0.8, 150 / shown.length)),
    steps = 24;
  for (let step = 0; step < steps; ++step)
    // lines of one colour are one path
    stroke(
      shown.filter(k => Math.min(steps - 1, Math.floor((shade[k] || 0) * steps)) === step),
      sequential(step / (steps - 1)),
      Math.min(1, alpha * (1 + step / steps))
    );
}

function addBrush(place, name, {top, bottom, rem, limit, onBrush}) {
  const of = pixel => (bottom - pixel) / (bottom - top);
  const group = d3.select(place).append('g').attr('class', 'brush');
  const brush = d3
    .brushY()
    .extent([
      [-0.7 * rem, top],
      [0.7 * rem, bottom],
    ])
    .on('end', () => {
      if (!d3.event.sourceEvent) return; // moved by us, not by a person
      const chosen = d3.event.selection && [of(d3.event.selection[1]), of(d3.event.selection[0])];
      setTimeout(() => onBrush(name, chosen)); // outside of this event, or our own moves would count as the person's
    });
  group.call(brush);
  if (limit) brush.move(group, [bottom - (bottom - top) * limit[1], bottom - (bottom - top) * limit[0]]);
}
