// SPDX-License-Identifier: Apache-2.0
// One study, kept up to date by the server's events. It tells its listeners
//   'study'     counts, best, budget or settings are new
//   'progress'  there are new values
//   'trials'    some trial began, ended or changed
import {get, path} from './api.js';
import {better} from './format.js';
import {follow} from './live.js';
import {throttle} from './throttle.js';

const sleep = milliseconds =>
  new Promise(done => {
    setTimeout(done, milliseconds);
  });

export class StudyFeed extends EventTarget {
  #stop = () => {};
  #known = new Map(); // trial -> its value in the progress
  #stale = false; // the progress must be read again: history changed, not only grew
  #ended = new AbortController();
  #connected = null;
  #changed;

  constructor(name, onState, onError) {
    super();
    this.name = name;
    this.study = null;
    this.progress = null;
    this.#changed = throttle(() => this.#settle(), 700, this.#ended.signal);
    this.onState = onState;
    this.onError = onError;
  }

  at(...parts) {
    return path('studies', this.name, ...parts);
  }

  async start() {
    this.#connected = new Promise(done => {
      this.#stop = follow(this.at('events'), {
        onState: this.onState,
        onEvent: (name, data) => (name === 'connected' ? done() : this.#hear(name, data)),
      });
    });
    this.study = await get(this.at(), {}, this.#ended.signal);
  }

  stop() {
    this.#ended.abort();
    this.#stop();
  }

  /// After the events have begun to come, so that no value falls between.
  async loadProgress() {
    await Promise.race([this.#connected, sleep(800)]);
    this.#stale = false;
    this.progress = await get(this.at('progress'), {}, this.#ended.signal);
    this.#known = new Map(this.progress.trials.map((trial, k) => [trial, this.progress.values[k]]));
    this.#tell('progress');
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }

  #hear(name, data) {
    if ((name === 'told' || name === 'added') && typeof data.value === 'number') this.#take(data);
    if (name === 'abandoned' || name === 'reopened') this.#stale = true;
    if (name === 'study') {
      this.study = {...this.study, ...data};
      this.#tell('study');
    }
    this.#changed();
  }

  #take(event) {
    if (!this.progress) return;
    const before = this.#known.get(event.trial);
    if (before === undefined) this.#append(event);
    else if (Math.abs(before - event.value) > 1e-5 * Math.abs(event.value)) this.#stale = true; // corrected; the list has six digits
  }

  #append({trial, value, at}) {
    const {trials, values, ended_at: ended, improvements} = this.progress;
    this.#known.set(trial, value);
    trials.push(trial);
    values.push(value);
    ended.push(at - this.study.created_at);
    const best = improvements.at(-1);
    if (!best || better(this.study.goal, value, best.value)) improvements.push({index: trials.length - 1, trial, value});
    this.#tell('progress');
  }

  /// After an action of ours: the answer is read, not waited for.
  async refresh() {
    try {
      this.study = await get(this.at(), {}, this.#ended.signal);
      this.#tell('study');
      this.#changed();
    } catch (error) {
      if (!this.#ended.signal.aborted) this.onError(error);
    }
  }

  async #settle() {
    try {
      this.#tell('trials');
      if (this.progress && this.#stale) await this.loadProgress();
    } catch (error) {
      if (!this.#ended.signal.aborted) this.onError(error);
    }
  }
}
