// The language switch stays on the page and keeps ?state and #anchor, whatever instant navigation has done since.
(() => {
  const root = new URL("../../", document.currentScript.src); // this language's folder

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-language]") : null;
    if (!link) return;
    const other = new URL(`../${link.dataset.language}/`, root);
    const page = location.pathname.startsWith(root.pathname) ? location.pathname.slice(root.pathname.length) : "";
    link.href = new URL(page + location.search + location.hash, other).href;
  }, { capture: true });
})();
