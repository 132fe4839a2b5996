#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_test.py SAMPLE: opens the sample pages in headless Chromium, wide and narrow, and asks them what they see.

No text in a plot may overlap another or stick out, the page may not be wider than the window and no table may be cut off in a wide
one; every point of every plot must say something under the pointer; tables must sort and filter, and a trial must show its log.
Exit status 77 (skipped) where there is no Chromium; .ci/run installs it.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]

# Names turned by 45 degrees have boxes that overlap though the letters do not, so they are only checked for sticking out.
PROBE = r"""<script>window.addEventListener('load', () => {
  const bad = new Set(), seen = {texts: 0, points: 0, lines: 0, maps: 0, bars: 0};
  const tip = document.querySelector('.tip');
  const says = (target, x, y) => {
    target.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: x, clientY: y}));
    return tip.style.visibility === 'visible' ? tip.textContent : '';
  };
  const middle = box => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  for (const svg of document.querySelectorAll('svg[role=img]')) {
    const frame = svg.getBoundingClientRect(), where = svg.getAttribute('aria-label') || svg.closest('section').id;
    if (frame.width === 0) continue;
    const all = [...svg.querySelectorAll('text')].map(t => ({text: t.textContent, box: t.getBoundingClientRect(),
                                                            turned: /rotate.-45/.test(t.getAttribute('transform') || '')}));
    seen.texts += all.length;
    all.forEach((a, i) => {
      if (a.box.left < frame.left - 1 || a.box.right > frame.right + 1 || a.box.top < frame.top - 1 || a.box.bottom > frame.bottom + 1)
        bad.add('sticks out: ' + a.text);
      for (const b of all.slice(0, i)) {
        const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (!a.turned && !b.turned && w > 1 && h > 3) bad.add('overlap in ' + where + ': ' + a.text + ' | ' + b.text);
      }
    });
    let told = 0;  // in this plot
    for (const path of svg.querySelectorAll('path[data-ids],path[data-tips]')) {
      const at = [...path.getAttribute('d').matchAll(/M(\S+) (\S+?)h0/g)], m = path.getScreenCTM();
      const named = path.dataset.ids ? path.dataset.ids.split(' ') : path.dataset.tips.split('\n');
      if (at.length !== named.length) bad.add(`${where}: ${at.length} points, ${named.length} names`);
      at.forEach((p, k) => {
        ++seen.points, ++told;
        if (at.length > 40 && k % Math.ceil(at.length / 40)) return;
        const text = says(path, m.a * p[1] + m.e, m.d * p[2] + m.f);
        if (!/\d/.test(text)) bad.add(`${where}: a point says "${text}"`);
      });
    }
    for (const line of svg.querySelectorAll('polyline[data-ids]')) {
      const [x, y] = line.getAttribute('points').split(' ')[1].split(','), m = line.getScreenCTM();
      ++seen.lines, ++told;
      if (!/^trial \d+: /.test(says(line, m.a * x + m.e - 0.1, m.d * y + m.f))) bad.add(where + ': a line says nothing');
    }
    for (const map of svg.querySelectorAll('path[data-z]')) {
      const [x, y] = [map.dataset.x, map.dataset.y].map(list => +list.split(' ').at(-1)), m = map.getScreenCTM();
      ++seen.maps, ++told;
      if (!/ = |: [\d.]/.test(says(map, m.a * x + m.e, m.d * y + m.f))) bad.add(where + ': a map says nothing');
    }
    for (const bar of svg.querySelectorAll('rect[data-tip]')) {
      ++seen.bars, ++told;
      if (!says(bar, ...middle(bar.getBoundingClientRect()))) bad.add(where + ': a bar says nothing');
    }
    if (!told) bad.add(where + ' says nothing anywhere');
  }
  if (document.documentElement.scrollWidth > window.innerWidth) bad.add('the page is wider than the window');
  if (window.innerWidth > 1100)
    for (const box of document.querySelectorAll('.scroll'))
      if (box.scrollWidth > box.clientWidth + 1) bad.add('a table is cut off in ' + box.closest('section').id);

  const place = document.getElementById('all-trials'), table = place.querySelector('table'), input = place.querySelector('input');
  const cells = k => [...table.querySelectorAll('tr.trial')].map(row => row.cells[k].textContent);
  const type = text => { input.value = text; input.dispatchEvent(new Event('input')); };
  table.tHead.rows[0].cells[0].click();
  if (cells(0).some((v, i, a) => i && +a[i - 1] > +v) || cells(0).length < 50) bad.add('a click does not sort the trials');
  type('failed');
  if (!cells(1).length || cells(1).some(v => v !== 'failed')) bad.add('a word does not filter the trials');
  type('trial>=10 trial<20 state=completed');
  if (!cells(0).length || cells(0).some(v => v < 10 || v >= 20)) bad.add('a comparison does not filter the trials');
  type('');
  table.querySelector('tr.trial').click();
  if (!/summand trials .* --log/.test(table.querySelector('tr.details').textContent)) bad.add('a trial does not tell of its log');
  location.hash = 'trial-3';
  setTimeout(() => {
    if (cells(0).join() !== '3') bad.add('a link does not lead to its trial');
    const result = document.createElement('pre');
    result.id = 'result'; result.textContent = JSON.stringify({seen, bad: [...bad]});
    document.body.append(result);
  }, 50);
});</script></body>"""


def look(chromium: str, page: pathlib.Path, width: int, folder: str) -> list[str]:
    command = [chromium, *FLAGS, f"--user-data-dir={folder}/profile", f"--window-size={width},1500", "--virtual-time-budget=20000",
               "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.S)
    where = f"{page.stem} at {width} pixels"
    if not found:
        return [f"{where}: the page did not run"]
    result = json.loads(html.unescape(found[1]))
    print(where, result["seen"])
    problems = [f"{where}: {problem}" for problem in result["bad"]]
    few = [kind for kind, least in (("texts", 100), ("points", 1000), ("lines", 100)) if result["seen"][kind] < least]
    return problems + [f"{where}: only {result['seen'][kind]} {kind} were seen" for kind in few]


def main(sample: str) -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("no Chromium here: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sample, folder], check=True)
        problems = []
        for page in sorted(pathlib.Path(folder).glob("*.html")):
            page.write_text(page.read_text().replace("</body>", PROBE))
            for width in (1200, 500):
                problems += look(chromium, page, width, folder)
    print("\n".join(problems) if problems else "nothing overlaps or sticks out, every point says something, tables sort and filter")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
