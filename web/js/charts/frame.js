// SPDX-License-Identifier: Apache-2.0
// What all charts share: a figure with a canvas (many marks) under an SVG (axes, lines, text) that is drawn again when its size, its
// data or the theme changes. Scales, axes and layouts are d3's, a global from vendor/d3.js that a build may lack.
import {h, svg} from '../dom.js';
import {number} from '../format.js';

export const haveCharts = () => typeof globalThis.d3?.scaleLinear === 'function';

/// draw({svg, context, width, height, rem}) draws everything; sizes are in pixels. `label` is the text alternative.
export function frame({label, height, draw, signal, class: className = '', focusable = false}) {
  const caption = h('figcaption');
  if (!haveCharts()) {
    const element = h(
      'figure',
      {class: 'chart'},
      h('p', {class: 'empty'}, 'No chart: this build was made without d3 (Debian: node-d3). The tables show the same.'),
      caption
    );
    return {element, caption, plot: element, redraw() {}, setLabel() {}};
  }
  const canvas = h('canvas', {'aria-hidden': 'true'});
  const drawing = svg('svg', {'aria-hidden': 'true'});
  const plot = h(
    'div',
    {class: 'plot', role: 'img', 'aria-label': label, tabindex: focusable ? 0 : null, style: {height: `${height}rem`}},
    canvas,
    drawing
  );
  const element = h('figure', {class: `chart ${className}`}, plot, caption);

  const redraw = () => {
    const {width, height: tall} = plot.getBoundingClientRect();
    if (!width) return;
    const sharp = devicePixelRatio || 1;
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(tall * sharp);
    const context = canvas.getContext('2d');
    context.scale(sharp, sharp);
    drawing.replaceChildren();
    draw({svg: drawing, context, width, height: tall, rem: parseFloat(getComputedStyle(document.documentElement).fontSize)});
  };
  const observer = new ResizeObserver(redraw);
  observer.observe(plot);
  document.addEventListener('themechange', redraw, {signal});
  signal.addEventListener('abort', () => observer.disconnect());
  return {element, caption, plot, redraw, setLabel: text => plot.setAttribute('aria-label', text)};
}

/// A colour of css/base.css for a canvas: '--c0'.
export const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// Light where high, dark where low, even in lightness, so that it also reads in grey. t in [0, 1].
export function sequential(t) {
  const at = Math.min(1, Math.max(0, Number.isFinite(t) ? t : 0));
  return `oklch(${(0.28 + 0.64 * at).toFixed(3)} ${(0.14 - 0.05 * Math.sin(Math.PI * at)).toFixed(3)} ${(305 - 200 * at).toFixed(1)})`;
}

const isCategory = parameter => parameter.type === 'choice' || parameter.type === 'levels';

/// Where a parameter's values lie: evenly on its own scale.
export function parameterScale(parameter, range) {
  if (isCategory(parameter)) return d3.scalePoint(parameter.values.map(String), range).padding(parameter.values.length > 1 ? 0.25 : 0.5);
  const scale = parameter.scale === 'log' ? d3.scaleLog() : d3.scaleLinear();
  return scale.domain([parameter.low, parameter.high]).range(range);
}

export const position = (scale, value) => (scale.bandwidth || scale.step ? scale(String(value)) : scale(value));

const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

/// An axis with few, short labels; `bare` leaves out its lines.
export function axis(side, scale, ticks, {grid = 0, words = 14} = {}) {
  const made = d3[`axis${side}`](scale)
    .tickSizeOuter(0)
    .tickPadding(6)
    .tickSizeInner(grid ? -grid : 4);
  if (scale.step) return made.tickFormat(text => shorten(text, words)).tickValues(thin(scale.domain(), ticks));
  const label = value => number(value, 4);
  return made.ticks(ticks).tickFormat(scale.base ? scale.tickFormat(ticks, label) : label); // a log axis leaves out what would be crowded
}

const thin = (list, most) => list.filter((_, k) => k % Math.ceil(list.length / Math.max(1, most)) === 0);

/// Both axes of a rectangular plot with the names along them.
export function axes(drawing, {x, y, box, xName = '', yName = '', rem, grid = true}) {
  const wide = box.right - box.left,
    tall = box.bottom - box.top;
  const place = (side, scale, transform, ticks, options) =>
    d3.select(drawing.appendChild(svg('g', {transform}))).call(axis(side, scale, ticks, options));
  place('Bottom', x, `translate(0 ${box.bottom})`, Math.max(2, wide / (5 * rem)));
  place('Left', y, `translate(${box.left} 0)`, Math.max(2, tall / (2.6 * rem)), {grid: grid ? wide : 0, words: 8});
  if (xName)
    drawing.append(
      svg(
        'text',
        {class: 'axis-name', x: box.right, y: box.bottom + 2.5 * rem, 'text-anchor': 'end'},
        shorten(xName, Math.floor(wide / (0.45 * rem)))
      )
    );
  if (yName)
    drawing.append(svg('text', {class: 'axis-name', x: 0, y: 0.75 * rem}, shorten(yName, Math.floor((wide + box.left) / (0.45 * rem)))));
}
