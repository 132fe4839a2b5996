// SPDX-License-Identifier: Apache-2.0
// The probability that two parameters belong together, for every pair; groups that were found stand together and are framed.
import {svg} from '../dom.js';
import {percent} from '../format.js';
import {frame, sequential} from './frame.js';
import {hideTip, showTip} from './tip.js';

/// input() gives {names, pair_probability, groups, found}. Returns the chart and point(index), which marks a parameter.
export function pairMatrix({input, signal}) {
  let pointed = -1,
    cells = null;
  const chart = frame({
    label: 'Pair probabilities',
    height: 24,
    class: 'matrix',
    signal,
    draw: area => {
      cells = drawMatrix(area, input());
      mark();
    },
  });
  const mark = () => {
    const drawing = chart.plot.querySelector('svg');
    drawing?.querySelector('.cross')?.remove();
    if (pointed < 0 || !cells) return;
    const {left, top, side, order} = cells,
      at = order.indexOf(pointed) * side,
      full = side * order.length;
    drawing.append(
      svg('path', {class: 'cross', d: `M${left + at} ${top}v${full}h${side}v${-full}zM${left} ${top + at}h${full}v${side}h${-full}z`})
    );
  };
  const at = event => {
    const box = chart.plot.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - cells.left) / cells.side),
      row = Math.floor((event.clientY - box.top - cells.top) / cells.side);
    const inside = k => k >= 0 && k < cells.order.length;
    return inside(column) && inside(row) ? [cells.order[row], cells.order[column]] : null;
  };
  chart.plot.addEventListener('pointermove', event => {
    const pair = cells && at(event);
    if (!pair || pair[0] === pair[1]) {
      hideTip();
      return;
    }
    const {names, pair_probability: p} = input();
    showTip(event.clientX, event.clientY, `${names[pair[0]]} and ${names[pair[1]]}: ${percent(p[pair[0]][pair[1]])}`);
  });
  chart.plot.addEventListener('pointerleave', hideTip);
  return {
    ...chart,
    point: index => {
      pointed = index;
      mark();
    },
  };
}

function drawMatrix({svg: drawing, context, width, height, rem}, {names, pair_probability: p, groups, found}) {
  const order = groups.length
    ? groups
        .flat()
        .map(name => names.indexOf(name))
        .filter(k => k >= 0)
    : names.map((_, k) => k);
  const n = order.length;
  if (!n || !p.length) return null;
  const longest = Math.min(7, 0.46 * Math.max(...names.map(name => name.length)) + 0.6) * rem;
  const labelled = Math.min(width - longest, height) / n >= 0.62 * rem;
  const margin = labelled ? longest : 2,
    top = 2;
  const side = Math.min((width - margin - 4) / n, (height - top - (labelled ? longest : 4)) / n);
  const left = margin + (width - margin - n * side) / 2;
  order.forEach((i, row) =>
    order.forEach((j, column) => {
      context.fillStyle = sequential(i === j ? 1 : p[i][j]);
      const [x, y] = [Math.round(left + column * side), Math.round(top + row * side)]; // whole pixels leave no seams
      context.fillRect(x, y, Math.round(left + (column + 1) * side) - x, Math.round(top + (row + 1) * side) - y);
    })
  );
  if (found) {
    let start = 0;
    for (const group of groups) {
      drawing.append(
        svg('rect', {
          class: 'frame',
          x: left + start * side,
          y: top + start * side,
          width: group.length * side,
          height: group.length * side,
        })
      );
      start += group.length;
    }
  }
  if (labelled)
    order.forEach((k, at) => {
      const name = names[k].length > 14 ? names[k].slice(0, 13) + '…' : names[k],
        middle = (at + 0.5) * side;
      drawing.append(
        svg('text', {x: left - 5, y: top + middle + 4, 'text-anchor': 'end'}, name),
        svg('text', {transform: `translate(${left + middle + 4} ${top + n * side + 5}) rotate(-90)`, 'text-anchor': 'end'}, name)
      );
    });
  return {left, top, side, order};
}
