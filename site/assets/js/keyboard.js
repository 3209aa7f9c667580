// The theme's menu and search are labels of hidden boxes: here they become buttons for the keyboard too. The theme itself
// presses a focused label on Enter.
(() => {
  for (const label of document.querySelectorAll(".rb-header label.md-header__button:not([for^=__palette])")) {
    label.tabIndex = 0;
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", label.title);
  }

  document.addEventListener("keydown", (event) => {
    const label = event.target instanceof Element && event.target.matches("label[role=button]") ? event.target : null;
    if (!label || event.key !== " ") return;
    event.preventDefault();
    label.click();
  });
})();
