// SPDX-License-Identifier: Apache-2.0
// A real table: caption, headings that sort with a button, rows that can be replaced without losing the keyboard's place.
import {fill, h} from './dom.js';

/// columns: [{key, label, cell(row) -> node or text, align: 'right', sort: true, class, title}]. onSort(key, descending) is told of a
/// wish to sort; who owns the rows sorts them and calls update(rows, {key, descending}).
export function table({caption, columns, empty = 'Nothing here', onSort = null, class: className = ''}) {
  const headings = h('tr');
  const body = h('tbody');
  const element = h('table', {class: className}, h('caption', {class: 'unseen'}, caption), h('thead', {}, headings), body);
  let order = {key: null, descending: false};

  const heading = column => {
    const sorted = order.key === column.key ? (order.descending ? 'descending' : 'ascending') : null;
    const mark = sorted === null ? '' : order.descending ? ' ↓' : ' ↑';
    const turn = () => onSort(column.key, order.key === column.key ? !order.descending : column.descendingFirst === true);
    return h(
      'th',
      {scope: 'col', class: cellClass(column), 'aria-sort': sorted, title: column.title},
      column.sort && onSort
        ? h('button', {type: 'button', class: 'sort', 'data-focus': `sort ${column.key}`, onclick: turn}, column.label + mark)
        : column.label
    );
  };
  const line = row =>
    h(
      'tr',
      {},
      columns.map((column, k) => {
        const content = column.cell(row);
        return k === 0 ? h('th', {scope: 'row', class: cellClass(column)}, content) : h('td', {class: cellClass(column)}, content);
      })
    );
  const update = (rows, sorted = order) => {
    order = sorted;
    fill(headings, columns.map(heading));
    fill(body, rows.length ? rows.map(line) : h('tr', {}, h('td', {colspan: columns.length, class: 'none'}, empty)));
  };
  update([]);
  return {element: h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption}, element), update};
}

const cellClass = column => [column.align === 'right' ? 'n' : '', column.class ?? ''].join(' ').trim() || null;
