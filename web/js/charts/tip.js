// SPDX-License-Identifier: Apache-2.0
// What a mark says: under the pointer, on touch, and with the arrow keys, which also announce it.
import {announce, h, svg} from '../dom.js';

let tip = null;

export function showTip(x, y, text) {
  if (!tip) document.body.append((tip = h('div', {class: 'tip', 'aria-hidden': 'true'})));
  const place = document.querySelector('dialog[open]') ?? document.body; // above a modal dialog, if there is one
  if (tip.parentElement !== place) place.append(tip);
  tip.textContent = text;
  const {width, height} = tip.getBoundingClientRect();
  const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 12, innerHeight - height - 6))}px`;
  tip.style.visibility = 'visible';
}

export function hideTip() {
  if (tip) tip.style.visibility = 'hidden';
}

/// Points that answer. marks() gives {x: [], y: [], text(k), open(k)} in pixels of the plot; NaN is a point that is not shown.
export function answering(plot, marks) {
  let chosen = -1;
  const ring = svg('circle', {class: 'ring', r: 7});

  const say = k => {
    const {x, y, text} = marks();
    const box = plot.getBoundingClientRect();
    ring.setAttribute('cx', x[k]);
    ring.setAttribute('cy', y[k]);
    plot.querySelector('svg').append(ring);
    showTip(box.left + x[k], box.top + y[k], text(k));
  };
  const leave = () => {
    ring.remove();
    hideTip();
  };
  const nearest = event => {
    const box = plot.getBoundingClientRect(),
      {x, y} = marks();
    const px = event.clientX - box.left,
      py = event.clientY - box.top;
    let found = -1,
      least = 20 ** 2;
    for (let k = 0; k < x.length; ++k) {
      const distance = (x[k] - px) ** 2 + (y[k] - py) ** 2;
      if (distance <= least) [found, least] = [k, distance];
    }
    return found;
  };
  plot.addEventListener('pointermove', event => {
    const found = nearest(event);
    plot.style.cursor = found >= 0 ? 'pointer' : '';
    if (found >= 0) say(found);
    else leave();
  });
  plot.addEventListener('pointerleave', leave);
  plot.addEventListener('blur', leave);
  plot.addEventListener('click', event => {
    const found = nearest(event);
    if (found >= 0) {
      leave();
      marks().open(found);
    }
  });
  plot.addEventListener('keydown', event => {
    const {x, text, open} = marks(),
      last = x.length - 1;
    const steps = {ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20};
    if (event.key === 'Enter' && chosen >= 0 && chosen <= last) {
      leave();
      open(chosen);
      return;
    }
    if (event.key === 'Escape') {
      leave();
      return;
    }
    if (last < 0 || !(event.key in steps || event.key === 'Home' || event.key === 'End')) return;
    event.preventDefault();
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : chosen < 0 ? last : chosen + steps[event.key];
    chosen = Math.min(last, Math.max(0, next));
    say(chosen);
    announce(text(chosen));
  });
}
