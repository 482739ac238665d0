#!/usr/bin/env python3
"""The report page in a headless Chromium: slider and keys work, nothing is
asked for, the console stays silent, it fits a phone, it prints.

    SFUMATO_WRITE_REPORT_PAGE=build/…/write_report_page report_page_test.py [SHOTS]

With a folder SHOTS, pictures of the page are left there to look at.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chromium  # noqa: E402

SHOTS = None
# The step that is shown in each grid, as its pictures say.
SHOWN = """[...document.querySelectorAll('.grid .stack')].map(
    s => [...s.children].filter(i => !i.hidden).map(i => Number(i.dataset.step)))"""
# Whose pictures lie in B's place.
IN_B = "document.querySelector('#grid-b img').alt"


class ReportPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sfumato-page-")
        inspection = pathlib.Path(cls.folder.name) / "phones"
        subprocess.run([os.environ["SFUMATO_WRITE_REPORT_PAGE"], str(inspection)],
                       check=True)
        cls.html = inspection / "report.html"
        cls.url = cls.html.as_uri()
        cls.browser = chromium.Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def open(self, **options):
        return self.browser.open(self.url, **options)

    def assert_silent(self, page):
        self.assertEqual(page.errors, [])
        self.assertEqual(page.requests, [self.url])

    def test_one_slider_moves_all_grids(self):
        page = self.open()
        self.assertEqual(page.value(SHOWN), [[5], [5], [5]])
        page.value("const s = document.getElementById('step'); s.value = 2;"
                   "s.dispatchEvent(new Event('input'));")
        self.assertEqual(page.value(SHOWN), [[2], [2], [2]])
        self.assertEqual(page.value("document.getElementById('round').textContent"),
                         "after round 200")
        self.assert_silent(page)

    def test_arrow_keys_go_through_the_rounds_and_stop_at_the_ends(self):
        page = self.open()
        page.key("ArrowLeft")
        self.assertEqual(page.value(SHOWN), [[4], [4], [4]])
        page.key("ArrowRight")
        page.key("ArrowRight")
        self.assertEqual(page.value(SHOWN), [[5], [5], [5]])
        for _ in range(9):
            page.key("ArrowLeft")
        self.assertEqual(page.value(SHOWN), [[0], [0], [0]])
        self.assertEqual(page.value("document.getElementById('step').value"), "0")
        self.assert_silent(page)

    def test_f_lays_the_third_grid_over_b_and_back(self):
        page = self.open()
        before = page.value(IN_B)
        self.assertIn("model B", before)
        page.key("f")
        self.assertIn("changed as the first hypothesis says", page.value(IN_B))
        self.assertEqual(page.value(
            "document.getElementById('flip').getAttribute('aria-pressed')"), "true")
        page.key("ArrowLeft")
        self.assertEqual(page.value(SHOWN), [[4], [4], [4]])
        page.key("f")
        self.assertEqual(page.value(IN_B), before)
        self.assert_silent(page)

    def test_nothing_can_be_asked_for(self):
        page = self.open()
        self.assertEqual(page.value(
            "(async () => 0)() && document.images.length > 0"), True)
        page.value("const i = new Image(); i.src = 'http://127.0.0.1:9/x.png';"
                   "document.body.append(i); fetch('http://127.0.0.1:9/').catch(() => 0);")
        page.value("new Promise(done => setTimeout(done, 300))")
        refused = [e for e in page.errors if "Content Security Policy" in e]
        self.assertGreaterEqual(len(refused), 2)

    def test_it_fits_a_phone_in_light_and_dark(self):
        for dark in (False, True):
            page = self.open(width=400, height=800, dark=dark)
            self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 400)
            paper = page.value("getComputedStyle(document.body).backgroundColor")
            self.assertEqual(paper, "rgb(22, 24, 28)" if dark else "rgb(253, 252, 250)")
            self.assert_silent(page)
            if SHOTS:
                height = page.value("document.documentElement.scrollHeight")
                page.shot(SHOTS / f"phone_{'dark' if dark else 'light'}.png",
                          (0, 0, 400, height))

    def test_the_first_screen_has_question_answer_and_grids(self):
        page = self.open(width=1280, height=800)
        for what in ("h1", ".verdict", "#grid-a", "#grid-b"):
            top, bottom = page.value(
                f"(r => [r.top, r.bottom])(document.querySelector('{what}')"
                ".getBoundingClientRect())")
            self.assertGreaterEqual(top, 0, what)
            self.assertLessEqual(bottom, 800, what)

    def test_on_a_phone_tables_scroll_in_their_own_boxes(self):
        page = self.open(width=390, height=844)
        page.value("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)
        self.assertEqual(page.value(
            "[...document.querySelectorAll('body *')].filter(e => "
            "e.getBoundingClientRect().right > 391 && !e.closest('.scroll, pre'))"
            ".map(e => e.outerHTML.slice(0, 80))"), [])

    def test_every_figure_is_titled_and_has_a_table(self):
        page = self.open()
        self.assertGreaterEqual(page.value("document.querySelectorAll('.chart').length"), 4)
        self.assertTrue(page.value(
            "[...document.querySelectorAll('.chart')].every(f => "
            "f.querySelector('svg > title').textContent && "
            "f.querySelector('svg > desc').textContent && "
            "f.querySelector('details table tbody tr'))"))
        self.assertTrue(page.value("[...document.images].every(i => i.alt && "
                                   "i.complete && i.naturalWidth > 0)"))

    def test_it_prints(self):
        page = self.open()
        target = pathlib.Path(self.folder.name) / "page.pdf"
        page.pdf(target)
        self.assertTrue(target.read_bytes().startswith(b"%PDF"))
        if SHOTS:
            (SHOTS / "page.pdf").write_bytes(target.read_bytes())
            for dark in (False, True):
                wide = self.open(width=1200, height=900, dark=dark)
                height = wide.value("document.documentElement.scrollHeight")
                for i, y in enumerate(range(0, height, 1700)):
                    wide.shot(SHOTS / f"{'dark' if dark else 'light'}_{i}.png",
                              (0, y, 1200, min(1700, height - y)))


if __name__ == "__main__":
    if chromium.find() is None:
        print("skipped: there is no chromium here")
        sys.exit(77)
    if len(sys.argv) > 1:
        SHOTS = pathlib.Path(sys.argv.pop(1))
        SHOTS.mkdir(parents=True, exist_ok=True)
    unittest.main()
