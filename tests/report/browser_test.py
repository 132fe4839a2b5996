#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_test.py SAMPLE: opens the sample page in headless Chromium, wide and narrow, and asks it what it sees.

No text in a plot may overlap another or stick out, the page may not be wider than the window, and the script on the page
must sort a table. Exit status 77 (skipped) where there is no Chromium.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]

# Names turned by 45 degrees have boxes that overlap though the letters do not, so they are only checked for sticking out.
PROBE = """<script>window.addEventListener('load', () => {
  const bad = []; let texts = 0;
  for (const svg of document.querySelectorAll('svg[role=img]')) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    const all = [...svg.querySelectorAll('text')].map(t => ({text: t.textContent, box: t.getBoundingClientRect(),
                                                            turned: /rotate.-45/.test(t.getAttribute('transform') || '')}));
    texts += all.length;
    all.forEach((a, i) => {
      if (a.box.left < frame.left - 1 || a.box.right > frame.right + 1 || a.box.top < frame.top - 1 || a.box.bottom > frame.bottom + 1)
        bad.push('sticks out: ' + a.text);
      for (const b of all.slice(0, i)) {
        const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (!a.turned && !b.turned && w > 1 && h > 3) bad.push('overlap: ' + a.text + ' | ' + b.text);
      }
    });
  }
  if (document.documentElement.scrollWidth > window.innerWidth) bad.push('the page is wider than the window');
  const table = document.querySelector('#trials table.sortable'), cells = () => [...table.tBodies[0].rows].map(r => +r.cells[0].textContent);
  table.tHead.rows[0].cells[0].click();
  if (cells().some((v, i, a) => i && a[i - 1] > v)) bad.push('a click does not sort the trials');
  const result = document.createElement('pre');
  result.id = 'result'; result.textContent = texts + ' texts\\n' + bad.join('\\n');
  document.body.append(result);
});</script></body>"""


def look(chromium: str, page: pathlib.Path, width: int, folder: str) -> list[str]:
    command = [chromium, *FLAGS, f"--user-data-dir={folder}/profile{width}", f"--window-size={width},1500", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    found = re.search(r'<pre id="result">(\d+) texts\n(.*?)</pre>', dom, re.S)
    if not found:
        return [f"at {width} pixels: the page did not run"]
    problems = [f"at {width} pixels: {line}" for line in found[2].splitlines()]
    return problems if int(found[1]) > 100 else problems + [f"at {width} pixels: only {found[1]} texts were seen"]


def main(sample: str) -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("no Chromium here: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        subprocess.run([sample, page], check=True)
        page.write_text(page.read_text().replace("</body>", PROBE))
        problems = [problem for width in (1200, 520) for problem in look(chromium, page, width, folder)]
    print("\n".join(problems) if problems else "nothing overlaps, nothing sticks out, tables sort")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
