#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dashboard_test.py SUMMAND: uses the dashboard of a real server in a real browser, as people do.

Views have data and fit from 400 pixels to 1920, in light and dark; values that are told arrive by themselves, also after the server
was started again; brushes select, actions act, tokens are asked for; texts of a study are never markup; everything can be reached by
keyboard and has a name; the console stays empty, so the content security policy is never violated. Exit status 77 (skipped) where
chromedriver is missing; .ci/run installs it.
"""
import gzip
import json
import pathlib
import sys
import tempfile
import urllib.parse

import service
import webdriver

TABS = ["overview", "structure", "explore", "trials", "settings"]
LOADED = "document.querySelector('main .panel') && !document.querySelector('[aria-busy]')"

AUDIT = (pathlib.Path(__file__).parent / "audit.js").read_text()  # what every view must fulfil: gives [] or sentences


class Checks:
    def __init__(self, browser, server):
        self.browser, self.server, self.problems = browser, server, []

    def expect(self, truth, sentence):
        if not truth:
            self.problems.append(sentence)
            print("  WRONG:", sentence)

    def go(self, *parts, **query):
        place = "/".join(urllib.parse.quote(part, safe="") for part in parts) + ("?" + urllib.parse.urlencode(query) if query else "")
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.url}/#/{place}")
        self.browser.until(LOADED)

    def quiet(self, where):
        messages = self.browser.console()
        self.expect(not messages, f"{where}: the console says {messages}")

    def click(self, text, within="document"):
        self.browser.until("(() => { const b = [..." + within + ".querySelectorAll('button')].find(b => b.textContent.trim() === arguments[0] && !b.disabled); b?.click(); return !!b; })()", text)

    def field(self, css, value):
        self.browser.run("const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true}))", css, str(value))


def every_view_at_every_size(checks, marked):
    browser = checks.browser
    pages = [(), ("compare",), *((("study", "structured", tab)) for tab in TABS), *(("study", marked, tab) for tab in TABS)]
    for width, theme in ((400, "dark"), (1920, "light")):
        browser.size(width)
        browser.theme(theme)
        for page in pages:
            checks.go(*page)
            browser.until("[...document.querySelectorAll('.plot')].every(p => p.querySelector('svg').childElementCount)")
            for sentence in browser.run(AUDIT):
                checks.expect(False, f"{'/'.join(page) or 'studies'} at {width} pixels, {theme}: {sentence}")
        ground = browser.run("return getComputedStyle(document.body).backgroundColor")
        checks.expect(ground == {"dark": "rgb(13, 17, 23)", "light": "rgb(244, 246, 248)"}[theme], f"{theme}: the background is {ground}")
    browser.run("const s = document.getElementById('theme'); s.value = 'dark'; s.dispatchEvent(new Event('change'))")
    checks.expect(browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)", "the switch does not make it dark")
    browser.run("const s = document.getElementById('theme'); s.value = 'system'; s.dispatchEvent(new Event('change'))")
    browser.size(1300)
    checks.quiet("views")


def the_views_say_what_is_known(checks, marked, ids):
    browser = checks.browser
    checks.go()
    rows = browser.run("return [...document.querySelectorAll('tbody tr')].map(r => r.cells[0].textContent)")
    checks.expect(set(rows) == {"structured", "big", marked}, f"the studies are {rows}")
    checks.go("study", "structured", "structure")
    text = browser.until("document.querySelector('.verdict')?.textContent")
    checks.expect(text == "2 groups found, 2 parameters alone", f"the verdict is {text}")
    browser.until("document.querySelectorAll('.multiples .plot').length >= 4 && document.querySelector('.multiples .contour') && document.querySelector('.multiples .band')")
    checks.expect(browser.run("return document.querySelectorAll('.graph .edge').length") >= 2, "the graph has no lines")
    checks.expect(browser.run("return document.querySelectorAll('.matrix .frame').length") == 4, "the matrix does not frame 4 groups")
    checks.go("study", marked, "trials", trial=ids[0])
    text = browser.until("document.querySelector('dialog .log:not([hidden])')?.innerText")
    checks.expect(f"out {service.MARKUP}" in text and f"error {service.MARKUP}" in text, f"the log is {text}")
    checks.go("study", marked, "trials", trial=ids[1])
    log = {"attempt": 1, "worker": f"node {service.MARKUP}", "started_at": 1.0, "ended_at": 2.0, "outcome": "running", "output": "", "error": ""}
    for step in ("step 1", "step 2"):  # it runs, and what it writes arrives by itself
        checks.server.call("POST", f"{checks.server.study(marked)}/trials/{ids[1]}/log", {"attempt": {**log, "output": f"{step} {service.MARKUP}\n"}})
        browser.until("document.querySelector('dialog .log:not([hidden])')?.innerText.includes(arguments[0])", f"{step} {service.MARKUP}")
    checks.go("study", marked, "trials")
    browser.type(".filter input", "failed")
    browser.press("Enter")
    browser.until("document.querySelectorAll('tbody tr').length === 1 && document.querySelector('tbody').innerText.includes('failed')")
    browser.type(".filter input", "nonsense")
    browser.press("Enter")
    browser.until("document.querySelector('.problem').textContent.includes('neither a state')")
    checks.quiet("words")


def the_first_view_is_small(checks):
    browser = checks.browser
    browser.cdp("Network.clearBrowserCache")
    checks.go("study", "big", "overview")
    browser.until("document.querySelector('.best-line')")
    size = browser.run("return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((s, e) => s + e.transferSize, 0)")
    milliseconds = browser.run("return performance.now()")
    print(f"  first view of 10,000 trials: {size / 1000:.0f} kB, at most {milliseconds:.0f} ms")
    checks.expect(size < 300_000, f"the first view of 10,000 trials takes {size} bytes")
    plain, packed = (checks.server.read("/studies/big/progress", {"Accept-Encoding": accepted}) for accepted in ("identity", "gzip"))
    checks.expect(len(packed) < len(plain) / 2 and gzip.decompress(packed) == plain, "a packed answer is not the plain one")
    checks.quiet("10,000 trials")


def what_happens_arrives_by_itself(checks, marked, ids):
    browser, server, at = checks.browser, checks.server, checks.server.study(marked)
    checks.go("study", marked, "overview")
    browser.until("document.getElementById('live').textContent === 'Live' && document.querySelector('.best-line')")
    browser.run("window.here = true")
    server.call("POST", f"{at}/trials/{ids[1]}/tell", {"value": -123.25})
    browser.until("document.querySelector('.card.first .value').textContent === '-123.25'")
    browser.until("document.querySelector('.plot').getAttribute('aria-label').includes('-123.25')")
    browser.until("document.getElementById('announcer').textContent.includes('-123.25')")
    server.stop()
    browser.until("document.getElementById('live').textContent === 'Not connected'")
    server.start()
    server.call("POST", f"{at}/trials/{ids[2]}/tell", {"value": -321.5})
    browser.until("document.querySelector('.card.first .value').textContent === '-321.5'", seconds=30)
    checks.expect(browser.run("return window.here"), "the page was loaded again")
    browser.console()  # the lost connections were expected
    checks.go()
    trial = server.call("POST", f"{at}/ask", {"count": 1})["trials"][0]["id"]
    server.call("POST", f"{at}/trials/{trial}/tell", {"value": -500.5})
    browser.until("document.querySelector('tbody').innerText.includes('-500.5')")
    checks.quiet("live")


def brushes_select(checks):
    browser = checks.browser
    checks.go("study", "structured", "explore")
    browser.until("document.querySelectorAll('.brush').length >= 6")
    x, top, tall = browser.run("const b = document.querySelector('.brush .overlay'); b.scrollIntoView({block: 'center'}); const r = b.getBoundingClientRect(); return [r.left + r.width / 2, r.top, r.height]")
    browser.drag((x, top + 0.1 * tall), (x, top + 0.5 * tall))
    text = browser.until("[...document.querySelectorAll('[role=status]')].map(e => e.textContent).find(t => / of 90 trials selected/.test(t))")
    checks.expect(0 < int(text.split()[0]) < 90, f"the brush selects {text}")
    checks.click("Clear the selection")
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    checks.field(".between input[placeholder=from]", 0.5)
    browser.until("[...document.querySelectorAll('[role=status]')].some(e => / of 90 trials selected/.test(e.textContent))")
    checks.quiet("brush")


def actions_act(checks, marked):
    browser, server, at = checks.browser, checks.server, checks.server.study(marked)
    checks.go("study", marked, "overview")
    checks.click("Pause")
    browser.until("document.querySelector('.page-head .badge').textContent === 'paused'")
    checks.expect(server.call("GET", at)["paused"], "pause does not pause")
    checks.click("Resume")
    browser.until("document.querySelector('.page-head .badge').textContent !== 'paused'")
    checks.click("Change the budget")
    checks.field("dialog input", 77)
    checks.click("Change", "document.querySelector('dialog')")
    browser.until("!document.querySelector('dialog')")
    checks.expect(server.call("GET", at)["budget"] == 77, "the budget does not change")
    checks.click("Enqueue a point")
    checks.click("Enqueue", "document.querySelector('dialog')")
    browser.until("document.querySelector('.badge.waiting')")
    checks.click("Abandon", "document.querySelector('tbody .badge.waiting').closest('tr')")
    checks.click("Abandon", "document.querySelector('dialog')")
    browser.until("!document.querySelector('.badge.waiting')")
    checks.expect(server.call("GET", at)["counts"]["abandoned"] == 1, "abandon does not abandon")
    failed = server.call("GET", f"{at}/trials?state=failed")["trials"][0]["id"]
    checks.go("study", marked, "overview", trial=failed)
    checks.click("Run again", "document.querySelector('dialog')")
    checks.click("Run again", "[...document.querySelectorAll('dialog')].at(-1)")
    browser.until("document.querySelector('dialog.trial .badge').textContent === 'waiting'")
    checks.expect(server.call("GET", f"{at}/trials/{failed}")["state"] == "waiting", "run again does not run again")
    checks.quiet("actions")


def the_keyboard_suffices(checks):
    browser = checks.browser
    focused = "document.activeElement"
    checks.go()
    browser.press("Tab")
    checks.expect(browser.run(f"return {focused}.className") == "skip", "the first stop is not the skip link")
    browser.press("Enter")
    checks.expect(browser.run(f"return {focused}.id") == "main", "the skip link does not lead to the content")
    for _ in range(12):
        browser.press("Tab")
        if browser.run(f"return {focused}.textContent") == "structured":
            break
    browser.press("Enter")
    browser.until("document.querySelector('.best-line')")
    for _ in range(40):
        browser.press("Tab")
        if browser.run(f"return {focused}.className") == "plot":
            break
    browser.press("Home", "Right")
    checks.expect(browser.run("return document.getElementById('announcer').textContent").startswith("trial "), "arrow keys do not read the chart")
    browser.press("Enter")
    browser.until("document.querySelector('dialog[open] .facts')")
    browser.press("Escape")
    browser.until("!document.querySelector('dialog') && !location.hash.includes('trial=')")
    checks.expect(browser.run(f"return {focused}.className") == "plot", "closing a trial loses the place")
    checks.quiet("keyboard")


def tokens_are_asked_for(checks, summand, database):
    browser = checks.browser
    with service.Service(summand, database, token="may-write-0123456789", read_token="may-read-0123456789") as server:
        browser.open("about:blank")
        browser.open(server.url)
        browser.until("document.querySelector('main').innerText.includes('asks for a token')")
        for token, writes in (("wrong-token", None), ("may-read-0123456789", False), ("may-write-0123456789", True)):
            browser.click("#access")
            browser.type("dialog input", token)
            browser.press("Enter")
            if writes is None:
                browser.until("document.querySelector('dialog .problem').textContent")
                browser.press("Escape")
                continue
            browser.until(f"!document.querySelector('dialog') && document.getElementById('access').textContent === '{'May write' if writes else 'Read only'}'")
        browser.until("document.querySelector('tbody a')")
        stored = browser.run("return [JSON.stringify({...localStorage}), document.cookie]")
        checks.expect("may-write" not in json.dumps(stored), f"the token is kept for good: {stored}")
        browser.open("about:blank")  # before the server ends
        browser.console()  # 401 was asked for


def without_charts_there_are_tables(checks):
    browser = checks.browser
    browser.cdp("Network.enable")
    browser.cdp("Network.setBlockedURLs", urls=["*/vendor/d3.js"])
    for tab in TABS:
        checks.go("study", "structured", tab)
        checks.expect(browser.run("return document.querySelectorAll('tbody tr').length") > 0, f"{tab}: no table without d3")
    checks.go("study", "structured", "overview")
    browser.until("document.querySelector('main').innerText.includes('without d3')")
    browser.cdp("Network.setBlockedURLs", urls=[])
    messages = [message for message in browser.console() if "vendor/d3.js" not in message]
    checks.expect(not messages, f"without d3 the console says {messages}")


def main(summand):
    if not webdriver.available():
        print("no chromedriver here: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/studies.db"
        service.make_structured(summand, pathlib.Path(folder), database)
        with service.Service(summand, database) as server, webdriver.Browser() as browser:
            marked, ids = service.make_marked(server)
            service.make_big(server)
            checks = Checks(browser, server)
            for check, arguments in ((the_first_view_is_small, ()), (the_views_say_what_is_known, (marked, ids)), (every_view_at_every_size, (marked,)),
                                     (what_happens_arrives_by_itself, (marked, ids)), (brushes_select, ()), (actions_act, (marked,)),
                                     (the_keyboard_suffices, ()), (tokens_are_asked_for, (summand, database)), (without_charts_there_are_tables, ())):
                print(check.__name__.replace("_", " "), flush=True)
                check(checks, *arguments)
    print("\n".join(["", *checks.problems]) if checks.problems else "the dashboard works")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
