// SPDX-License-Identifier: Apache-2.0
// The best so far of two studies on one pair of axes.
import {number} from '../format.js';
import {svg} from '../dom.js';
import {axes, frame} from './frame.js';
import {bestSoFar, stepPath, valueDomain} from './progress_chart.js';
import {hideTip, showTip} from './tip.js';

/// sides: [{study, progress}, ...]; options: {by: 'trial' | 'time'}
export function comparisonChart({sides, options, signal}) {
  const chart = frame({
    label: 'Best so far of two studies',
    height: 21,
    signal,
    draw: area => drawComparison(area, sides, options, chart.plot),
  });
  return chart;
}

function drawComparison({svg: drawing, width, height, rem}, sides, {by}, plot) {
  const curves = sides
    .filter(side => side.progress.values.length)
    .map(({study, progress}, k) => ({
      name: study.name,
      kind: k ? 'best-line' : 'other-line',
      best: bestSoFar(progress.values, study.goal),
      goal: study.goal,
      at: by === 'time' ? progress.ended_at.map(seconds => seconds / 60) : progress.values.map((_, index) => index + 1),
    }));
  if (!curves.length) return;
  const box = {left: 3.8 * rem, right: width - 0.8 * rem, top: 1.5 * rem, bottom: height - 2.9 * rem};
  const x = d3.scaleLinear([0, Math.max(...curves.map(curve => curve.at.at(-1)))], [box.left, box.right]);
  const domains = curves.map(curve => valueDomain(curve.best, curve.goal));
  const y = d3.scaleLinear([Math.min(...domains.map(d => d[0])), Math.max(...domains.map(d => d[1]))], [box.bottom, box.top]).clamp(true);
  axes(drawing, {x, y, box, rem, xName: by === 'time' ? 'minutes' : 'trials that gave a value', yName: 'best so far'});
  for (const {kind, best, at} of curves)
    drawing.append(svg('path', {class: kind, d: stepPath(best, k => x(at[k]), y) + `H${x(at.at(-1))}`}));
  plot.onpointermove = event => {
    const wanted = x.invert(event.clientX - plot.getBoundingClientRect().left);
    if (wanted < 0) {
      hideTip();
      return;
    }
    const line = ({name, at, best}) => {
      const k = d3.bisectRight(at, wanted) - 1;
      return `${name}: ${k < 0 ? '–' : number(best[k], 6)}`;
    };
    showTip(
      event.clientX,
      event.clientY,
      [by === 'time' ? `after ${number(wanted, 3)} min` : `after ${Math.floor(wanted)} trials`, ...curves.map(line)].join('\n')
    );
  };
  plot.onpointerleave = hideTip;
}
