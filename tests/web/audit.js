// SPDX-License-Identifier: Apache-2.0
// What every view must fulfil: run in the page by dashboard_test.py, gives [] or sentences.
const bad = [], seen = element => element.getClientRects().length > 0 && !element.closest('.unseen, .skip');
if (document.documentElement.scrollWidth > innerWidth) bad.push(`wider than the window by ${document.documentElement.scrollWidth - innerWidth}`);
const nameOf = e => e.getAttribute('aria-label') || e.innerText?.trim() || e.labels?.[0]?.textContent.trim() || e.title;
for (const e of document.querySelectorAll('button, a, input, select, textarea, [role=img], [role=region], progress'))
  if (seen(e) && !nameOf(e)) bad.push('has no name: ' + e.outerHTML.slice(0, 120));
if (document.querySelectorAll('main h1').length !== 1) bad.push('not one h1');
for (const t of document.querySelectorAll('table')) if (!t.caption || !t.querySelector('th[scope]')) bad.push('a table without caption or headings');
for (const c of document.querySelectorAll('.plot')) if (seen(c) && !c.querySelector('svg').childElementCount) bad.push('an empty chart: ' + c.getAttribute('aria-label'));
if (document.querySelector('img[src="x"], main img, main b > img')) bad.push('markup of a study became an element');
const rgb = text => text.match(/[\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, k) => s + v * [0.2126, 0.7152, 0.0722][k], 0);
const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.9) return c; } return [255, 255, 255]; };
for (const e of document.querySelectorAll('main *, header *')) {
  if (!seen(e) || e.closest('svg') || e.disabled || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
  const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((p, q) => q - p);
  if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(`hard to read (${((a + 0.05) / (b + 0.05)).toFixed(1)}): ${e.className} ${e.innerText.slice(0, 40)}`);
}
return [...new Set(bad)].slice(0, 8);
