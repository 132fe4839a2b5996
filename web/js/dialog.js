// SPDX-License-Identifier: Apache-2.0
// Modal dialogs on the browser's own <dialog>: it keeps the focus inside, closes on Escape and gives the focus back.
import {h} from './dom.js';

let counter = 0;

/// Opens a dialog and returns it. onClose is called once, however it was closed.
export function open({title, content, class: className = '', onClose = () => {}}) {
  const id = `dialog-${++counter}`;
  const element = h(
    'dialog',
    {'aria-labelledby': id, class: className},
    h(
      'header',
      {},
      h('h2', {id}, title),
      h('button', {type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => element.close()}, '×')
    ),
    content
  );
  element.addEventListener('click', event => {
    if (event.target === element) element.close();
  }); // the backdrop
  element.addEventListener('close', () => {
    element.remove();
    onClose();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/// A form in a dialog. `run` does the work; its error is shown as a sentence and the dialog stays.
export function openForm({title, text = null, fields = [], button, run, danger = false}) {
  const problem = h('p', {class: 'problem', role: 'alert'});
  const submit = h('button', {type: 'submit', class: danger ? 'danger' : 'primary'}, button);
  const form = h(
    'form',
    {},
    text && h('p', {}, text),
    fields,
    problem,
    h('footer', {}, h('button', {type: 'button', onclick: () => element.close()}, 'Cancel'), submit)
  );
  form.addEventListener('submit', async event => {
    event.preventDefault();
    submit.disabled = true;
    problem.textContent = '';
    try {
      await run();
      element.close();
    } catch (error) {
      problem.textContent = error.message;
    }
    submit.disabled = false;
  });
  const element = open({title, content: form});
  (form.querySelector('input, select, textarea') ?? submit).focus();
  return element;
}

/// A labelled control.
export const field = (label, control, hint) => h('label', {class: 'field'}, h('span', {}, label), control, hint && h('small', {}, hint));
