// SPDX-License-Identifier: Apache-2.0
// One trial: its values, what its program wrote, the command to repeat it, a link to it.
import {enqueue, actionButton, trialActions} from '../actions.js';
import {get} from '../api.js';
import {open} from '../dialog.js';
import {copyable, copyButton, fill, h} from '../dom.js';
import {clock, duration, now, number} from '../format.js';
import {studyLink} from '../route.js';
import {track} from '../track.js';

/// Opens a dialog; onClose(dialog) when it was closed. The dialog has the trial's id as `trial`, and close().
export function openTrialDialog(feed, id, onClose) {
  const body = h('div', {class: 'body'}, h('p', {class: 'muted'}, 'Loading …'));
  const controller = new AbortController();
  let timer;
  const handle = {trial: id, close: () => element.close()};
  const element = open({
    title: `Trial ${id}`,
    content: body,
    class: 'trial',
    onClose: () => {
      controller.abort();
      clearTimeout(timer);
      onClose(handle);
    },
  });

  let shown = '';
  const live = liveLog();
  const load = async () => {
    try {
      const trial = await get(feed.at('trials', id), {}, controller.signal);
      const running = trial.attempts.find(({outcome}) => outcome === 'running');
      trial.attempts = trial.attempts.filter(attempt => attempt !== running);
      const text = JSON.stringify(trial);
      if (text !== shown) fill(body, content(feed, trial, live.element)); // else whoever reads a log keeps the place
      shown = text;
      live.update(running);
      clearTimeout(timer);
      if (trial.state === 'running') timer = setTimeout(load, 3000); // what its program writes is no event
    } catch (error) {
      if (!controller.signal.aborted) fill(body, h('p', {class: 'problem', role: 'alert'}, error.message));
    }
  };
  let last = JSON.stringify(feed.study.counts);
  feed.addEventListener(
    'trials',
    () => {
      const counts = JSON.stringify(feed.study.counts);
      if (counts !== last) load();
      last = counts;
    },
    {signal: controller.signal}
  );
  load();
  return handle;
}

function content(feed, trial, log) {
  const address = location.origin + location.pathname + studyLink(feed.name, 'overview', {trial: trial.id});
  return [
    h(
      'div',
      {class: 'buttons'},
      h('span', {class: `badge ${trial.state}`}, trial.state),
      trial.late && h('span', {class: 'badge'}, 'late answer'),
      trialActions(feed, trial),
      actionButton('Enqueue one like it', () => enqueue(feed, trial.parameters)),
      copyButton(address, 'Copy the link')
    ),
    facts(trial),
    log,
    h(
      'section',
      {},
      h('h3', {}, 'Parameters'),
      h(
        'div',
        {class: 'halves'},
        halves(feed.study.parameters).map(part => parameterTable(part, trial.parameters))
      )
    ),
    trial.command && h('section', {}, h('h3', {}, 'Run it again by hand'), copyable(trial.command, 'Command that runs this trial')),
    answers('Earlier answers, which no longer count', trial.earlier_answers),
    answers('Answers that came late', trial.late_answers),
    ...trial.attempts.map(attemptLog).reverse(),
  ];
}

function facts(trial) {
  const running = trial.state === 'running' || trial.state === 'lost';
  const end = trial.ended_at ?? (running ? now() : null);
  const lines = [
    ['Value', trial.value === null ? null : number(trial.value, 10)],
    ...Object.entries(trial.also).map(([name, value]) => [name, number(value, 8)]),
    ['Reason', trial.reason || null],
    ['Worker', trial.worker || null],
    ['Attempt', trial.attempt > 1 ? String(trial.attempt) : null],
    ['Started', trial.started_at ? clock(trial.started_at) : null],
    ['Took', trial.started_at && end ? duration(end - trial.started_at) + (running ? ' so far' : '') : null],
    ['Origin', trial.added ? 'added by the user' : trial.ask < 0 ? 'enqueued' : `batch ${trial.ask + 1}`],
  ];
  return h(
    'dl',
    {class: 'facts'},
    lines.filter(([, text]) => text !== null).map(([name, text]) => [h('dt', {}, name), h('dd', {}, text)])
  );
}

const halves = list => (list.length > 8 ? [list.slice(0, Math.ceil(list.length / 2)), list.slice(Math.ceil(list.length / 2))] : [list]);

export function parameterTable(parameters, values) {
  return h(
    'div',
    {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Parameters of the trial'},
    h(
      'table',
      {},
      h('caption', {class: 'unseen'}, 'Parameters of the trial'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Name', 'Value', 'In its range'].map((text, k) => h('th', {scope: 'col', class: k === 1 ? 'n' : null}, text))
        )
      ),
      h(
        'tbody',
        {},
        parameters.map(parameter =>
          h(
            'tr',
            {},
            h('th', {scope: 'row'}, parameter.name),
            h('td', {class: 'n'}, number(values[parameter.name], 6)),
            h('td', {}, track(parameter, values[parameter.name]))
          )
        )
      )
    )
  );
}

const answers = (title, list) =>
  list.length > 0 &&
  h(
    'section',
    {},
    h('h3', {}, title),
    h(
      'ul',
      {},
      list.map(({value, reason, at}) => h('li', {}, `${value === null ? reason || 'failed' : number(value, 8)}, ${clock(at)}`))
    )
  );

/// What a running program has written so far. Whoever is at its end stays there, whoever has scrolled back stays where they are.
function liveLog() {
  const head = h('h3', {});
  const streams = ['Output', 'Errors'].map(title => {
    const text = h('pre', {tabindex: 0});
    return {text, element: h('div', {}, h('h3', {}, title), text)};
  });
  const element = h('section', {class: 'log', hidden: true}, head, ...streams.map(stream => stream.element));
  const show = ({text, element: place}, written) => {
    place.hidden = written === '';
    if (text.textContent === written) return;
    const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 8;
    text.textContent = written;
    if (atEnd) text.scrollTop = text.scrollHeight;
  };
  const update = running => {
    element.hidden = !running;
    if (!running) return;
    head.textContent = `Attempt ${running.attempt} so far (${clock(running.ended_at)})`;
    show(streams[0], running.output);
    show(streams[1], running.error);
  };
  return {element, update};
}

function attemptLog({attempt, worker, outcome, output, error, started_at: started, ended_at: ended}) {
  const part = (title, text) => text !== '' && [h('h3', {}, title), h('pre', {tabindex: 0}, text)];
  const head = `Attempt ${attempt}: ${outcome}${worker ? `, on ${worker}` : ''}, ${duration(ended - started)}`;
  return h(
    'section',
    {class: 'log'},
    h('h3', {}, head),
    part('Output', output),
    part('Errors', error),
    output === '' && error === '' && h('p', {class: 'muted small'}, 'It wrote nothing.')
  );
}
