// Sortable tables: headings become buttons; the order is kept in the address as ?sort=table:column or table:-column.
(() => {
  const PARAMETER = "sort";

  const read = () => {
    const chosen = new Map();
    for (const part of (new URLSearchParams(location.search).get(PARAMETER) ?? "").split(",")) {
      const colon = part.lastIndexOf(":");
      if (colon > 0) chosen.set(part.slice(0, colon), part.slice(colon + 1));
    }
    return chosen;
  };

  const write = (chosen) => {
    const address = new URL(location.href);
    const text = [...chosen].map(([table, column]) => `${table}:${column}`).join(",");
    if (text) address.searchParams.set(PARAMETER, text);
    else address.searchParams.delete(PARAMETER);
    // the colon and comma are allowed in a query and keep the link readable
    address.search = address.search.replaceAll("%3A", ":").replaceAll("%2C", ",");
    history.replaceState(history.state, "", address);
  };

  const headings = (table) => [...table.tHead.rows[0].cells];

  const compare = (numeric, a, b) => numeric ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0;

  // Missing values come last in both directions; equal rows keep the order of the page.
  const order = (table, column, descending) => {
    const heading = headings(table)[column];
    const numeric = heading.dataset.type === "number";
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row, index) => ({ row, index: Number(row.dataset.index ??= index), value: row.cells[column].dataset.sort }));
      const there = rows.filter(({ value }) => value !== undefined);
      const absent = rows.filter(({ value }) => value === undefined);
      there.sort((a, b) => (descending ? -1 : 1) * compare(numeric, a.value, b.value) || a.index - b.index);
      absent.sort((a, b) => a.index - b.index);
      body.append(...[...there, ...absent].map(({ row }) => row));
    }
    for (const other of headings(table)) other.setAttribute("aria-sort", other !== heading ? "none" : descending ? "descending" : "ascending");
  };

  const complain = (table, name) => {
    const notice = document.createElement("p");
    notice.className = "rb-banner";
    notice.setAttribute("role", "status");
    notice.textContent = table.dataset.unknown.replace("{name}", name);
    table.closest(".rb-scroll").before(notice);
  };

  const restore = (tables) => {
    for (const [id, wanted] of read()) {
      const table = tables.find((candidate) => candidate.id === id);
      const key = wanted.replace(/^-/, "");
      const column = table ? headings(table).findIndex((heading) => heading.dataset.key === key) : -1;
      if (column >= 0) order(table, column, wanted.startsWith("-"));
      else if (tables.length) complain(table ?? tables[0], `${id}:${key}`);
    }
  };

  const press = (table, heading) => {
    const descending = heading.getAttribute("aria-sort") === "ascending";
    order(table, headings(table).indexOf(heading), descending);
    write(read().set(table.id, (descending ? "-" : "") + heading.dataset.key));
  };

  const prepare = (table) => {
    if (table.dataset.ready) return;
    table.dataset.ready = "true";
    for (const heading of headings(table)) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => press(table, heading));
      heading.append(button);
      heading.setAttribute("aria-sort", "none");
    }
  };

  const start = () => {
    const tables = [...document.querySelectorAll("table[data-sortable]")];
    const fresh = tables.filter((table) => !table.dataset.ready);
    fresh.forEach(prepare);
    if (fresh.length) restore(tables);
  };

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
