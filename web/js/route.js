// SPDX-License-Identifier: Apache-2.0
// Addresses of views: #/study/NAME/explore?trial=17. Behind the #, so the server needs to know one page only.

export function route() {
  const [place, query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return {
    parts: place
      .split('/')
      .filter(part => part !== '')
      .map(decode),
    query: new URLSearchParams(query),
  };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function link(parts, query = {}) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== ''));
  return '#/' + parts.map(encodeURIComponent).join('/') + (search.size ? '?' + search : '');
}

/// The same view with another query; `replace` leaves no step in the browser's history.
export function changeQuery(changes, {replace = false} = {}) {
  const {parts, query} = route();
  const to = link(parts, {...Object.fromEntries(query), ...changes});
  if (replace) history.replaceState(null, '', to);
  else location.hash = to;
}

export const studyLink = (name, tab = 'overview', query = {}) => link(['study', name, tab], query);

/// Opens a trial over whatever is shown.
export const openTrial = id => changeQuery({trial: id});
