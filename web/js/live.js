// SPDX-License-Identifier: Apache-2.0
// Server-sent events read with fetch, because EventSource cannot send a token. A hidden page lets go of its connection (browsers
// allow six for each server) and comes back with the last event's number, so nothing is missed.
import {address, failure, headers} from './api.js';

/// Calls onEvent(name, data) for each event and onState('live' | 'connecting' | 'lost'); returns how to stop.
export function follow(where, {onEvent, onState}) {
  let controller = null,
    lastId = null,
    stopped = false,
    failures = 0,
    timer = 0;

  const connect = async () => {
    if (stopped || document.hidden) return;
    const mine = (controller = new AbortController());
    onState(failures ? 'lost' : 'connecting');
    try {
      const more = lastId === null ? {} : {'Last-Event-ID': lastId};
      const response = await fetch(address(where), {
        headers: headers({Accept: 'text/event-stream', ...more}),
        signal: mine.signal,
        cache: 'no-store',
      });
      if (!response.ok) throw await failure(response);
      failures = 0;
      onState('live');
      onEvent('connected', null);
      await readEvents(response.body, (id, name, data) => {
        if (id !== null) lastId = id;
        if (!mine.signal.aborted) onEvent(name, data);
      });
    } catch (error) {
      if (error.status === 401 || error.status === 404) {
        onState('lost');
        return;
      } // trying again will not help
    }
    if (mine.signal.aborted || stopped) return;
    failures += 1;
    onState('lost');
    timer = setTimeout(connect, Math.min(15000, 500 * 2 ** failures));
  };
  const letGo = () => {
    clearTimeout(timer);
    controller?.abort();
  };
  const look = () => {
    letGo();
    if (!document.hidden) connect();
  };

  document.addEventListener('visibilitychange', look);
  connect();
  return () => {
    stopped = true;
    document.removeEventListener('visibilitychange', look);
    letGo();
  };
}

async function readEvents(body, handle) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) handleBlock(block, handle);
  }
}

function handleBlock(block, handle) {
  let id = null,
    name = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    const [, field, text] = line.match(/^(\w*): ?(.*)$/) ?? [];
    if (field === 'id') id = text;
    if (field === 'event') name = text;
    if (field === 'data') data.push(text);
  }
  if (data.length) handle(id, name, JSON.parse(data.join('\n')));
}
