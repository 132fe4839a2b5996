// SPDX-License-Identifier: Apache-2.0
// Light, dark, or as the system says. Charts that draw on a canvas listen for 'themechange' on the document.

const changed = () => document.dispatchEvent(new Event('themechange'));

export function connectTheme(select) {
  select.value = document.documentElement.dataset.theme ?? 'system';
  select.addEventListener('change', () => {
    if (select.value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = select.value;
    try {
      localStorage.setItem('summand-theme', select.value);
    } catch {
      /* the choice then lasts as long as the page */
    }
    changed();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}
