// SPDX-License-Identifier: Apache-2.0
// Numbers and times as people read them.

/// At most `digits` significant ones; powers of ten only where a plain number would be long.
export function number(value, digits = 5) {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9))
    return value
      .toExponential(Math.max(0, digits - 1))
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e');
  return String(+value.toPrecision(digits));
}

export const count = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export const percent = share => (share > 0 && share < 0.005 ? '< 1 %' : Math.round(100 * share) + ' %');

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 0.95) return Math.max(0, Math.round(1000 * seconds)) + ' ms';
  if (seconds < 59.5) return number(seconds, seconds < 10 ? 2 : 3) + ' s';
  if (seconds < 3570) return Math.round(seconds / 60) + ' min';
  if (seconds < 36 * 3600) return number(seconds / 3600, 3) + ' h';
  return number(seconds / 86400, 3) + ' days';
}

let ahead = 0; // seconds that the server's clock is ahead of this machine's

export const setClock = serverNow => {
  ahead = serverNow - Date.now() / 1000;
};
export const now = () => Date.now() / 1000 + ahead;

export const ago = at =>
  at === null || at === undefined ? 'never' : now() - at < 2 ? 'just now' : duration(Math.round(now() - at)) + ' ago';

export const clock = at => (at ? new Date(1000 * at).toLocaleString('en-GB', {dateStyle: 'medium', timeStyle: 'medium'}) : '–');

export const firstLine = text => text.split('\n', 1)[0];

/// Whether a is a better value than b.
export const better = (goal, a, b) => (goal === 'maximize' ? a > b : a < b);
