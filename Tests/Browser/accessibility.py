"""What axe-core finds on the page that a window shows, and what it does not look for yet."""

from functools import cache
from importlib import resources

# In pixels; WCAG 2.2, success criterion 2.5.8.
SMALLEST_TARGET = 24


@cache
def axe():
    return resources.files("axe_core_python").joinpath("axe.min.js").read_text()


def violations(window):
    """A line for each rule that is broken, with the elements that break it."""
    window.browser.execute_script(axe())
    found = window.browser.execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations.map(
            ({ id, impact, help, nodes }) => `${id} (${impact}): ${help}: ` + nodes.slice(0, 4).map(
                ({ html, failureSummary }) => html.slice(0, 200) + " " + failureSummary.slice(0, 240)).join(" | "))),
            (error) => done([String(error)]))""")
    return found + small_targets(window)


def small_targets(window):
    """Links and buttons smaller than a finger needs, except those within a line of text."""
    return window.browser.execute_script("""
        const least = arguments[0];
        return [...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")]
            .filter((e) => e.checkVisibility() && !e.closest("[inert], .unseen, svg") && !e.matches(".skip"))
            .filter((e) => {
                const area = (e.closest("label") ?? e).getBoundingClientRect();
                if (area.width === 0 || (area.width >= least && area.height >= least)) return false;
                // Targets within text may be as high as a line of it; targets far from others may be of any size.
                const style = getComputedStyle(e);
                return style.display !== "inline" && !e.closest(".check");
            })
            .map((e) => `target-size: ${e.outerHTML.slice(0, 160)}`)""", SMALLEST_TARGET)
