"""What axe-core, the checker of accessibility, says of a page. Its script comes with a wheel of Tests/Interop/requirements.txt."""
import importlib.resources
import json

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
GRAVE = ("serious", "critical")


class Axe:
    def __init__(self):
        self.source = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()

    def findings(self, browser):
        """The faults of the page that is open: (weight, rule, what, where)."""
        if not browser.evaluate("Boolean(window.axe)"):
            browser.devtools("Runtime.evaluate", expression=self.source)
        run = f"axe.run(document, {{runOnly: {json.dumps(RULES)}, resultTypes: ['violations']}})"
        answer = browser.devtools(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True,
            expression=f"{run}.then(found => found.violations.map(one => [one.impact, one.id, one.help,"
                       " one.nodes.map(node => node.html.slice(0, 160) + ' ' + node.failureSummary)]))")
        if "exceptionDetails" in answer:
            raise RuntimeError(f"axe did not run: {answer['exceptionDetails']}")
        return [(weight, rule, what, place) for weight, rule, what, places in answer["result"]["value"] for place in places]

    def check(self, browser):
        """That it finds what is wrong with a page made wrong."""
        browser.open("data:text/html,<html lang=en><title>x</title><main><p style='color:%23999;background:%23aaa'>pale</p><button></button>")
        found = {rule for _, rule, *_ in self.findings(browser)}
        assert {"color-contrast", "button-name"} <= found, found
