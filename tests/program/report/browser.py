"""Tries a page of `trebuchet annotate` in Chromium: browser.py SCENARIO PAGE.

Speaks the DevTools protocol over a pipe, so it needs nothing but Python and Chromium. Every scenario
fails if the page logs an error or asks for anything but itself.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = 120  # seconds; a loaded machine needs them


class Browser:
    """A Chromium without a window, showing one page."""

    def __init__(self, page, width=1440, height=900, is_phone=False, dark=False, script=True):
        self.page = page
        self.is_phone = is_phone
        self.problems = []
        self.requests = []
        self.answers = {}
        self.events = []
        self.last_id = 0
        self.rest = b""
        self.session = None
        self.profile = tempfile.mkdtemp(prefix="report-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def place_pipes():
            # The pipes may have the numbers 3 and 4 already, in the wrong order.
            commands, answers = os.dup(to_browser), os.dup(from_browser)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen(
            [
                shutil.which("chromium") or "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={self.profile}",
                "about:blank",
            ],
            preexec_fn=place_pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(it for it in targets if it["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if is_phone else 1,
            mobile=is_phone,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.url = pathlib.Path(page).resolve().as_uri()
        self.call("Page.navigate", url=self.url)
        self.wait_for_event("Page.loadEventFired")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
        if kind is None:
            assert not self.problems, self.problems
            others = [url for url in self.requests if url != self.url and not url.startswith("data:")]
            assert not others, others
            assert self.url in self.requests, "requests are not seen"

    def call(self, method, **params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        number = self.last_id
        deadline = time.monotonic() + PATIENCE
        while number not in self.answers:
            self.read(deadline)
        answer = self.answers.pop(number)
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def wait_for_event(self, method):
        deadline = time.monotonic() + PATIENCE
        while not any(event["method"] == method for event in self.events):
            self.read(deadline)

    def read(self, deadline):
        """Reads what has come, or waits for something."""
        remaining = deadline - time.monotonic()
        assert remaining > 0, "Chromium does not answer"
        if not select.select([self.read_end], [], [], remaining)[0]:
            return
        data = os.read(self.read_end, 1 << 20)
        assert data, "Chromium has ended"
        *messages, self.rest = (self.rest + data).split(b"\0")
        for message in messages:
            self.take(json.loads(message))

    def take(self, message):
        if "id" in message:
            self.answers[message["id"]] = message
            return
        self.events.append(message)
        method, params = message["method"], message["params"]
        if method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(params)
        elif method == "Log.entryAdded":
            self.problems.append(params["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def ask(self, expression):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def text(self, selector):
        found = f"document.querySelector({json.dumps(selector)})"
        return self.ask(f"{found} && {found}.innerText.replace(/\\s+/g, ' ').trim()")

    def until(self, expression):
        """Waits until an expression is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.05)

    def press(self, key):
        codes = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Escape": 27, "Tab": 9, "Enter": 13, " ": 32}
        texts = {"Enter": {"text": "\r"}}
        more = texts.get(key, {"text": key} if len(key) == 1 else {})
        code = codes.get(key, ord(key[0].upper()))
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **(more if kind == "keyDown" else {}))

    def middle(self, selector):
        """The middle of an element, in the window."""
        self.ask(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        box = self.ask(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.left, box.top, box.width, box.height] })()"
        )
        left, top, width, height = box
        assert width > 0 and height > 0, selector
        return left + width / 2, top + height / 2

    def click(self, selector):
        x, y = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def click_at(self, selector, share):
        """A click at this share of the element's width."""
        x, y = self.middle(selector)
        width = self.ask(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().width")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x + (share - 0.5) * width, y=y, button="left", clickCount=1)

    def swipe(self, selector, distance):
        x, y = self.middle(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in (0.5, 1):
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + part * distance, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def picture(self, name, full=False, script=True):
        """Saves a picture of the screen, or of the whole page, beside the page."""
        if script:
            self.call("Runtime.evaluate", expression="new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))", awaitPromise=True)
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        path = pathlib.Path(self.page).with_name(f"{name}.png")
        path.write_bytes(base64.b64decode(data))

    def here(self):
        """The move that the card shows, and the number of the marked move."""
        marked = self.ask("[...document.querySelectorAll('article:not([hidden]) .move[aria-current]')].map(it => Number(it.dataset.ply))")
        return self.text("article:not([hidden]) .card-head"), marked

    def data(self):
        games = self.ask("JSON.parse(document.getElementById('data').textContent)")
        for ply in (ply for game in games for ply in game["plies"]):
            ply.setdefault("verdict", "Good")
            ply["mover"] = "white" if ply["number"].endswith(".") else "black"
        return games


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"


def degrees(heat):
    """The degrees of heat of the squares that are not cold."""
    entries = [[DIGITS.index(digit) for digit in heat[at:at + 3]] for at in range(0, len(heat), 3)]
    return [(64 * high + low - 1) % 101 + 1 for _, high, low in entries]


def steps_by_keys_mouse_and_touch(page):
    with Browser(page) as browser:
        data = browser.data()[0]
        count = len(data["plies"])
        assert browser.here() == ("Start position", []), browser.here()
        browser.press("ArrowRight")
        head, marked = browser.here()
        assert head.startswith("1. e4") and marked == [1], (head, marked)
        for _ in range(4):
            browser.press("ArrowRight")
        browser.press("ArrowLeft")
        assert browser.here()[1] == [4]
        browser.press("End")
        assert browser.here()[1] == [count]
        browser.press("ArrowRight")
        assert browser.here()[1] == [count]
        # The board shows the last position: the queen stands on a7.
        browser.until("document.querySelector('piece.queen.white').cgKey == 'a7'")
        browser.press("Home")
        assert browser.here() == ("Start position", [])
        browser.press("m")
        assert browser.here()[1] == [data["moments"][0]]
        browser.press("f")
        assert browser.ask("document.querySelector('.cg-wrap').classList.contains('orientation-black')")
        browser.press("f")
        assert browser.ask("document.querySelector('.cg-wrap').classList.contains('orientation-white')")

        browser.click("[aria-label='Forward']")
        assert browser.here()[1] == [data["moments"][0] + 1]
        browser.click(".move[data-ply='30']")
        assert browser.here()[1] == [30]
        browser.click(".moment:last-of-type")
        assert browser.here()[1] == [data["moments"][0]]
        browser.click_at(".evaluation .curve", 0.5)
        assert browser.here()[1] in ([count // 2], [count // 2 + 1]), browser.here()
        browser.click_at(".times.curve", 0.999)
        assert browser.here()[1] == [count]

        # Into the best line and back.
        ply = data["moments"][0]
        browser.click(f".moment[data-ply='{ply}']")
        line = data["plies"][ply - 1]["lines"][0]
        browser.click(".line:not(.after-move) .line-move:nth-of-type(2)")
        assert line["moves"].split(",")[1].split()[0] in browser.text(".line-notice")
        browser.press("ArrowRight")
        assert line["moves"].split(",")[2].split()[0] in browser.text(".line-notice")
        assert browser.here()[1] == [ply]
        browser.press("Escape")
        assert browser.ask("document.querySelector('.line-notice').hidden")
        # Buttons work by the keyboard, too.
        browser.ask("document.querySelector('[aria-label=Forward]').focus()")
        browser.press("Enter")
        assert browser.here()[1] == [ply + 1]

        # The heat map: off, of the position, of the game.
        assert browser.ask("document.querySelectorAll('.heat rect').length") == 0
        browser.click("input[value=position]")
        hot = degrees(data["plies"][ply]["heat"])
        assert browser.ask("document.querySelectorAll('.heat rect').length") == len(hot)
        browser.click(".numbers input")
        numbers = browser.ask("[...document.querySelectorAll('.heat text')].map(it => Number(it.textContent))")
        assert numbers == hot
        browser.click("input[value=game]")
        hot = degrees(data["heat"])
        assert browser.ask("document.querySelectorAll('.heat rect').length") == len(hot)

        # Another game.
        browser.ask("document.querySelector('.games select').focus()")
        browser.press("ArrowDown")
        browser.until("document.getElementById('g1').hidden && !document.getElementById('g2').hidden")
        browser.ask("document.activeElement.blur()")
        browser.press("End")
        assert browser.here()[1] == [9]
        pips = browser.ask("[...document.querySelectorAll('#g2 .pips')].map(it => it.querySelectorAll('.given').length)")
        assert pips == [0, 3], pips

    with Browser(page, 390, 844, is_phone=True) as browser:
        browser.swipe(".frame", -120)
        assert browser.here()[1] == [1], browser.here()
        browser.swipe(".frame", -120)
        browser.swipe(".frame", 120)
        assert browser.here()[1] == [1], browser.here()


def shows_the_figures_of_the_analysis(page):
    with Browser(page) as browser:
        for index, game in enumerate(browser.data()[:2], 1):
            if index > 1:
                browser.ask(f"location.hash = '#g{index}p0'")
                browser.until(f"!document.getElementById('g{index}').hidden")
            for number, ply in enumerate(game["plies"], 1):
                browser.ask(f"location.hash = '#g{index}p{number}'")
                browser.until(f"document.querySelector('#g{index} .move[data-ply=\"{number}\"][aria-current]') != null")
                card = browser.text(f"#g{index} .card")
                chances = f"{round(100 * ply['chance'] + 1e-9)} %"
                words = ply.get("words", "").removeprefix(ply["verdict"]).lstrip(":, ")[1:]
                for expected in (ply["number"], ply["san"], ply["verdict"], ply["score"], chances, words, *ply.get("comments", [])):
                    assert expected.replace("\xa0", " ") in card, (expected, card)
                if "punishment" in ply:
                    assert "After your move" in card and ply["punishment"]["text"] in card, card
                    # Blue is the better move, red the punishment.
                    arrows = "[...document.querySelectorAll('#g%d .cg-shapes line')].map(it => it.getAttribute('stroke')).sort().join()" % index
                    browser.until(f"{arrows} == '#0b62b8,#9b1c31'")
                for line in ply.get("lines", []):
                    assert line["score"] in card and str(line["depth"]) in card, card
                entry = browser.text(f"#g{index} .move[data-ply='{number}']")
                assert entry == " ".join(it for it in (ply["san"], ply.get("glyph"), ply["score"]) if it), entry
                bar = browser.ask(f"document.querySelector('#g{index} .white-part').style.height")
                assert abs(float(bar.rstrip("%")) - 100 * ply["chance"]) < 0.01, bar
                # The board draws in the next frame.
                last = f"[...document.querySelectorAll('#g{index} square.last-move')].map(it => it.cgKey).sort().join()"
                browser.until(f"{last} == '{','.join(sorted((ply['squares'][:2], ply['squares'][2:])))}'")
        table = browser.ask("[...document.querySelectorAll('#g1 .summary tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()).join(' '))")
        plies = browser.data()[0]["plies"]
        for kind, name in (("blunder", "??Blunder"), ("mistake", "?Mistake"), ("brilliant", "!!Brilliant"), ("good", "✓Good")):
            counts = [sum(ply["kind"] == kind and ply["mover"] == side for ply in plies) for side in ("white", "black")]
            assert f"{name} {counts[0]} {counts[1]}" in table, table
        checks = sum("+" in ply["san"] or "#" in ply["san"] for ply in plies)
        assert browser.ask("document.querySelectorAll('#g1 .curve .check-mark').length") == checks


def runs_no_code_of_a_game(page):
    with Browser(page) as browser:
        browser.ask("location.hash = '#g3p1'")
        browser.until("!document.getElementById('g3').hidden")
        assert "broken" not in browser.ask("document.title").replace("document.title='broken'", "")
        assert browser.ask("document.querySelectorAll('img').length") == 0
        assert browser.ask("document.scripts.length") == 2
        hostile = "</script><script>document.title='broken'</script>"
        assert hostile in browser.text("#g3 .card") and hostile in browser.text("#g3 .game-head")
        # The policy stops what would get through.
        browser.ask("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))")
        assert browser.ask("window.ran") is None
        assert any("Content Security Policy" in str(problem) for problem in browser.problems)
        browser.problems.clear()


def fits_a_phone_and_a_screen(page):
    for name, width, height, is_phone in (("phone", 390, 844, True), ("narrow", 320, 640, True), ("tablet", 834, 1112, True), ("screen", 1440, 900, False)):
        for dark in (False, True):
            with Browser(page, width, height, is_phone, dark) as browser:
                for index in (1, 2, 3):
                    browser.ask(f"location.hash = '#g{index}p{ {1: 48, 2: 5, 3: 1}[index] }'")
                    browser.until(f"!document.getElementById('g{index}').hidden")
                    # Nothing is wider than the window.
                    assert browser.ask("document.documentElement.scrollWidth") <= width, (name, index)
                    wide = browser.ask(
                        "[...document.querySelectorAll('article:not([hidden]) :is(p, a, h2, h3, table, button, .panel, .side)')]"
                        f".filter(it => it.getBoundingClientRect().right > {width} + 1).map(it => it.outerHTML.slice(0, 80))"
                    )
                    assert not wide, wide
                    cut = browser.ask(
                        "[...document.querySelectorAll('article:not([hidden]) .lesson')]"
                        ".filter(it => it.scrollWidth > it.clientWidth).map(it => it.innerText)"
                    )
                    assert not cut, cut
                    if is_phone and width < 800:
                        # Fingers find what they want, and eyes can read it.
                        small = browser.ask(
                            "[...document.querySelectorAll('article:not([hidden]) :is(button, a, label), .page-head :is(button, select)')]"
                            ".filter(it => it.offsetParent && it.getBoundingClientRect().height < 43.5).map(it => it.outerHTML.slice(0, 80))"
                        )
                        assert not small, small
                    tiny = browser.ask(
                        "[...document.querySelectorAll('article:not([hidden]) *')].filter(it => it.offsetParent && it.closest('coords') == null"
                        " && [...it.childNodes].some(child => child.nodeType == 3 && child.data.trim())"
                        " && parseFloat(getComputedStyle(it).fontSize) < 13.5).map(it => it.outerHTML.slice(0, 80))"
                    )
                    assert not tiny, tiny
                    faint = browser.ask(CONTRAST)
                    assert not faint, faint
                    if index == 1 and name in ("phone", "screen"):
                        # The figures and the lessons are on the first screen, and the board begins there.
                        low = browser.ask("[...document.querySelectorAll('#g1 .digest-accuracy, #g1 .lesson')].map(it => it.getBoundingClientRect().bottom + scrollY)")
                        assert len(low) == 4 and max(low) < height, low
                        assert browser.ask("document.querySelector('#g1 .board').getBoundingClientRect().top + scrollY") < height / 2
                        names = browser.text("#g1 .game-head h2")
                        assert "Kasparov" in names and "Topalov" in names, names
                    look = f"{name}-{'dark' if dark else 'light'}-{index}"
                    browser.ask("scrollTo(0, 0)")
                    browser.picture(look)
                    if index == 1:
                        browser.picture(f"{look}-full", full=True)
                browser.ask("location.hash = '#g1p48'")
                browser.until("!document.getElementById('g1').hidden")
                browser.click("#g1 input[value=position]")
                browser.ask("scrollTo(0, 0)")
                browser.picture(f"{name}-{'dark' if dark else 'light'}-heat")


def board_click(browser, square):
    """A click on a square of the board of the exercises, or a tap."""
    left, top, size, flipped = browser.ask(
        "(() => { const box = document.querySelector('.drill cg-board').getBoundingClientRect();"
        " return [box.left, box.top, box.width, document.querySelector('.drill .orientation-black') != null] })()"
    )
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    column, row = (7 - file, rank) if flipped else (file, 7 - rank)
    x, y = left + (column + 0.5) * size / 8, top + (row + 0.5) * size / 8
    if browser.is_phone:
        browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        return
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def press_button(browser, start):
    """Presses the button whose text begins so."""
    browser.until(f"[...document.querySelectorAll('button')].some(it => it.innerText.startsWith({json.dumps(start)}) && !it.disabled)")
    browser.ask(f"[...document.querySelectorAll('button')].find(it => it.innerText.startsWith({json.dumps(start)}) && !it.disabled).click()")


def says(browser, start):
    browser.until(f"document.querySelector('.status')?.innerText.startsWith({json.dumps(start)})")


def fits(browser, width, name):
    assert browser.ask("document.documentElement.scrollWidth") <= width, name
    assert not browser.ask(CONTRAST), browser.ask(CONTRAST)
    browser.picture(name)


def finds_better_moves_in_a_report(page):
    for width, height, is_phone, dark in ((390, 844, True, False), (1440, 900, False, True)):
        with Browser(page, width, height, is_phone, dark) as browser:
            look = f"exercise-{width}"
            press_button(browser, "Find the better moves")
            says(browser, "Black played Nf6?? Find something better.")
            # The answers are out of sight.
            assert browser.ask("document.querySelector('.digest-moments').offsetParent") is None
            fits(browser, width, f"{look}-question")
            for square in ("d7", "d6"):
                board_click(browser, square)
            says(browser, "Not that one.")
            assert "d6?? Blunder" in browser.text(".drill .remarks") and "It allows mate in 1: Qxf7#." in browser.text(".drill .remarks")
            fits(browser, width, f"{look}-bad")
            browser.until("!document.querySelector('.drill .actions button').disabled")
            press_button(browser, "Hint")
            says(browser, "Your opponent threatens mate in 1.")
            press_button(browser, "Hint")
            says(browser, "The move is ")
            for square in ("g7", "g6"):
                board_click(browser, square)
            says(browser, "Right!")
            assert "In the game: Nf6?? Blunder" in browser.text(".drill .remarks")
            fits(browser, width, f"{look}-right")
            # Escape leads back, and the arrows step through the game again.
            browser.press("Escape")
            browser.until("document.querySelector('.drill') == null")
            browser.press("ArrowRight")
            assert browser.here()[1] == [1], browser.here()
            press_button(browser, "Find the better moves")
            # A move of the list leads back, too.
            browser.ask("document.querySelector('#g1 .digest [data-ply]').click()")
            browser.until("document.querySelector('.drill') == null")
            # In the third game, both sides have something to find.
            browser.ask("location.hash = '#g3p1'")
            browser.until("!document.getElementById('g3').hidden")
            browser.ask("document.querySelector('#g3 .your-turn').click()")
            says(browser, "Whose moves do you want to improve?")
            fits(browser, width, f"{look}-choice")
            press_button(browser, "Clara (Black): 1 exercise")
            says(browser, "Black played d6")
            for square in ("d8", "h4"):
                board_click(browser, square)
            says(browser, "Right!")
            press_button(browser, "Summary")
            press_button(browser, "The other side")
            press_button(browser, "Back to the report")
            # Names and texts from strangers stay texts.
            browser.ask("location.hash = '#g2p1'")
            browser.until("!document.getElementById('g2').hidden")
            browser.ask("document.querySelector('#g2 .your-turn').click()")
            says(browser, "White played Qxe5+??")
            assert browser.ask("document.querySelectorAll('img').length") == 0


def exercises_come_again(page):
    with Browser(page, 390, 844, is_phone=True) as browser:
        count = browser.ask("JSON.parse(document.getElementById('training').textContent).exercises.length")
        assert count >= 2
        says(browser, f"{count} exercises due today.")
        fits(browser, 390, "training-choice")
        browser.ask("(it => { it.value = 'mate'; it.dispatchEvent(new Event('change')) })(document.querySelector('.drill select'))")
        press_button(browser, "Start: 1 exercise")
        says(browser, "You played Nf6??")
        fits(browser, 390, "training-question")
        for square in ("g7", "g6"):
            board_click(browser, square)
        says(browser, "Right!")
        press_button(browser, "Summary")
        says(browser, "1 of 1 found.")
        press_button(browser, "Back to the choice")
        says(browser, "Nothing is due today here.")
        # What was found rests after a reload, and is due tomorrow; what was not found stays due. The colours stay, too.
        browser.click(".theme")
        browser.events.clear()
        browser.call("Page.reload")
        browser.wait_for_event("Page.loadEventFired")
        assert browser.ask("document.documentElement.dataset.theme") == "dark"
        assert browser.text(".theme") == "Light"
        says(browser, f"{count - 1} exercises due today." if count > 2 else "1 exercise due today.")
        press_button(browser, "Start:")
        press_button(browser, "Show the answer")
        says(browser, "The answer is ")
        press_button(browser, "Back to the choice")
        says(browser, f"{count - 1} exercises due today." if count > 2 else "1 exercise due today.")
        tomorrow = "const Old = Date; Date = class extends Old { constructor() { super(Old.now() + 25 * 3600000) } }"
        browser.ask(tomorrow)
        browser.ask("document.querySelector('.drill select').dispatchEvent(new Event('change'))")
        says(browser, f"{count} exercises due today.")
        press_button(browser, "Begin anew with all")
        press_button(browser, "Begin anew")
        assert browser.ask("document.querySelectorAll('img').length") == 0


# Texts whose colour is too close to that of their background, by the formula of WCAG 2.
CONTRAST = """
(() => {
  const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const light = ([r, g, b]) => {
    const part = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = it => {
    for (; it; it = it.parentElement) {
      const color = parse(getComputedStyle(it).backgroundColor);
      if (color[3] > 0.99) return color;
    }
    return [255, 255, 255, 1];
  };
  const bad = [];
  for (const it of document.querySelectorAll('body *')) {
    if (!it.offsetParent || it.closest('.board, svg, :disabled')) continue;
    if (![...it.childNodes].some(child => child.nodeType == 3 && child.data.trim())) continue;
    const [a, b] = [light(parse(getComputedStyle(it).color)), light(behind(it))].sort((a, b) => b - a);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${it.outerHTML.slice(0, 80)}`);
  }
  return bad;
})()
"""


def is_complete_without_its_script(page):
    with Browser(page, script=False) as browser:
        # Evaluating an expression would be a script, so the document is read from outside.
        root = browser.call("DOM.getDocument", depth=-1)["root"]
        html = browser.call("DOM.getOuterHTML", nodeId=root["nodeId"])["outerHTML"]
        for expected in ("Garry Kimovich Kasparov", "Critical moments", "?? </span>Blunder", "data-verdict=\"blunder\""):
            assert expected.replace("?? </span>", "??</span>") in html, expected
        assert html.count("class=\"move ") > 90 and '<html lang="en">' in html
        browser.picture("no-script", script=False)


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
