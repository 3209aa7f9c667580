// Charts: Plotly and a chart's data are fetched once the chart comes into sight; colours follow the theme.
(() => {
  const assets = new URL("../", document.currentScript.src);
  const drawn = new Set();
  let plotly;

  const load = () => plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("vendor/plotly/plotly-cartesian.min.js", assets).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => { plotly = undefined; reject(new Error(script.src)); };
    document.head.append(script);
  });

  const template = () => {
    const style = getComputedStyle(document.body);
    const value = (name) => style.getPropertyValue(name).trim();
    const axis = { color: value("--rb-ink-2"), gridcolor: value("--rb-line"), linecolor: value("--rb-line"), zerolinecolor: value("--rb-line-2") };
    return {
      layout: {
        paper_bgcolor: "rgba(0,0,0,0)",
        plot_bgcolor: "rgba(0,0,0,0)",
        font: { color: value("--rb-ink"), family: style.fontFamily, size: 12 },
        colorway: [1, 2, 3, 4, 5, 6].map((number) => value(`--rb-series-${number}`)),
        hoverlabel: { bgcolor: value("--rb-paper-2"), bordercolor: value("--rb-line-2"), font: { color: value("--rb-ink") } },
        modebar: { bgcolor: "rgba(0,0,0,0)", color: value("--rb-ink-3"), activecolor: value("--rb-ink") },
        xaxis: axis,
        yaxis: axis,
      },
    };
  };

  const draw = async (element) => {
    if (element.dataset.state) return;
    element.dataset.state = "loading";
    try {
      const [Plotly, response] = await Promise.all([load(), fetch(new URL(element.dataset.figure, assets))]);
      if (!response.ok) throw new Error(`${response.status} ${response.url}`);
      const figure = await response.json();
      if (!element.isConnected) return;
      await Plotly.newPlot(element, figure.data, { ...figure.layout, template: template() }, { responsive: true, displaylogo: false });
      drawn.add(element);
      element.dataset.state = "drawn";
    } catch {
      element.dataset.state = "failed";
      element.textContent = element.dataset.failed;
    }
  };

  const sight = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      draw(target);
    }
  }, { rootMargin: "200px" });

  const start = () => {
    for (const element of drawn) {
      if (element.isConnected) continue;
      window.Plotly.purge(element);
      drawn.delete(element);
    }
    for (const element of document.querySelectorAll(".rb-chart:not([data-state])")) sight.observe(element);
  };

  const repaint = () => {
    for (const element of drawn) if (element.isConnected) window.Plotly.relayout(element, { template: template() });
  };

  new MutationObserver(repaint).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  if (window.document$) window.document$.subscribe(start);
  else start();
})();
