#!/usr/bin/python3
"""page_test.py - pages to look at, in a real browser: what is shown is what the data says, all that can be
clicked does something, the console is silent, nobody is asked for anything, and hostile names are text.

    page_test.py [CLASS[.TEST]...]

With XSTEP_PICTURES=FOLDER each page's picture is kept there: 1280 and 400 pixels wide, light and dark.
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/study"))
import browser
import e2e
import hostile_names
import shown_test
from witness_test import needs_debuggers

needs_browser = unittest.skipUnless(browser.program(), "chromium not found: apt-get install chromium")
MOST = 2 << 20  # bytes of a usual page


class Reader(html.parser.HTMLParser):
    """A page as its markup says: elements, and the data."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.attributes, self.data, self.inside = [], [], [], "", None
        self.policy = None
        self.feed(text)
        self.json = json.loads(self.data)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.ids += [known["id"]] if "id" in known else []
        self.inside = known.get("id") if tag == "script" else None
        if known.get("http-equiv") == "Content-Security-Policy":
            self.policy = known["content"]

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "data":
            self.data += data


class Pages(e2e.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, *words, name="page", status=(0, 1)):
        """The page that a command prints, as a file; with what is in it."""
        result = e2e.xstep(*(os.fsdecode(word) for word in words), cwd=self.folder)
        self.assertIn(result.returncode, status, f"{result.rerun}\n{result.stderr}")
        path = self.folder / f"{name}.html"
        path.write_text(result.stdout)
        return path, self.look(path)

    def look(self, path):
        """What every page must be like; returns what its markup says."""
        text = path.read_text()
        page = Reader(text)
        self.assertLess(len(text), MOST)
        self.assertEqual(shown_test.dirty(text.encode(), "\n\t"), [])
        self.assertEqual(len(page.ids), len(set(page.ids)), "two elements of one id")
        self.assertIn("default-src 'none'", page.policy)
        self.assertNotIn("unsafe", page.policy)
        acting = [one for one in page.attributes if one[1].startswith("on") or one[1] in ("style", "src", "srcset")
                  or one[1] in ("href", "action") and not (one[2] or "").startswith("#")]
        self.assertEqual(acting, [])
        return page

    def picture(self, page, path):
        folder = os.environ.get("XSTEP_PICTURES")
        for width in (1280, 400) if folder else ():
            for dark in (False, True):
                page.resize(width, 900, dark)
                page.resize(width, min(5000, page.value("document.documentElement.scrollHeight")), dark)
                page.picture(pathlib.Path(folder) / f"{path.stem}-{width}{'-dark' if dark else ''}.png", whole=False)
        page.resize(1280)


