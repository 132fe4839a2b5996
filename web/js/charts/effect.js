// SPDX-License-Identifier: Apache-2.0
// What a group does: a curve with two standard deviations, or a map. All share one scale of values.
import {svg} from '../dom.js';
import {number} from '../format.js';
import {axes, frame, parameterScale, position, sequential} from './frame.js';
import {hideTip, showTip} from './tip.js';

/// The range of all means, and of all means with two standard deviations, for one scale in every panel.
export function commonScale(slices) {
  const range = {mean: [Infinity, -Infinity], band: [Infinity, -Infinity], stddev: [0, 0]};
  const widen = (list, low, high) => {
    list[0] = Math.min(list[0], low);
    list[1] = Math.max(list[1], high);
  };
  for (const {mean, stddev, parameters} of slices)
    mean.forEach((value, k) => {
      widen(range.mean, value, value);
      widen(range.stddev, 0, stddev[k]);
      const margin = parameters.length === 1 ? 2 * stddev[k] : 0;
      widen(range.band, value - margin, value + margin);
    });
  return range;
}

/// view() gives {quantity: 'mean' | 'stddev', range, best: parameters of the best trial or null}
export function effectChart({slice, parameters, view, signal}) {
  const of = slice.parameters.map(name => parameters.find(parameter => parameter.name === name));
  const label = `${slice.parameters.join(' and ')}: ${number(Math.min(...slice.mean), 3)} to ${number(Math.max(...slice.mean), 3)}, standard deviation ${number(Math.min(...slice.stddev), 2)} to ${number(Math.max(...slice.stddev), 2)}`;
  const draw = area => (of.length === 1 ? drawCurve(area, slice, of[0], view(), chart.plot) : drawMap(area, slice, of, view(), chart.plot));
  const chart = frame({label, height: 13, signal, draw});
  return chart;
}

const boxOf = ({width, height, rem}) => ({left: 3.2 * rem, right: width - 0.5 * rem, top: 0.5 * rem, bottom: height - 2.8 * rem});

function drawCurve(area, {axes: [values], mean, stddev}, parameter, {range, best}, plot) {
  const {svg: drawing, rem} = area,
    box = boxOf(area);
  const x = parameterScale(parameter, [box.left, box.right]),
    y = d3.scaleLinear(range.band, [box.bottom, box.top]).nice();
  axes(drawing, {x, y, box, rem, xName: parameter.name});
  const at = values.map(value => position(x, value));
  if (parameter.values)
    at.forEach((px, k) =>
      drawing.append(
        svg('line', {class: 'mean', x1: px, x2: px, y1: y(mean[k] - 2 * stddev[k]), y2: y(mean[k] + 2 * stddev[k]), opacity: 0.4}),
        svg('circle', {cx: px, cy: y(mean[k]), r: 4, class: 'fill-c0'})
      )
    );
  else
    drawing.append(
      svg('path', {
        class: 'band',
        d: d3
          .area()
          .x((_, k) => at[k])
          .y0((_, k) => y(mean[k] - 2 * stddev[k]))
          .y1((_, k) => y(mean[k] + 2 * stddev[k]))(mean),
      }),
      svg('path', {
        class: 'mean',
        d: d3
          .line()
          .x((_, k) => at[k])
          .y(value => y(value))(mean),
      })
    );
  if (y.domain()[0] < 0 && y.domain()[1] > 0) drawing.append(svg('line', {class: 'zero', x1: box.left, x2: box.right, y1: y(0), y2: y(0)}));
  if (best) drawing.append(svg('path', {class: 'mark', d: `M${position(x, best[parameter.name])} ${box.bottom}V${box.top}`}));
  answer(plot, px => {
    const k = nearest(at, px);
    return `${parameter.name} = ${number(values[k], 4)}\n${number(mean[k], 4)} ± ${number(2 * stddev[k], 3)}`;
  });
}

function drawMap(area, {axes: [first, second], mean, stddev}, [p, q], {quantity, range, best}, plot) {
  const {svg: drawing, context, rem} = area,
    box = boxOf(area);
  const x = parameterScale(p, [box.left, box.right]),
    y = parameterScale(q, [box.bottom, box.top]);
  const values = quantity === 'mean' ? mean : stddev,
    [low, high] = range[quantity];
  const across = edges(
      first.map(value => position(x, value)),
      box.left,
      box.right
    ),
    down = edges(
      second.map(value => position(y, value)),
      box.bottom,
      box.top
    );
  first.forEach((_, i) =>
    second.forEach((__, j) => {
      context.fillStyle = sequential((values[i * second.length + j] - low) / (high - low || 1));
      context.fillRect(across[i], down[j + 1], across[i + 1] - across[i], down[j] - down[j + 1]);
    })
  );
  if (!p.values && !q.values) drawContours(drawing, {values, n: first.length, m: second.length, low, high, box});
  axes(drawing, {x, y, box, rem, xName: p.name, grid: false});
  if (best) {
    const [cx, cy] = [position(x, best[p.name]), position(y, best[q.name])];
    drawing.append(svg('path', {class: 'diamond', d: `M${cx} ${cy - 6}l6 6l-6 6l-6 -6z`}));
  }
  answer(plot, (px, py) => {
    const i = nearest(
        first.map(value => position(x, value)),
        px
      ),
      j = nearest(
        second.map(value => position(y, value)),
        py
      ),
      k = i * second.length + j;
    return `${p.name} = ${number(first[i], 4)}\n${q.name} = ${number(second[j], 4)}\n${number(mean[k], 4)} ± ${number(2 * stddev[k], 3)}`;
  });
}

/// Borders half-way between neighbours, on whole pixels so that cells leave no seams; the outer ones are the box's.
const edges = (at, start, end) => [start, ...at.slice(1).map((value, k) => (value + at[k]) / 2), end].map(Math.round);

function drawContours(drawing, {values, n, m, low, high, box}) {
  const turned = Array.from({length: n * m}, (_, k) => values[(k % n) * m + Math.floor(k / n)]); // d3 wants the first axis fastest
  const levels = d3.scaleLinear([low, high], [0, 1]).ticks(8);
  const at = ([u, v]) =>
    `${(box.left + ((box.right - box.left) * (u - 0.5)) / (n - 1)).toFixed(1)} ${(box.bottom - ((box.bottom - box.top) * (v - 0.5)) / (m - 1)).toFixed(1)}`;
  for (const {coordinates} of d3.contours().size([n, m]).thresholds(levels)(turned))
    for (const ring of coordinates.flat()) {
      // Only what runs inside: d3 closes its rings along the border of the grid.
      const inside = ([u, v]) => u > 0.51 && u < n - 0.51 && v > 0.51 && v < m - 0.51;
      let line = '',
        pen = false;
      for (const point of ring) {
        line += inside(point) ? `${pen ? 'L' : 'M'}${at(point)}` : '';
        pen = inside(point);
      }
      if (line) drawing.append(svg('path', {class: 'contour', d: line}));
    }
}

const nearest = (list, wanted) =>
  list.reduce((found, value, k) => (Math.abs(value - wanted) < Math.abs(list[found] - wanted) ? k : found), 0);

function answer(plot, text) {
  plot.onpointermove = event => {
    const box = plot.getBoundingClientRect();
    showTip(event.clientX, event.clientY, text(event.clientX - box.left, event.clientY - box.top));
  };
  plot.onpointerleave = hideTip;
}
