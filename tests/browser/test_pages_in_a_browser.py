"""Every kind of page in a real browser: both languages, light and dark, phone and desktop; sorting, charts, names."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

pytestmark = pytest.mark.browser

KINDS = (
    "",
    "workloads/",
    "workloads/cifar10-cnn/",
    "workloads/resnet50/",
    "workloads/vgg16/",
    "submissions/",
    "submissions/{hostile}/",
    "submissions/{published}/",
    "method/",
    "glossary/",
    "submit/",
    "data/",
    "report/",
)
# each kind of page in all four looks, two a language
LOOKS = {"en": ((360, "light"), (1400, "dark")), "zh": ((360, "dark"), (1400, "light"))}


def named(dataset, path):
    hostile = next(stored.id for stored in dataset.submissions if "<script>" in stored.submission.submitter.name)
    published = next(stored.id for stored in dataset.submissions if stored.submission.origin == "published")
    return path.format(hostile=hostile[:12], published=published[:12])


def scroll(page):
    """Bring every chart into sight and wait until each is drawn."""
    for chart in page.locator(".rb-chart").all():
        chart.scroll_into_view_if_needed()
    page.wait_for_function("[...document.querySelectorAll('.rb-chart')].every(e => e.dataset.state === 'drawn')")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", KINDS)
def test_a_page_fits_draws_its_charts_and_asks_nobody_else(visit, dataset, language, path):
    for width, scheme in LOOKS[language]:
        page = visit(f"{language}/{named(dataset, path)}", width=width, scheme=scheme)
        scroll(page)
        assert page.locator("h1").count() == 1
        assert page.locator("html").get_attribute("lang") == language
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{width} px, {scheme}: {wider} px too wide"
        expected = {"light": "default", "dark": "slate"}[scheme]
        assert page.locator("body").get_attribute("data-md-color-scheme") == expected


def test_the_root_page_leads_to_the_readers_language(visit, address):
    page = visit("?sort=x:y")
    page.wait_for_url(re.compile(re.escape(address) + r"en/\?sort=x:y"))


def test_charts_are_drawn_after_instant_navigation_and_plotly_is_loaded_once(visit):
    page = visit("en/")
    page.evaluate("window.stayed = true")
    loads = []
    page.on("request", lambda request: loads.append(request.url) if "plotly" in request.url else None)
    page.locator(".rb-card h2 a", has_text="CIFAR-10").click()
    page.wait_for_url("**/workloads/cifar10-cnn/")
    page.locator(".rb-chart").first.wait_for()
    scroll(page)
    assert page.locator(".rb-chart .main-svg").count() > 0
    page.locator(".rb-nav a", has_text="Submissions").click()
    page.wait_for_url("**/submissions/")
    page.locator("table a").first.click()
    page.wait_for_url(re.compile(r"submissions/[0-9a-f]{12}/"))
    page.locator("h1", has_text="Submission").first.wait_for()
    page.locator(".rb-nav a", has_text="Leaderboards").click()
    page.locator("#workloads a", has_text="CIFAR-10").click()
    page.locator("#m1-throughput").wait_for()
    scroll(page)
    assert page.evaluate("window.stayed") is True
    assert len(loads) == 1


def test_charts_take_the_colours_of_the_other_palette(visit):
    page = visit("en/workloads/cifar10-cnn/")
    scroll(page)
    colour = "document.querySelector('.rb-chart').layout.template.layout.font.color"
    light = page.evaluate(colour)
    for _ in range(2):  # system, then light, then dark
        page.locator("[data-md-component=palette] label:visible").click()
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")
    page.wait_for_function(f"{colour} !== {light!r}")


def first_cells(page, table, column):
    return page.locator(f"#{table} tbody tr td:nth-child({column})").all_inner_texts()


def test_sorting_survives_reload_back_and_the_other_language(visit):
    page = visit("en/workloads/cifar10-cnn/")
    heading = page.locator("#m1-throughput th[data-key=value]")
    heading.locator("button").focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    ascending = first_cells(page, "m1-throughput", 3)
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    descending = first_cells(page, "m1-throughput", 3)
    assert page.url.endswith("?sort=m1-throughput:-value")
    numbers = [text for text in ascending if "images/s" in text]
    assert descending[: len(numbers)] == numbers[::-1]
    assert ascending[len(numbers) :] == descending[len(numbers) :]  # missing last both ways
    page.reload()
    assert first_cells(page, "m1-throughput", 3) == descending
    page.goto(page.url + "#published")
    page.locator("a[data-language=zh]").click()
    page.wait_for_url("**/zh/workloads/cifar10-cnn/?sort=m1-throughput:-value#published")
    assert page.locator("#m1-throughput th[data-key=value]").get_attribute("aria-sort") == "descending"


def test_an_unknown_column_in_the_address_is_said(visit):
    page = visit("en/workloads/cifar10-cnn/?sort=m1-throughput:colour")
    assert page.locator("[role=status]", has_text="m1-throughput:colour").count() == 1


def test_a_hostile_name_is_text(visit, dataset):
    page = visit(f"en/{named(dataset, 'submissions/{hostile}/')}")
    scroll(page)
    assert page.evaluate("window.pwned") is None
    assert "<script>window.pwned=1</script> | `x` {{ 7*7 }} **b** [l](javascript:alert(1)) 🦊" in page.inner_text(
        ".rb-hero"
    )
    assert page.title().startswith("Submission")
    page.locator(".rb-nav a", has_text="Submissions").click()
    page.wait_for_url("**/submissions/")
    assert page.evaluate("window.pwned") is None


def test_tables_and_answers_are_there_without_scripts(browser, address):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 800})
    page = context.new_page()
    page.goto(f"{address}en/workloads/cifar10-cnn/")
    assert page.locator("#m1-throughput tbody tr:visible").count() == 7
    assert page.locator(".rb-chart:visible").count() == 0
    assert page.locator("a[data-language=zh]").get_attribute("href") == "../../../zh/workloads/cifar10-cnn/"
    context.close()


def test_a_chart_that_cannot_load_says_so_and_leaves_the_table(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.route("**/plotly-cartesian.min.js", lambda route: route.abort())
    page.goto(f"{address}en/workloads/cifar10-cnn/")
    page.locator(".rb-chart[data-state=failed]").first.wait_for()
    assert "The chart could not be drawn" in page.locator(".rb-chart").first.inner_text()
    context.close()


NEWEST = datetime(2026, 11, 30, 12, tzinfo=UTC)  # the newest result of the samples


@pytest.mark.parametrize(("days", "shown"), [(0, False), (180, False), (181, True)])
def test_old_data_are_said_to_be_old_by_the_readers_clock(browser, address, days, shown):
    context = browser.new_context()
    page = context.new_page()
    page.clock.set_fixed_time(NEWEST + timedelta(days=days))
    page.goto(f"{address}en/")
    page.locator(".rb-table, .rb-card").first.wait_for()
    assert page.locator(".rb-stale").is_visible() is shown
    page.locator(".rb-nav a", has_text="Submissions").click()  # instant navigation brings a fresh notice
    page.wait_for_url("**/submissions/")
    page.locator("#submissions[data-sortable]").wait_for()
    assert page.locator(".rb-stale").is_visible() is shown
    if shown:
        assert "2026-11-30, 181 days ago" in page.locator(".rb-stale").inner_text()
    context.close()


def test_without_scripts_nothing_is_said_of_age(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}zh/")
    assert page.locator(".rb-stale").count() == 1
    assert not page.locator(".rb-stale").is_visible()
    context.close()


def test_the_palette_of_one_language_holds_in_the_other(visit):
    page = visit("en/")
    for _ in range(2):  # system, then light, then dark
        page.locator("[data-md-component=palette] label:visible").click()
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")
    page.locator("a[data-language=zh]").click()
    page.wait_for_url("**/zh/")
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")


@pytest.mark.parametrize("key", ["Enter", " "])
@pytest.mark.parametrize(("name", "box"), [("Menu", "drawer"), ("Search", "search")])
def test_menu_and_search_of_a_phone_open_by_keyboard(visit, name, box, key):
    page = visit("en/", width=360)
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press(key)
    page.wait_for_function("box => document.querySelector(`[data-md-toggle=${box}]`).checked", arg=box)


@pytest.mark.parametrize("width", [360, 1024])
def test_the_keyboard_passes_by_a_closed_menu(visit, width):
    page = visit("en/workloads/cifar10-cnn/", width=width)
    page.locator("#m1-throughput[data-ready]").wait_for()
    for _ in range(24):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.md-sidebar') === null")


@pytest.mark.parametrize("path", ["", "workloads/cifar10-cnn/", "submissions/{published}/"])
def test_nothing_is_cut_off_on_paper(visit, dataset, path):
    page = visit(f"en/{named(dataset, path)}")
    scroll(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 less its margins
    wider = page.evaluate(
        "Math.max(...[...document.querySelectorAll('.rb-table, .rb-answers li > *')].map(e => e.getBoundingClientRect().right))"
    )
    assert wider <= 718


def test_the_main_navigation_is_in_sight_on_a_tablet(visit):
    for language in ("en", "zh"):
        page = visit(f"{language}/", width=960)
        assert page.locator(".rb-nav a:visible").count() == 7
        assert page.locator(".rb-menu").is_visible() is False
        boxes = [page.locator(part).bounding_box() for part in (".rb-brand", ".rb-nav", ".rb-tools")]
        ends = [box["x"] + box["width"] for box in boxes]
        assert ends[0] <= boxes[1]["x"]
        assert ends[1] <= boxes[2]["x"]
        assert ends[2] <= 960


# the lowest contrast of visible text against what lies behind it, opacity included (WCAG 2.2, 1.4.3)
CONTRAST = """() => {
  const numbers = (text) => { const found = text.match(/[\\d.]+/g).map(Number); return found.length < 4 ? [...found, 1] : found; };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
  const linear = (part) => part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const light = (colour) => 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  const faults = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("svg, script, .md-search__output, .md-skip")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let back = [255, 255, 255, 1], opacity = 1;
    const chain = [];
    for (let part = element; part; part = part.parentElement) chain.unshift(getComputedStyle(part));
    for (const style of chain) { back = over(numbers(style.backgroundColor), back); opacity *= style.opacity; }
    const front = numbers(chain.at(-1).color);
    front[3] *= opacity;
    const [high, low] = [light(over(front, back)), light(back)].sort((a, b) => b - a);
    if ((high + 0.05) / (low + 0.05) < 4.5) faults.push(`${element.className}: ${walker.currentNode.textContent.trim()}`);
  }
  return faults;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "workloads/cifar10-cnn/", "submissions/{hostile}/", "data/", "submit/"])
def test_text_is_readable_in_both_schemes(visit, dataset, path, scheme):
    page = visit(f"en/{named(dataset, path)}", scheme=scheme)
    assert page.evaluate(CONTRAST) == []