@needs_debuggers
@needs_browser
class Findings(Pages):
    """The page of xstep diff and xstep check, with its index and its cases."""

    def case(self, page, data):
        """Looks at all parts of one case, and does what a reader does."""
        one = data["finding"]
        at = f'document.getElementById("{one["id"]}")'
        self.assertEqual(page.value(f'{at}.querySelector("h2").textContent'), one["reason"])
        self.assertEqual(page.value(f'{at}.querySelector(".badge").textContent'),
                         "nobody named" if data["party"] == "?" else data["party"])
        cards = page.value(f"""Array.from({at}.querySelectorAll(".card"), (card) => [
            card.querySelector("h4").firstChild.textContent.trim(), card.querySelector(".fact").textContent,
            card.classList.contains("wrong"), (card.querySelector("del") || {{}}).textContent])""")
        said = {who: (fact, wrong, struck) for who, fact, wrong, struck in cards}
        self.assertEqual(set(said), set(one["facts"]))
        for who, fact in one["facts"].items():
            self.assertIn(fact["value"] or fact["state"], said[who][0])
            self.assertEqual(said[who][1], who in one["wrong"])
            if said[who][1] and fact["value"]:
                self.assertTrue(said[who][2] and said[who][2].strip() in fact["value"], said)
        pc = one["stop"]["pc"][2:] if not one["frame"] else None
        if pc:
            self.assertEqual(page.value(f'{at}.querySelector(".insns tr.here").dataset.a'), pc)
            self.assertEqual(page.value(f'{at}.querySelector(".source tr.here").dataset.l'), str(one["stop"]["line"]))
        lanes = page.value(f"""Array.from({at}.querySelectorAll(".lane.block rect[data-lo], .lane.entry rect[data-lo]"),
            (rect) => ["0x" + rect.dataset.lo, "0x" + rect.dataset.hi])""")
        told = [tuple(pair) for lane in data["lanes"] for pair in lane["ranges"]]
        self.assertLessEqual({tuple(pair) for pair in lanes}, set(told))
        # Without a variable, and without words of one, there is nothing to be seen over the code.
        self.assertEqual(bool(lanes), page.value(f'!!{at}.querySelector(".ruler")'))
        self.assertTrue(lanes or one["aspect"] != "variable")
        entries = page.value(f'Array.from({at}.querySelectorAll("table.list tr"), (row) => row.textContent)')
        for lane in data["lanes"] if entries else ():
            words = (lane["title"], lane["verdict"] or "", *(f"[{low}, {high})" for low, high in lane["ranges"]))
            self.assertTrue(lane["kind"] != "entry" or any(all(word in row for word in words) for row in entries),
                            (words, entries))
        for w, who in enumerate(data["witnesses"]):
            marks = page.value(f'Array.from({at}.querySelectorAll("use.{who} title"), (one) => one.textContent)')
            if marks:
                self.assertEqual(marks, [f"stop {number}, {pc}: {who}: {said[w]}"
                                         for number, pc, said in data["points"] if said[w] is not None])
        if "wrong" in data or data.get("right", {}).get("steps"):
            self.machine(page, at, data)

    def machine(self, page, at, data):
        """Steps through the expression: each step shows as much of the stack as it should."""
        for column, key in enumerate(["right"] + (["wrong"] if "wrong" in data else [])):
            steps = [step for step in data[key]["steps"] if not step.get("remark")]
            shown = page.value(f"""Array.from({at}.querySelectorAll(".working")[{column}].querySelectorAll(
                ".steps li:not(.remark)"), (step) => [step.querySelector(".op").textContent,
                Array.from(step.querySelectorAll(".stack code"), (value) => value.textContent)])""")
            self.assertEqual(shown, [[step["text"], step["stack"]] for step in steps])
        last = max(len([step for step in data[key]["steps"] if not step.get("remark")])
                   for key in ("right", "wrong") if key in data)
        if not last:
            return
        ident = data["finding"]["id"]
        said = f'{at}.querySelector(".controls output").textContent'
        page.click(f'[id="{ident}"] [data-step=first]')
        self.assertEqual(page.value(said), "nothing is done yet")
        page.click(f'[id="{ident}"] [data-step=on]')
        self.assertEqual(page.value(said), f"operator 1 of {last}")
        self.assertEqual(page.value(f'{at}.querySelectorAll(".right li.now").length'),
                         1 if any(not step.get("remark") for step in data["right"]["steps"]) else 0)
        page.key("ArrowRight")
        self.assertEqual(page.value(said), f"operator {min(2, last)} of {last}")
        page.click(f'[id="{ident}"] [data-step=last]')
        self.assertEqual(page.value(said), f"operator {last} of {last}")

    def walk(self, path, markup):
        """Opens a page and goes through all of it."""
        with browser.Browser() as page:
            page.open(path)
            data = page.value('JSON.parse(document.getElementById("data").textContent)')
            self.assertEqual(json.dumps(data, sort_keys=True), json.dumps(markup.json, sort_keys=True))
            self.assertEqual(page.value('Array.from(document.querySelectorAll(".index .row a"), (a) => a.hash)'),
                             ["#" + case["finding"]["id"] for case in data["cases"]])
            for case in data["cases"]:
                self.case(page, {**case, "witnesses": [one["witness"] for one in data["witnesses"]]})
            self.links(page, data["cases"][0])
            self.search(page, data)
            self.copy(page, data["cases"][0])
            self.picture(page, path)
            self.assertEqual(page.said, [])
            # A link leads to its case, and without scripts there is all to read.
            last = data["cases"][-1]["finding"]["id"]
            page.open(path, anchor="#" + last)
            self.assertTrue(page.value(f'document.getElementById("{last}").matches(":target")'))
            page.open(path, scripts=False)
            self.assertEqual(page.value('document.querySelectorAll(".case h2").length'), len(data["cases"]))
            self.assertEqual(page.value('document.querySelectorAll("button.copy:not([hidden])").length'), 0)
            self.assertEqual(page.said, [])
        return data

    def links(self, page, case):
        """A line and its instructions, and a bar of the ruler and what it covers, belong together."""
        ident = case["finding"]["id"]
        at = f'document.getElementById("{ident}")'
        page.click(f'[id="{ident}"] .source tr.here')
        held = page.value(f'Array.from({at}.querySelectorAll(".insns tr.held"), (row) => row.dataset.l)')
        self.assertTrue(held)
        self.assertEqual(set(held), {page.value(f'{at}.querySelector(".source tr.here").dataset.l')})
        page.click(f'[id="{ident}"] .lane.block rect[data-lo]')
        self.assertEqual(page.value(f'{at}.querySelectorAll(".insns tr.held").length'),
                         page.value(f'{at}.querySelectorAll(".insns tr[data-a]").length'))

    def search(self, page, data):
        if len(data["cases"]) < 2:
            return
        word = data["cases"][-1]["finding"]["signature"]
        page.key("/", "/")
        page.value(f'document.execCommand("insertText", false, {json.dumps(word)})')
        shown = page.value('Array.from(document.querySelectorAll(".row:not([hidden]) a"), (a) => a.hash.slice(1))')
        self.assertIn(data["cases"][-1]["finding"]["id"], shown)
        self.assertLess(len(shown), len(data["cases"]))
        self.assertEqual(page.value('Array.from(document.querySelectorAll(".case:not([hidden])"), (one) => one.id)'),
                         shown)
        page.value('document.querySelector(".filter input").select(); document.execCommand("delete")')
        if len({case["party"] for case in data["cases"]}) > 1:
            page.click(".chips button")
            self.assertLess(page.value('document.querySelectorAll(".row:not([hidden])").length'), len(data["cases"]))
            page.click(".chips button")
        self.assertEqual(page.value('document.querySelectorAll(".row:not([hidden])").length'), len(data["cases"]))
        page.value("document.activeElement.blur()")
        page.key("j")
        self.assertTrue(page.value("location.hash.length > 1"))

    def copy(self, page, case):
        """What is copied are the commands. A page is told so by what it selects: a clipboard is not for tests."""
        page.value("""window.kept = []; navigator.clipboard.writeText = (text) => {
            window.kept.push(text); return Promise.resolve(); }""")
        page.click(f'[id="{case["finding"]["id"]}"] button.copy')
        self.assertEqual(page.value("window.kept"), ["\n".join(case["by_hand"]) + "\n"])

    @e2e.smoke
    def test_a_lie(self):
        """lldb divides unsigned: the two machines part at DW_OP_div."""
        program = e2e.compile("report_div.c", e2e.CLANG, ("-g", "-O1"))
        path, markup = self.make("diff", "-o", "kept.db", "--format", "html", program, name="lie")
        data = self.walk(path, markup)
        [case] = [one for one in data["cases"] if one["mistake"] == "lldb:div"]
        self.assertEqual((case["right"]["value"], case["wrong"]["value"]),
                         tuple(case["finding"]["facts"][who]["value"] for who in ("xstep", "lldb")))
        stacks = {key: next(step["stack"] for step in case[key]["steps"] if step["text"] == "DW_OP_div")
                  for key in ("right", "wrong")}
        self.assertEqual((stacks["right"], stacks["wrong"]), (["0x3"], ["0 (unsigned 64)"]))
        # The lanes are those of another reader, and the story is what the store says.
        dump = e2e.run(["llvm-dwarfdump-15", "--name=i", program]).stdout
        self.assertEqual([tuple(int(one, 16) for one in pair) for lane in case["lanes"] if lane["kind"] == "entry"
                          for pair in lane["ranges"]],
                         [(int(lo, 16), int(hi, 16)) for lo, hi in re.findall(r"\[(0x\w+), (0x\w+)\):", dump)])
        for number, _, said in case["points"][::6]:
            for witness, word in zip(data["witnesses"], said):
                state = json.loads(self.expect(e2e.xstep(
                    "show", "--format", "json", "--trace", witness["trace"], "--at", number, "kept.db",
                    cwd=self.folder)).stdout)
                told = [one for one in state["vars"] if one["path"] == "i"]
                self.assertEqual(word, (told[0]["value"] or told[0]["state"]) if told else "absent")
        # Stored traces have the same page, but for what was looked at again.
        _, again = self.make("diff", "--format", "html", "kept.db", name="again")
        self.assertEqual([one["finding"]["id"] for one in again.json["cases"]],
                         [one["finding"]["id"] for one in data["cases"]])

    def test_several(self):
        """Several debuggers, kinds and bases, on the program of the demonstration."""
        path, markup = self.make("diff", "--format", "html", "--all", "--contested",
                                 e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2")), name="several")
        data = self.walk(path, markup)
        self.assertLessEqual({"gdb", "lldb"}, {case["party"] for case in data["cases"]})

    def test_check(self):
        programs = [e2e.compile("check_line.c", e2e.CLANG, ("-g", level)) for level in ("-O0", "-O2")]
        path, markup = self.make("check", "opt", "--format", "html", *programs, name="check", status=(1,))
        self.assertEqual(markup.json["command"], "check opt")
        with browser.Browser() as page:
            page.open(path)
            self.assertEqual(page.value('document.querySelectorAll(".case h2").length'), len(markup.json["cases"]))
            self.picture(page, path)
            self.assertEqual(page.said, [])

    def test_bundle(self):
        """In a bundle the page is beside the report, has its text, and the line for git bisect."""
        program = e2e.compile("report_div.c", e2e.CLANG, ("-g", "-O1"))
        self.expect(e2e.xstep("diff", "--report", "bugs", program, cwd=self.folder), 1)
        [path] = self.folder.glob("bugs/*lldb-div*/page.html")
        markup = self.look(path)
        [case] = markup.json["cases"]
        with browser.Browser() as page:
            page.open(path)
            ident = case["finding"]["id"]
            self.assertEqual(page.value(f'document.getElementById("report-{ident}").textContent'),
                             path.with_name("report.txt").read_text())
            self.assertIn("git bisect run ./check_lldb.py",
                          page.value(f'document.getElementById("bisect-{ident}").textContent'))
            self.assertEqual(page.value('document.querySelectorAll("button.copy:not([hidden])").length'), 3)
            self.assertEqual(page.said, [])

    def test_nothing(self):
        """Where nothing was found the page says so."""
        path, markup = self.make("check", "levels", "--format", "html", e2e.compile("demo.c"), name="nothing",
                                 status=(0,))
        self.assertEqual(markup.json["cases"], [])
        self.assertIn("Nothing was found.", path.read_text())


@needs_browser
class Trace(Pages):
    """The page of xstep show: what it shows at a stop is what the store says of it."""

    def record(self, program, *words):
        store = self.folder / "kept.db"
        self.expect(e2e.xstep("trace", "--vars", "all", "--frames", "--regs", "-o", store, *words, program))
        return store

    def state(self, store, number):
        return json.loads(self.expect(e2e.xstep("show", "--format", "json", "--at", number, store)).stdout)

    def compare(self, page, store):
        """What is shown now, against the state in the store."""
        said = page.value('document.querySelector("#walk output").textContent')
        number = int(re.match(r"stop (\d+) ", said)[1])
        state = self.state(store, number)
        self.assertIn(state["pc"], said)
        self.assertIn(f":{state['line']}:", said)
        shown = page.value("""Array.from(document.querySelectorAll("tr[data-leaf]:not(.gone)"), (row) => [
            row.querySelector("code").textContent, row.querySelector(".now").textContent])""")
        told = [[one["path"], one["value"] if one["state"] == "value" else f"<{one['state'].replace('-', ' ')}>"]
                for one in state["vars"]]
        self.assertEqual(sorted(shown), sorted(told))
        frames = page.value(
            'Array.from(document.querySelectorAll(".frames li"), (one) => one.textContent.split(" ")[0])')
        self.assertEqual(frames, [frame["function"] for frame in state["frames"]])
        regs = dict(page.value(
            'Array.from(document.querySelectorAll(".regs span"), (one) => one.textContent.split(" "))'))
        self.assertEqual(regs, state["regs"])
        self.assertEqual(page.value('document.querySelector(".source tr.here").dataset.l'), str(state["line"]))
        return number

    @e2e.smoke
    def test_walk(self):
        store = self.record(e2e.compile("diff_demo.c", e2e.GCC, ("-g", "-O2")), "--sample", "all")
        path, markup = self.make("show", "--format", "html", store, name="trace", status=(0,))
        count = len(markup.json["stops"]) // 4
        with browser.Browser() as page:
            page.open(path)
            seen = [self.compare(page, store)]
            for word in ("on", "on", "line-on", "change-on", "last", "back", "line-back", "change-back", "first"):
                page.click(f"[data-go={word}]")
                seen.append(self.compare(page, store))
            self.assertEqual((seen[0], seen[1], seen[2]), (1, 2, 3))
            self.assertEqual(seen[5], markup.json["stops"][4 * (count - 1)])
            self.assertEqual(seen[-1], 1)
            # The slider, a key, a line, a hot line, and an address.
            page.value(f"""(() => {{ const slider = document.querySelector("#walk input");
                slider.value = "{count // 2}"; slider.dispatchEvent(new Event("input")); }})()""")
            self.assertEqual(self.compare(page, store), markup.json["stops"][4 * (count // 2)])
            page.value("document.activeElement.blur()")
            page.key("ArrowRight")
            self.assertEqual(self.compare(page, store), markup.json["stops"][4 * (count // 2 + 1)])
            line = page.value('document.querySelectorAll(".source tr.code")[3].dataset.l')
            page.click(".source tr.code", 3)
            self.assertEqual(page.value('document.querySelector(".source tr.here").dataset.l'), line)
            page.click(".hot tr[data-l]")
            self.compare(page, store)
            page.open(path, anchor="#stop=20")
            self.assertEqual(self.compare(page, store), 20)
            self.picture(page, path)
            self.assertEqual(page.said, [])
            page.open(path, scripts=False)
            self.assertTrue(page.value('document.querySelectorAll(".hits").length'))
            self.assertTrue(page.value('document.querySelector("#walk").hidden'))

    def test_counts(self):
        """The margin has how often a line was come to: a loop of three rounds comes to its body three times."""
        (self.folder / "loop.c").write_text(
            "int sum;\nint main(void)\n{\n\tfor (int i = 0; i < 3; i++)\n\t\tsum += i;\n\treturn 0;\n}\n")
        program = self.folder / "loop"
        self.expect(e2e.run([e2e.GCC, "-g", "-O0", "-o", program, self.folder / "loop.c"]))
        path, _ = self.make("show", "--format", "html", self.record(program), status=(0,))
        with browser.Browser() as page:
            page.open(path)
            hits = dict(page.value('Array.from(document.querySelectorAll(".source tr.code"), '
                                   '(row) => [row.dataset.l, row.querySelector(".hits").textContent])'))
            self.assertEqual((hits["5"], hits["6"]), ("3", "1"))

    def test_many_stops(self):
        """Twenty thousand stops are in a page, and more are counted; a step looks at no more for that."""
        (self.folder / "many.c").write_text(
            "volatile int sum;\nint main(void)\n{\n\tfor (int i = 0; i < 4000; i++)\n\t\tsum += i;\n\treturn 0;\n}\n")
        program = self.folder / "many"
        self.expect(e2e.run([e2e.GCC, "-g", "-O0", "-o", program, self.folder / "many.c"]))
        store = self.folder / "many.db"
        self.expect(e2e.xstep("trace", "--vars", "all", "--sample", "all", "-o", store, program))
        path, markup = self.make("show", "--format", "html", store, name="many", status=(0,))
        self.assertEqual(len(markup.json["stops"]) // 4, 20000)
        self.assertGreater(markup.json["left"], 0)
        with browser.Browser() as page:
            page.open(path)
            last = page.value("""(() => { const slider = document.querySelector("#walk input");
                for (let i = 0; i < 20000; i += 37) {
                    slider.value = String(i); slider.dispatchEvent(new Event("input")); }
                return document.querySelector("#walk output").textContent; })()""")
            self.assertIn(f"stop {markup.json['stops'][4 * 19980]} ", last)
            self.assertEqual(page.said, [])

    def test_refused(self):
        result = e2e.xstep("show", "--format", "html", "--list", "no.db")
        self.expect(result, 2, "--format html is a page of the whole trace")


@needs_debuggers
@needs_browser
class Campaign(Pages):
    """The page of a campaign: each cell of the heat map is what the export says."""

    def test_two_campaigns(self):
        for name, sources, compilers in (("older", ["report_div.c"], "clang-15"),
                                         ("newer", ["diff_demo.c"], "gcc-12")):
            (self.folder / f"{name}.src").mkdir()
            for source in sources:
                shutil.copy(e2e.subject(source), self.folder / f"{name}.src")
            self.expect(e2e.xstep("campaign", "run", "--oracles", "diff", "--sources", f"{name}.src", "--compilers",
                                  compilers, "--levels=-O1", name, cwd=self.folder), 1)
        told = json.loads(self.expect(e2e.xstep("campaign", "export", "newer", cwd=self.folder)).stdout)
        path, markup = self.make("campaign", "export", "--format", "html", "--since", "older", "newer",
                                 name="campaign", status=(0,))
        with browser.Browser() as page:
            page.open(path)
            rows = page.value("""Array.from(document.querySelectorAll(".heatmap tr.row"), (row) => [
                row.querySelector("a").hash.slice(1), row.querySelector("a").textContent,
                Array.from(row.querySelectorAll(".cell"), (cell) => cell.textContent)])""")
            self.assertEqual(rows, [[one["id"], one["signature"], [str(one["cells"][0]["findings"])]]
                                    for one in told["signatures"]])
            self.assertEqual(page.value('document.querySelectorAll(".trend").length'), len(rows))
            self.assertEqual(page.value('document.querySelectorAll("article.case").length'), len(rows))
            changes = page.value('document.querySelectorAll("tr[data-change]").length')
            self.assertEqual(changes, len(markup.json["changes"]))
            page.click(".heatmap a", len(rows) - 1)
            self.assertEqual(page.value("location.hash"), "#" + rows[-1][0])
            self.picture(page, path)
            self.assertEqual(page.said, [])
        self.expect(e2e.xstep("campaign", "export", "--since", "older", "newer", cwd=self.folder), 2,
                    "--since goes with --format html only")


class Ccmd(Pages):
    """The page of xstep ccmd: a case for each cluster, with its instructions and commands."""

    def test_differences(self):
        compiler = self.folder / "evil-gcc"
        compiler.write_text(f'#!/bin/sh\ncase " $* " in\n*" -g0 "*|*" --version "*) ;;\n*) set -- -DWITH_G "$@" ;;\n'
                            f'esac\nexec {e2e.GCC} "$@"\n')
        compiler.chmod(0o700)
        sources = sorted((e2e.TESTDATA / "ccmd").glob("*.S"))
        path, markup = self.make("ccmd", "--format", "html", "--compiler", compiler, "--levels=-O0",
                                 "--no-compare-debug", *sources, name="ccmd", status=(1,))
        first = {one["id"]: one for one in reversed(markup.json["findings"])}
        self.assertGreater(len(markup.json["clusters"]), 5)
        self.assertLessEqual({cluster["first"] for cluster in markup.json["clusters"]}, set(markup.ids))
        if not browser.program():
            self.skipTest("chromium not found: apt-get install chromium")
        with browser.Browser() as page:
            page.open(path)
            for cluster in markup.json["clusters"]:
                at = f'document.getElementById("{cluster["first"]}")'
                one = first[cluster["first"]]
                self.assertEqual(page.value(f'{at}.querySelector("h2").textContent'), one["meaning"])
                self.assertEqual(page.value(f'{at}.querySelectorAll(".context .more").length'),
                                 len(re.findall(r"(?m)^\+", one["context"] or "")))
            page.click(".chips button")
            self.assertLess(page.value('document.querySelectorAll(".row:not([hidden])").length'),
                            len(markup.json["clusters"]))
            self.picture(page, path)
            self.assertEqual(page.said, [])


@needs_debuggers
class Hostile(Pages):
    """Names, files, lines and arguments that are markup, or end what they stand in."""

    EVIL = shown_test.EVIL + b"</script><script>alert(1)</script><img src=x onerror=alert(2)><!--\"'>"

    def setUp(self):
        super().setUp()
        evil = self.EVIL.decode(errors="ignore").encode().replace(b"/", b"\\")
        names = {one: one.encode() + self.EVIL.decode(errors="ignore").encode()
                 for one in (*hostile_names.MEMBERS, *hostile_names.TYPES, "total", "sink")}
        names.update({one: one.encode() + re.sub(b"[()]", b"", evil) for one in ("halves", "scaled", "note")})
        self.subject = hostile_names.Subject(
            str(self.folder), 1, names=names, name=b"p" + evil[-90:], place=b"place",
            file=os.path.join(os.fsencode(self.folder), b"s" + evil[:60] + b".c"), report=b"report", traps=False,
            arguments=[b"<b>&amp;\"'"])
        source = (e2e.TESTDATA / hostile_names.SOURCE).read_bytes()
        line = b" // \t" + self.EVIL.replace(b"\n", b"")
        pathlib.Path(os.fsdecode(self.subject.file)).write_bytes(line.join(source.splitlines(True)).replace(
            b"\n" + line, line + b"\n"))

    def test_diff(self):
        path, markup = self.make("diff", "--format", "html", "--all", "--contested", self.subject.program,
                                 *self.subject.arguments, name="hostile")
        self.assertGreater(len(markup.json["cases"]), 1)
        self.assertNotIn("img", markup.tags)
        text = path.read_text()
        self.assertIn("alert(1)", text)  # it is there, as text
        self.assertEqual(text.count("<script"), 2)
        self.show(path, 2)

    def test_show(self):
        store = self.folder / "kept.db"
        self.expect(e2e.xstep("trace", "--vars", "all", "--frames", "--regs", "-o", store,
                              os.fsdecode(self.subject.program)))
        path, markup = self.make("show", "--format", "html", store, name="hostile-trace", status=(0,))
        self.assertTrue(any("alert(1)" in text for text in markup.json["texts"]))
        self.assertNotIn("img", markup.tags)
        self.show(path, 3)

    def show(self, path, scripts):
        """Has a browser show it: there is nothing in it but what is ours."""
        if not browser.program():
            return
        with browser.Browser() as page:
            page.open(path)
            self.assertEqual(page.value('document.querySelectorAll("script").length'), scripts)
            self.assertEqual(page.value('document.querySelectorAll("img").length'), 0)
            self.assertTrue(page.value('document.querySelectorAll("section").length'))
            self.assertEqual(page.said, [])


if __name__ == "__main__":
    e2e.main()
