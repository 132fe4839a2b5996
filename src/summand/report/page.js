// The script of a report: what each point of a plot says, tables that sort, and the table of all trials. Text of the study
// is only ever put into text nodes, never read as markup.
'use strict';
(() => {
  const study = JSON.parse(document.getElementById('study').textContent);
  const states = ['waiting', 'running', 'lost', 'completed', 'failed', 'abandoned'];
  const trials = study.trials.map(([id, state, value, seconds, reason, values, also = []]) =>
    ({id, state: states[state], value, seconds, reason, values, also}));
  const byId = new Map(trials.map(trial => [trial.id, trial]));

  const short = (number, digits = 6) => number === null ? '' : String(Number.isInteger(number) ? number : +number.toPrecision(digits));
  const parameterText = (trial, j) => {
    if (!trial.values) return '';
    const value = trial.values[j], words = study.parameters[j].words;
    return words ? words[value] ?? '' : short(value);
  };
  const firstLine = text => text.split('\n')[0];
  const heading = trial => `trial ${trial.id}: ` +
    (trial.value !== null ? short(trial.value) : trial.state + (trial.reason ? ', ' + firstLine(trial.reason) : ''));
  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  // ── What a point says ──────────────────────────────────────────────────────────────────────────────────────────────
  const tip = element('div', '', 'tip'), ring = element('div', '', 'ring');
  document.body.append(tip, ring);
  let pointed = null;  // the line, of parallel coordinates, under the pointer

  const trialText = trial => {
    const most = 12, lines = study.order.slice(0, most).map(j => `${study.parameters[j].name} = ${parameterText(trial, j)}`);
    if (study.order.length > most) lines.push(`and ${study.order.length - most} more`);
    const also = study.measures.map((name, k) => `${name}: ${short(trial.also[k] ?? null)}`);
    return [heading(trial), ...also, ...(trial.values ? lines : [])].join('\n');
  };

  // Reads once where a path's points lie ("Mx yh0" each) and what they are.
  const read = new WeakMap();
  const pointsOf = path => {
    if (!read.has(path)) {
      const lists = {at: [...path.getAttribute('d').matchAll(/M(\S+) (\S+?)h0/g)].map(m => [+m[1], +m[2]])};
      if (path.dataset.ids) lists.ids = path.dataset.ids.split(' ').map(Number);
      else lists.tips = path.dataset.tips.split('\n');
      read.set(path, lists);
    }
    return read.get(path);
  };
  const told = (lists, k) => lists.ids ? {id: lists.ids[k]} : {text: lists.tips[k]};

  const nearestPoint = (svg, x, y) => {
    let found = null, least = 16;
    for (const path of svg.querySelectorAll('path[data-ids],path[data-tips]')) {
      const m = path.getScreenCTM(), lists = pointsOf(path);
      lists.at.forEach(([px, py], k) => {
        const cx = m.a * px + m.e, cy = m.d * py + m.f, distance = Math.hypot(cx - x, cy - y);
        if (distance < least) [least, found] = [distance, {x: cx, y: cy, ...told(lists, k)}];
      });
    }
    return found;
  };

  const nearestLine = (svg, x, y) => {
    let found = null, least = 10;
    for (const line of svg.querySelectorAll('polyline[data-ids]')) {
      const m = line.getScreenCTM();
      if (!read.has(line)) read.set(line, line.getAttribute('points').split(' ').map(p => p.split(',').map(Number)));
      const points = read.get(line).map(([px, py]) => [m.a * px + m.e, m.d * py + m.f]);
      const k = points.findIndex((p, i) => i > 0 && points[i - 1][0] <= x && x <= p[0]);
      if (k < 0) continue;
      const [[ax, ay], [bx, by]] = [points[k - 1], points[k]];
      const at = ay + (by - ay) * (x - ax) / (bx - ax), distance = Math.abs(at - y);
      if (distance <= least) [least, found] = [distance, {x, y: at, id: +line.dataset.ids, line}];
    }
    return found;
  };

  // The index of the number next to `value`; -1 if it lies beyond the ends by more than half a step.
  const indexOf = (numbers, value) => {
    let best = 0;
    numbers.forEach((n, i) => { if (Math.abs(n - value) < Math.abs(numbers[best] - value)) best = i; });
    const step = numbers.length > 1 ? Math.abs(numbers[best] - numbers[best > 0 ? best - 1 : 1]) : 1e9;
    return Math.abs(numbers[best] - value) <= Math.max(step, 2) ? best : -1;
  };

  const onMap = (svg, x, y) => {
    for (const map of svg.querySelectorAll('path[data-z]')) {
      const m = map.getScreenCTM(), d = map.dataset;
      const column = indexOf(d.x.split(' ').map(Number), (x - m.e) / m.a), row = indexOf(d.y.split(' ').map(Number), (y - m.f) / m.d);
      if (column < 0 || row < 0) continue;
      const columns = d.columns.split('\n'), digits = d.z.substr(2 * (row * columns.length + column), 2);
      const z = digits === '--' ? 'none' : short(+d.low + (d.high - d.low) * parseInt(digits, 36) / 1295, 3);
      const words = {x: columns[column], y: d.rows.split('\n')[row], z};
      return {text: d.text.replace(/\{([xyz])\}/g, (_, k) => words[k])};
    }
    return null;
  };

  const show = (found, x, y) => {
    if (pointed) pointed.classList.remove('pointed');
    pointed = found && found.line || null;
    if (pointed) pointed.classList.add('pointed');
    tip.style.visibility = found ? 'visible' : 'hidden';
    ring.style.visibility = found && found.x !== undefined && !found.line ? 'visible' : 'hidden';
    if (!found) return;
    tip.textContent = found.text ?? (byId.has(found.id) ? trialText(byId.get(found.id)) : `trial ${found.id}`);
    ring.style.left = found.x + 'px';
    ring.style.top = found.y + 'px';
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, x + 16 + box.width < innerWidth ? x + 16 : x - 16 - box.width) + 'px';
    tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - box.height - 4)) + 'px';
  };

  for (const title of document.querySelectorAll('svg title')) {  // one kind of tip, at once and on a touch
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const foundAt = event => {
    const svg = event.target.closest && event.target.closest('svg[role=img]');
    if (!svg) return null;
    const near = nearestPoint(svg, event.clientX, event.clientY) ?? nearestLine(svg, event.clientX, event.clientY);
    if (near) return near;
    const own = event.target.closest('[data-tip]');
    return own ? {text: own.dataset.tip} : onMap(svg, event.clientX, event.clientY);
  };
  for (const kind of ['pointermove', 'pointerdown'])
    document.addEventListener(kind, event => show(foundAt(event), event.clientX, event.clientY), {passive: true});
  document.addEventListener('scroll', () => show(null), {passive: true});
  document.addEventListener('click', event => {
    const found = foundAt(event);
    if (found && found.id !== undefined) location.hash = 'trial-' + found.id;
  });

  // ── Tables that sort ───────────────────────────────────────────────────────────────────────────────────────────────
  const ordered = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1;
  const turn = th => {  // the direction after a click on this heading
    const up = th.dataset.up !== '1';
    for (const other of th.parentNode.cells) delete other.dataset.up;
    th.dataset.up = up ? '1' : '0';
    return up ? 1 : -1;
  };
  for (const table of document.querySelectorAll('table.sortable'))
    table.tHead.addEventListener('click', event => {
      const th = event.target.closest('th');
      if (!th) return;
      const sign = turn(th), key = row => {
        const text = row.cells[th.cellIndex].textContent.trim(), number = parseFloat(text);
        return isNaN(number) ? text : number;
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => sign * ordered(key(a), key(b))));
    });

  // ── All trials ─────────────────────────────────────────────────────────────────────────────────────────────────────
  const place = document.getElementById('all-trials');
  if (!place) return;
  const page = 50, mostColumns = 8;
  const columns = [
    {name: 'trial', key: t => t.id, number: true},
    {name: 'state', key: t => t.state},
    {name: 'value', key: t => t.value, text: t => short(t.value), number: true},
    {name: 'seconds', key: t => t.seconds, text: t => short(t.seconds, 3), number: true},
    ...study.measures.map((name, k) => ({name, key: t => t.also[k] ?? null, text: t => short(t.also[k] ?? null), number: true})),
    ...study.parameters.map((parameter, j) => ({
      name: parameter.name, parameter: j, number: !parameter.words,
      key: t => parameter.words || !t.values ? parameterText(t, j) : t.values[j],
      text: t => parameter.words || !t.values ? parameterText(t, j) : short(t.values[j], 4)})),
    {name: 'cause', key: t => t.reason, text: t => firstLine(t.reason)},
  ];
  const some = new Set(study.order.slice(0, mostColumns)), failures = trials.some(t => t.reason);
  const shownColumns = columns.filter(c => (c.parameter === undefined || some.has(c.parameter)) && (c.name !== 'cause' || failures || c.parameter !== undefined));

  const better = (a, b) => a.value === null || b.value === null ? (a.value === null) - (b.value === null) || a.id - b.id
                                                                : (study.goal === 'maximize' ? b.value - a.value : a.value - b.value) || a.id - b.id;
  let order = better, shown = page, open = new Set();

  // "failed", "x>0.5 solver=adam": all words must hold. A word with a sign compares a column, others are looked for.
  const matcher = words => {
    const tests = words.split(/\s+/).filter(Boolean).map(word => {
      const parts = word.match(/^(.+?)(<=|>=|!=|<|>|=)(.+)$/), column = parts && columns.find(c => c.name === parts[1]);
      if (column) {
        const sign = parts[2], wanted = isNaN(parts[3]) ? parts[3] : +parts[3];
        return trial => {
          const key = column.key(trial);
          if (key === null || key === '') return false;
          if (sign === '=') return key == wanted;
          if (sign === '!=') return key != wanted;
          return sign[0] === '<' ? key < wanted || (sign === '<=' && key == wanted) : key > wanted || (sign === '>=' && key == wanted);
        };
      }
      const low = word.toLowerCase();
      return trial => columns.some(c => !c.number && String(c.key(trial)).toLowerCase().includes(low)) || String(trial.id) === word;
    });
    return trial => tests.every(test => test(trial));
  };

  const form = element('div', undefined, 'filter'), input = element('input'), count = element('span');
  input.type = 'search';
  input.setAttribute('aria-label', 'Filter the trials');
  const example = study.parameters.find(p => !p.words);
  input.placeholder = 'filter: failed, value>1' + (example ? `, ${example.name}<0.5` : '');
  form.append(input, count);
  const scroll = element('div', undefined, 'scroll'), table = element('table', undefined, 'sortable'), more = element('button', 'Show more');
  more.type = 'button';
  const headRow = table.createTHead().insertRow(), body = table.createTBody();
  for (const column of shownColumns) headRow.append(element('th', column.name, column.number ? 'n' : ''));
  scroll.append(table);
  const rest = study.parameters.length - mostColumns;
  place.replaceChildren(
    element('p', 'A click on a heading sorts; a click on a trial shows ' + (rest > 0 ? `its other ${rest} parameters and ` : '') +
                 'what its program wrote.', 'lead'), form, scroll, more);

  const details = trial => {
    const row = element('tr', undefined, 'details'), cell = row.insertCell(), list = element('dl');
    cell.colSpan = shownColumns.length;
    study.parameters.forEach((parameter, j) => {
      const item = element('div');
      item.append(element('dt', parameter.name), element('dd', parameterText(trial, j)));
      list.append(item);
    });
    cell.append(trial.values ? list : element('p', 'Its parameters are not on this page, to keep it small.'));
    if (trial.reason) cell.append(element('pre', trial.reason));
    if (study.logs[trial.id]) cell.append(element('p', 'The end of what its program wrote:'), element('pre', study.logs[trial.id]));
    const all = element('p', 'All of it: ');
    all.append(element('code', `summand trials ${study.source} ${trial.id} --log`));
    cell.append(all);
    return row;
  };
  const draw = () => {
    const kept = trials.filter(matcher(input.value)).sort(order);
    body.replaceChildren();
    for (const trial of kept.slice(0, shown)) {
      const row = element('tr', undefined, 'trial');
      row.dataset.id = trial.id;
      for (const column of shownColumns) {
        const text = column.text ? column.text(trial) : column.key(trial);
        const plain = column.number || column.name === 'state';  // others may be long: they wrap
        const cell = element('td', plain ? text : undefined, column.number ? 'n' : column.name === 'state' ? `state ${text}` : '');
        if (!plain) cell.append(element('span', text, 'word'));
        row.append(cell);
      }
      body.append(row);
      if (open.has(trial.id)) row.classList.add('open'), body.append(details(trial));
    }
    count.textContent = kept.length === trials.length ? `${trials.length} trials` : `${kept.length} of ${trials.length} trials`;
    more.hidden = kept.length <= shown;
  };
  input.addEventListener('input', () => { shown = page; draw(); });
  more.addEventListener('click', () => { shown += 4 * page; draw(); });
  headRow.addEventListener('click', event => {
    const th = event.target.closest('th');
    if (!th) return;
    const key = shownColumns[th.cellIndex].key, sign = turn(th), empty = v => v === null || v === '';
    order = (a, b) => empty(key(a)) - empty(key(b)) || sign * ordered(key(a), key(b)) || a.id - b.id;
    draw();
  });
  body.addEventListener('click', event => {
    const row = event.target.closest('tr.trial');
    if (!row) return;
    const id = +row.dataset.id;
    if (!open.delete(id)) open.add(id);
    draw();
  });
  const follow = () => {  // "#trial-17", from a point or a link
    const wanted = location.hash.match(/^#trial-(\d+)$/);
    if (!wanted) return;
    input.value = 'trial=' + wanted[1];
    open.add(+wanted[1]);
    draw();
    document.getElementById('trials').scrollIntoView();
  };
  addEventListener('hashchange', follow);
  draw();
  follow();
})();
