// SPDX-License-Identifier: Apache-2.0
// Elements from data. Text only ever becomes a text node or an attribute's value, never markup: names, reasons and logs are data.

const svgNamespace = 'http://www.w3.org/2000/svg';

function assign(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function')
      element.addEventListener(key.slice(2), value); // onclick
    else if (key === 'style') for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else element.setAttribute(key, value === true ? '' : value);
  }
}

const kept = child => child !== null && child !== undefined && child !== false;

/// h('button', {class: 'quiet', onclick: f}, 'Pause')
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  assign(made, attributes);
  made.append(...children.flat(2).filter(kept));
  return made;
}

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(svgNamespace, name);
  assign(made, attributes);
  made.append(...children.flat(2).filter(kept));
  return made;
}

/// Replaces what is in an element and leaves the keyboard where it was: elements that can be focused carry the same data-focus.
export function fill(element, ...children) {
  const active = document.activeElement;
  const key = active && element.contains(active) ? active.dataset.focus : undefined;
  element.replaceChildren(...children.flat(2).filter(kept));
  if (key === undefined) return;
  for (const candidate of element.querySelectorAll('[data-focus]'))
    if (candidate.dataset.focus === key) candidate.focus({preventScroll: true});
}

/// What assistive technology should say now.
export function announce(text) {
  document.getElementById('announcer').textContent = text;
}

/// A message at the edge of the page. Errors stay until they are closed.
export function notify(text, {bad = false} = {}) {
  const close = h('button', {type: 'button', class: 'quiet', 'aria-label': 'Close this message', onclick: () => box.remove()}, '×');
  const box = h('div', {class: bad ? 'message bad' : 'message'}, h('span', {}, text), close);
  document.getElementById('messages').append(box);
  if (!bad) setTimeout(() => box.remove(), 5000);
}

/// A text to take along, such as a command.
export const copyable = (text, label) =>
  h('div', {class: 'command'}, h('pre', {tabindex: 0, role: 'region', 'aria-label': label}, text), copyButton(text, 'Copy'));

export function copyButton(text, label = 'Copy') {
  const button = h('button', {type: 'button', class: 'quiet', onclick: () => copy(text, button)}, label);
  return button;
}

async function copy(text, button) {
  let copied = false;
  try {
    await navigator.clipboard.writeText(text);
    copied = true;
  } catch {
    // without TLS on another machine there is no clipboard interface; the old way still works
    const field = h('textarea', {class: 'unseen'}, text);
    button.parentElement.append(field);
    field.select();
    copied = document.execCommand('copy');
    field.remove();
    button.focus();
  }
  const before = button.textContent;
  button.textContent = copied ? 'Copied' : 'Select it by hand';
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}
