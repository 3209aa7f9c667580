// A word of warning where the newest result is old: only the reader's browser knows what day it is.
(() => {
  const DAY = 24 * 60 * 60 * 1000;

  const start = () => {
    for (const notice of document.querySelectorAll(".rb-stale")) {
      const days = Math.floor((Date.now() - Date.parse(notice.dataset.newest)) / DAY);
      if (days <= Number(notice.dataset.after)) continue;
      notice.textContent = notice.dataset.text.replace("{days}", days);
      notice.hidden = false;
    }
  };

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
