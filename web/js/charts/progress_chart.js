// SPDX-License-Identifier: Apache-2.0
// Every value and the best so far, over trials or over time; or the regret on a log axis where the optimum is known.
import {better, count, duration, number} from '../format.js';
import {svg} from '../dom.js';
import {axes, color, frame} from './frame.js';
import {answering} from './tip.js';

/// input() gives {progress, goal, optimum}; options: {by: 'trial' | 'time', show: 'values' | 'half' | 'regret'}, read at each drawing.
export function progressChart({input, options, open, signal}) {
  const marks = {x: [], y: [], text: () => '', open: () => {}};
  const chart = frame({
    label: 'Values of the trials and the best so far',
    height: 24,
    focusable: true,
    signal,
    draw: area => drawProgress(area, input(), options, marks, chart, open),
  });
  if (chart.plot !== chart.element) answering(chart.plot, () => marks);
  return chart;
}

/// A long tail of bad values must not flatten the progress: the axis ends at the worst of the better 90 % where the rest is far away.
/// `share` < 1 ends it there in any case.
export function valueDomain(values, goal, share = 1) {
  const sorted = Float64Array.from(values).sort();
  if (goal === 'maximize') sorted.reverse(); // best first
  const best = sorted[0],
    worst = sorted.at(-1),
    kept = sorted[Math.floor(Math.min(0.9, share) * (sorted.length - 1))];
  const end = share < 1 ? kept : Math.abs(worst - best) > 2.5 * Math.abs(kept - best) && kept !== best ? kept + 0.1 * (kept - best) : worst;
  const pad = 0.04 * Math.abs(end - best) || Math.abs(best) * 0.1 || 1;
  return [Math.min(best, end) - pad, Math.max(best, end) + pad];
}

/// The best so far at each place of a list.
export function bestSoFar(values, goal) {
  const best = new Float64Array(values.length);
  values.forEach((value, k) => {
    best[k] = k && !better(goal, value, best[k - 1]) ? best[k - 1] : value;
  });
  return best;
}

const timeUnit = seconds =>
  seconds > 2 * 86400 ? ['days', 86400] : seconds > 2 * 3600 ? ['hours', 3600] : seconds > 120 ? ['minutes', 60] : ['seconds', 1];

function drawProgress({svg: drawing, context, width, height, rem}, {progress, goal, optimum}, {by, show}, marks, chart, open) {
  const box = {left: 3.6 * rem, right: width - 0.6 * rem, top: 1.4 * rem, bottom: height - 2.9 * rem};
  const {trials, ended_at: ended} = progress,
    n = trials.length;
  marks.x = [];
  marks.y = [];
  if (!n) return;
  const asRegret = show === 'regret' && optimum !== null;
  const shown = asRegret ? distances(progress.values, goal, optimum) : progress.values;
  const best = bestSoFar(shown, asRegret ? 'minimize' : goal);
  const [unit, seconds] = timeUnit(ended.at(-1));
  const at = by === 'time' ? ended.map(t => t / seconds) : trials.map((_, k) => k + 1);
  const x = d3.scaleLinear([0, Math.max(at.at(-1), 1)], [box.left, box.right]);
  const y = (
    asRegret
      ? d3.scaleLog(regretDomain(shown), [box.bottom, box.top])
      : d3.scaleLinear(valueDomain(shown, goal, show === 'half' ? 0.5 : 1), [box.bottom, box.top])
  ).clamp(true);
  axes(drawing, {
    x,
    y,
    box,
    rem,
    xName: by === 'time' ? `time / ${unit}` : 'trials that gave a value',
    yName: asRegret ? 'distance from the known optimum' : 'value',
  });

  const [low, high] = y.domain();
  let outside = 0;
  context.fillStyle = color('--c0');
  context.globalAlpha = Math.max(0.25, Math.min(0.8, 400 / n));
  const radius = n > 2000 ? 1.6 : 2.6;
  for (let k = 0; k < n; ++k) {
    const inside = shown[k] >= low && shown[k] <= high;
    marks.x.push(inside ? x(at[k]) : NaN);
    marks.y.push(inside ? y(shown[k]) : NaN);
    if (!inside) {
      outside += 1;
      continue;
    }
    context.beginPath();
    context.arc(marks.x[k], marks.y[k], radius, 0, 2 * Math.PI);
    context.fill();
  }
  drawing.append(svg('path', {class: 'best-line', d: stepPath(best, k => x(at[k]), y) + `H${box.right}`}));
  marks.text = k =>
    `trial ${trials[k]}: ${number(progress.values[k], 6)}\nbest so far ${number(asRegret ? undo(best[k], goal, optimum) : best[k], 6)}\nafter ${duration(ended[k])}`;
  marks.open = k => open(trials[k]);
  const where = goal === 'maximize' ? 'below' : 'above';
  chart.caption.textContent = outside ? `${count(outside, 'worse value')} ${where} the axis.` : '';
}

/// From the optimum; where noise or luck led beyond it, the smallest distance that has a logarithm stands for it.
function distances(values, goal, optimum) {
  const of = values.map(value => (goal === 'maximize' ? optimum - value : value - optimum));
  const least = of.reduce((found, distance) => (distance > 0 ? Math.min(found, distance) : found), Infinity);
  return of.map(distance => (distance > 0 ? distance : Number.isFinite(least) ? least : 1e-12));
}

const undo = (distance, goal, optimum) => (goal === 'maximize' ? optimum - distance : optimum + distance);

function regretDomain(values) {
  const low = values.reduce((a, b) => Math.min(a, b)),
    high = values.reduce((a, b) => Math.max(a, b));
  return [low / 1.4, Math.max(high, low * 10) * 1.1];
}

/// A staircase that only turns where the value changes, so ten thousand trials stay a short path.
export function stepPath(values, x, y) {
  let line = `M${x(0).toFixed(1)} ${y(values[0]).toFixed(1)}`;
  for (let k = 1; k < values.length; ++k) if (values[k] !== values[k - 1]) line += `H${x(k).toFixed(1)}V${y(values[k]).toFixed(1)}`;
  return line;
}
