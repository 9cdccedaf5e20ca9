// Before the first paint: the theme that the reader chose. Without a choice the system's holds.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('workbook-theme');
  } catch {
    // Storage may be forbidden; the system's theme is fine.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  document.documentElement.classList.add('scripted');
})();
