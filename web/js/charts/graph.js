// SPDX-License-Identifier: Apache-2.0
// The interaction graph: a dot for each parameter, a line for each pair that may act together, thicker the more probable; groups that
// were found are underlaid. Laid out by d3's forces from where the dots were, so that what is learned later moves little.
import {svg} from '../dom.js';
import {percent} from '../format.js';
import {frame} from './frame.js';
import {hideTip, showTip} from './tip.js';

/// input() gives {names, pair_probability, groups, found, threshold}; onPoint(index or -1) hears what is pointed at.
export function interactionGraph({input, onPoint, signal}) {
  const places = new Map(); // name -> {x, y} in [-1, 1], kept between drawings
  const chart = frame({
    label: 'Interaction graph',
    height: 24,
    class: 'graph',
    signal,
    draw: area => drawGraph(area, input(), places, onPoint),
  });
  return chart;
}

export const groupColor = (groups, name) => {
  const many = groups.filter(group => group.length > 1);
  const k = many.findIndex(group => group.includes(name));
  return k < 0 ? 'alone' : `c${k % 8}`;
};

function layOut(names, links, groups, places) {
  const nodes = names.map((name, k) => {
    const angle = 2.4 * k,
      radius = 0.12 * Math.sqrt(k + 0.5);
    return {name, ...(places.get(name) ?? {x: radius * Math.cos(angle), y: radius * Math.sin(angle)})};
  });
  const together = groups.flatMap(group =>
    group.flatMap((a, i) => group.slice(i + 1).map(b => ({source: a, target: b, value: 1, hidden: true})))
  );
  d3.forceSimulation(nodes)
    .stop()
    .alpha(places.size ? 0.3 : 1)
    .force(
      'links',
      d3
        .forceLink([...links.map(one => ({...one})), ...together])
        .id(node => node.name)
        .distance(0.16)
        .strength(one => (one.hidden ? 0.35 : 0.5 * one.value ** 2))
    )
    .force('apart', d3.forceManyBody().strength(-0.012).distanceMin(0.05))
    .force('x', d3.forceX(0).strength(0.07))
    .force('y', d3.forceY(0).strength(0.09))
    .force('room', d3.forceCollide(0.07))
    .tick(places.size ? 60 : 250);
  for (const {name, x, y} of nodes) places.set(name, {x, y});
  return nodes;
}

function drawGraph({svg: drawing, width, height, rem}, {names, pair_probability: pairs, groups, found, threshold}, places, onPoint) {
  const links = [];
  names.forEach((a, i) =>
    names.slice(0, i).forEach((b, j) => {
      if (pairs[i]?.[j] >= threshold) links.push({source: a, target: b, value: pairs[i][j]});
    })
  );
  const shownGroups = found ? groups.filter(group => group.length > 1) : [];
  const nodes = layOut(names, links, shownGroups, places);
  const across = d3.extent(nodes, node => node.x),
    down = d3.extent(nodes, node => node.y);
  const room = (1.4 + 0.45 * Math.min(16, Math.max(...names.map(name => name.length)))) * rem; // for a name on either side
  const x = d3.scaleLinear(across[0] === across[1] ? [across[0] - 1, across[0] + 1] : across, [room, width - room]);
  const y = d3.scaleLinear(down[0] === down[1] ? [down[0] - 1, down[0] + 1] : down, [1.6 * rem, height - 1.6 * rem]);
  const at = new Map(nodes.map(node => [node.name, [x(node.x), y(node.y)]]));

  for (const group of shownGroups)
    drawing.append(svg('path', {class: `hull fill-${groupColor(groups, group[0])}`, d: hull(group.map(name => at.get(name)))}));
  const edges = links.map(one => {
    const [[x1, y1], [x2, y2]] = [at.get(one.source), at.get(one.target)];
    return [
      one,
      drawing.appendChild(
        svg('line', {class: 'edge', x1, y1, x2, y2, 'stroke-width': 0.6 + 3.4 * one.value, 'stroke-opacity': 0.15 + 0.75 * one.value})
      ),
    ];
  });
  const dots = nodes.map(node => {
    const [cx, cy] = at.get(node.name);
    const partners = links.filter(one => one.source === node.name || one.target === node.name).sort((a, b) => b.value - a.value);
    // The name stands on the side away from the partners, where no line runs.
    const middle = d3.mean(partners, one => at.get(one.source === node.name ? one.target : one.source)[0]);
    const side = middle > cx ? -1 : 1;
    const dot = svg(
      'g',
      {class: 'node'},
      svg('circle', {cx, cy, r: names.length > 40 ? 5 : 7, class: `fill-${found ? groupColor(groups, node.name) : 'alone'}`}),
      svg(
        'text',
        {x: cx + side * 10, y: cy + 4, 'text-anchor': side < 0 ? 'end' : 'start'},
        node.name.length > 16 ? node.name.slice(0, 15) + '…' : node.name
      )
    );
    dot.addEventListener('pointermove', event =>
      showTip(
        event.clientX,
        event.clientY,
        [
          node.name,
          ...partners.slice(0, 8).map(one => `with ${one.source === node.name ? one.target : one.source}: ${percent(one.value)}`),
        ].join('\n')
      )
    );
    dot.addEventListener('pointerenter', () => {
      dim(node.name);
      onPoint(names.indexOf(node.name));
    });
    dot.addEventListener('pointerleave', () => {
      dim(null);
      hideTip();
      onPoint(-1);
    });
    drawing.append(dot);
    return [node.name, dot];
  });
  const dim = name => {
    const near = new Set([name, ...links.flatMap(one => (one.source === name ? one.target : one.target === name ? one.source : []))]);
    for (const [one, line] of edges) line.classList.toggle('dim', name !== null && one.source !== name && one.target !== name);
    for (const [other, dot] of dots) dot.classList.toggle('dim', name !== null && !near.has(other));
  };
}

/// The outline of a group's dots; its broad, round stroke does the rest.
function hull(points) {
  const outline = points.length > 2 ? convex(points) : points;
  return `M${outline.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

/// Andrew's monotone chain.
function convex(points) {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const half = list => {
    const chain = [];
    for (const point of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.slice().reverse())];
}
