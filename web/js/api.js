// SPDX-License-Identifier: Apache-2.0
// The server's API (apps/server/openapi.yaml): requests, the token, errors. The token lives in sessionStorage: it ends with the tab.

const root = '/api/v1';
const tokenKey = 'summand-token';

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const token = () => sessionStorage.getItem(tokenKey) ?? '';

export function setToken(text) {
  if (text) sessionStorage.setItem(tokenKey, text);
  else sessionStorage.removeItem(tokenKey);
}

/// path('studies', 'a/b') = '/studies/a%2Fb'
export const path = (...parts) => '/' + parts.map(encodeURIComponent).join('/');

export function headers(more = {}) {
  return token() ? {...more, Authorization: `Bearer ${token()}`} : more;
}

export const address = where => root + where;

export async function failure(response) {
  let message = `${response.status} ${response.statusText}`;
  try {
    message = (await response.json()).error.message;
  } catch {
    /* not the server's own words: a proxy's, say */
  }
  return new ApiError(response.status, message);
}

async function request(where, options) {
  let response;
  try {
    response = await fetch(root + where, {...options, headers: headers(options.headers), cache: 'no-store'});
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not answer. Is summand serve still running? The page tries again by itself.');
  }
  if (!response.ok) throw await failure(response);
  return response.status === 204 ? null : response.json();
}

/// Lists in a query become repeated keys; null and undefined are left out.
export function get(where, query = {}, signal = undefined) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== null && one !== undefined) search.append(key, one);
  return request(where + (search.size ? '?' + search : ''), {signal});
}

/// Each request has a key of its own, so the browser or a proxy that sends it twice changes nothing more.
export function send(method, where, body = undefined) {
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
  const json = body === undefined ? {} : {'Content-Type': 'application/json'};
  return request(where, {method, headers: {...json, 'Idempotency-Key': key}, body: body === undefined ? undefined : JSON.stringify(body)});
}
