// SPDX-License-Identifier: Apache-2.0
// The filter of the trials table: words and comparisons become the API's query.
//   failed value<0.1 solver=adam   ->   {state: ['failed'], where: ['value<0.1', 'solver=adam']}

const states = ['waiting', 'running', 'lost', 'completed', 'failed', 'abandoned'];

/// Throws a sentence where something is neither a state nor a comparison. A text with spaces is put in quotes: "my name"<2
export function parseFilter(text) {
  const query = {state: [], where: []};
  for (const [part] of text.matchAll(/(?:"[^"]*"|\S)+/g)) {
    const plain = part.replaceAll('"', '');
    if (states.includes(plain)) query.state.push(plain);
    else if (/^.+?(<=|>=|!=|=|<|>).+$/.test(plain)) query.where.push(plain);
    else throw new Error(`“${plain}” is neither a state (${states.join(', ')}) nor a comparison such as value<0.1 or solver=adam.`);
  }
  return query;
}

export const quoted = name => (/\s/.test(name) ? `"${name}"` : name);
