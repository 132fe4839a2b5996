// SPDX-License-Identifier: Apache-2.0
// Who is looking: the token, and whether it may write.
import {get, setToken, token} from './api.js';
import {field, openForm} from './dialog.js';
import {h, notify} from './dom.js';
import {setClock} from './format.js';

/// What the server said of itself and of us.
export const server = {version: '', mayWrite: false, known: false};

export async function meetServer() {
  const answer = await get('/');
  Object.assign(server, {version: answer.version, mayWrite: answer.may_write, known: true});
  setClock(answer.now);
  showAccess();
}

export function showAccess() {
  const button = document.getElementById('access');
  button.textContent = !server.known ? 'Enter a token' : server.mayWrite ? 'May write' : 'Read only';
  button.title = server.mayWrite ? 'You may pause, resume, enqueue and change budgets' : 'To act on studies, enter a token that may write';
}

/// Asks for the token and tries it at once; `again` shows the page anew.
export function askForToken(again) {
  const input = h('input', {type: 'password', autocomplete: 'off', spellcheck: 'false', value: token()});
  openForm({
    title: 'Access',
    text: 'The token of this server, from the person who started it. It stays in this tab and is forgotten when the tab is closed. Leave it empty to go without one.',
    fields: [field('Token', input)],
    button: 'Use it',
    run: async () => {
      const before = token();
      setToken(input.value.trim());
      try {
        await meetServer();
      } catch (error) {
        setToken(before);
        throw error;
      }
      notify(server.mayWrite ? 'This token may write.' : 'This token may read.');
      again();
    },
  });
}
