// SPDX-License-Identifier: Apache-2.0
// Runs before the first paint, so that a chosen theme does not flash in the other one.
try {
  const chosen = localStorage.getItem('summand-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  /* storage may be forbidden; the system's theme is used */
}
