#include "report/page_style.h"

namespace sfumato::report {

const char* const kPageStyle = R"css(
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #22252b; --quiet: #626873;
  --line: #dfdcd5; --wash: #f4f1eb; --a: #1f6aae; --b: #b3560a; --proof: #5546c4;
  --estimate: #6d5a36; --bad: #b3261e; --bad-wash: #fbe9e7; --good: #2c6e49; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #e4e6ea;
  --quiet: #9aa1ac; --line: #33373f; --wash: #1f2228; --a: #6db3f2; --b: #f2a65a;
  --proof: #a99cff; --estimate: #cdb989; --bad: #ff8a80; --bad-wash: #3a1c1a; --good: #7cc79b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.3rem 5rem; max-width: 68rem; background: var(--paper);
  color: var(--ink); font: 17px/1.6 "Iowan Old Style", Charter, "Source Serif 4", Georgia, serif;
  font-variant-numeric: lining-nums tabular-nums; text-rendering: optimizeLegibility; }
header, section { margin: 0 auto; }
header > *, section > * { max-width: 44rem; margin-left: auto; margin-right: auto; }
header > *, section > .sides, section > .facts, section > .grids, section > .controls,
section > .pair, section > .wide { max-width: 62rem; }
#answer > .grids + .controls + .quiet { max-width: 62rem; }
h1 { font-size: clamp(1.4rem, 2.6vw, 1.9rem); line-height: 1.2; font-weight: 600;
  letter-spacing: -.012em; margin: .5rem auto .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.5rem; font-weight: 600; line-height: 1.25; margin: 4.2rem auto 1.1rem;
  padding-top: 1.1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; font-weight: 600; margin: 2.1rem auto .5rem; }
body { counter-reset: part; }
section > h2::before { counter-increment: part; content: counter(part) "\2002"; color: var(--quiet);
  font-weight: 400; }
main > section:first-child > h2 { margin-top: 1.8rem; }
/* The first screen is the answer; its heading is for those who listen. */
main > #answer:first-child > h2 { position: absolute; width: 1px; height: 1px; margin: 0; padding: 0;
  border: 0; overflow: hidden; clip-path: inset(50%); }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: 0 1.4rem; max-width: 62rem; margin: 0 auto; }
p, ul { margin-top: .7rem; margin-bottom: .7rem; }
a { color: inherit; text-underline-offset: .18em; }
.kicker, .quiet, .method, figcaption, table, dl, .controls, nav, .chip, .note, .who, summary, .side
  { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; }
.kicker { font-size: .82rem; letter-spacing: .05em; color: var(--quiet); margin: 0; }
header > .kicker { margin: 0 auto; }
header:has(> .kicker) > * { max-width: 44rem; }
header:has(> .kicker) { padding-top: 1rem; }
.quiet, .method { color: var(--quiet); font-size: .86rem; line-height: 1.5; }
.lead { font-size: 1.16rem; line-height: 1.55; }
code, pre, kbd { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .86em; }
pre { background: var(--wash); padding: .9rem 1.1rem; border-radius: 6px; overflow-x: auto;
  font-size: .8rem; line-height: 1.55; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .35em; }
[hidden] { display: none !important; }

.verdict { display: flex; gap: .7rem; align-items: baseline; font-size: 1.2rem; line-height: 1.35;
  margin: 0 auto .4rem; }
.verdict .sign { font: 600 1.45rem/1 system-ui, sans-serif; flex: none; }
.ab, .price { font: .86rem/1.45 system-ui, "Helvetica Neue", Arial, sans-serif; margin-top: .25rem;
  margin-bottom: .25rem; }
.ab > span { display: inline-block; margin-right: 1.4rem; }
.verdict.differs .sign, .verdict.failed .sign { color: var(--bad); }
.verdict.same .sign { color: var(--good); }
.verdict.unsure .sign, .verdict.plain .sign { color: var(--quiet); }
.band { background: var(--bad-wash); color: var(--bad); border-left: 4px solid var(--bad);
  padding: .3rem .8rem; border-radius: 0 6px 6px 0; font: .84rem/1.45 system-ui, sans-serif;
  margin-top: .4rem; margin-bottom: .4rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1.2rem; margin-top: 1.4rem; }
.who { border-top: 3px solid; padding-top: .5rem; font-size: .93rem; line-height: 1.45; }
.who p { margin: .15rem 0; color: var(--ink); }
.who p.quiet { color: var(--quiet); }
.who.a { border-color: var(--a); } .who.b { border-color: var(--b); border-top-style: double; }
.side { font-weight: 650; white-space: nowrap; }
.side.a { color: var(--a); } .side.b { color: var(--b); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .9rem 1.6rem;
  margin: 1.5rem auto 0; padding: 1rem 0; border-top: 1px solid var(--line);
  border-bottom: 1px solid var(--line); }
dt { font-size: .74rem; letter-spacing: .05em; color: var(--quiet); }
dd { margin: .1rem 0 0; font-size: .9rem; line-height: 1.45; overflow-wrap: anywhere; }
nav { font-size: .82rem; color: var(--quiet);
  display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
nav a { text-decoration: none; color: var(--quiet); } nav a:hover { text-decoration: underline; }

.chip { display: inline-block; font-size: .72rem; line-height: 1.35; padding: .06rem .5rem;
  border: 1px solid; border-radius: 99px; white-space: nowrap; vertical-align: .08em; color: var(--quiet); }
.proven, .chip.proven { color: var(--proof); }
.chip.proven { border-style: solid; }
.chip.simulation { border-style: dashed; color: var(--estimate); }
.chip.bad, .bad { color: var(--bad); }
.chip.differs { color: var(--bad); } .chip.same { color: var(--good); }
.claimed { color: var(--quiet); }
.estimate { color: var(--estimate); }

.grids { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1.1rem; margin-top: 1.4rem; }
main > #answer:first-child > .grids:nth-child(2) { margin-top: .6rem; }
.grids.two { grid-template-columns: 1fr 1fr; gap: 1.6rem; }
#answer > .grids.two:not(:has(.real)) { max-width: 50rem; }
.grids.one { grid-template-columns: minmax(0, 34rem); justify-content: center; }
.grids.one + .controls { max-width: 34rem; }
.grid { margin: 0; min-width: 0; }
.grid figcaption, .thumbs figcaption { font-size: .9rem; margin-bottom: .4rem; min-height: 1.5em; }
.grid.real { outline: 2px solid var(--bad); outline-offset: 5px; }
.stack { background: #808080; border-radius: 3px; overflow: hidden; }
img { display: block; width: 100%; height: auto; image-rendering: pixelated; border-radius: 3px; }
.hole { display: grid; place-items: center; aspect-ratio: 1; color: #fff;
  font: .85rem system-ui, sans-serif; }
#grid-a .stack { box-shadow: 0 4px 0 var(--a); } #grid-b .stack { box-shadow: 0 4px 0 var(--b); }
#grid-t .stack { box-shadow: 0 4px 0 var(--line); }
.flipped #grid-b figcaption, .flipped #grid-t figcaption { opacity: .35; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-top: 1.1rem;
  font-size: .88rem; }
.controls input { flex: 1 1 12rem; accent-color: var(--ink); min-height: 1.6rem; }
.controls output { min-width: 7.5em; font-variant-numeric: tabular-nums; }
button { font: inherit; color: inherit; background: var(--wash); border: 1px solid var(--line);
  border-radius: 6px; padding: .25rem .8rem; cursor: pointer; }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
:focus-visible { outline: 2px solid var(--proof); outline-offset: 2px; }

.note { background: var(--wash); border-radius: 6px; padding: .35rem 1.1rem; margin-top: 1.3rem;
  margin-bottom: 1.3rem; font-size: .93rem; line-height: 1.55; }
.note ul { padding-left: 1.1rem; }
.note.bad { background: var(--bad-wash); }
.statement { margin: 1.1rem auto; padding: .2rem 0 .2rem 1.2rem; border-left: 3px solid var(--proof);
  font-size: 1.08rem; line-height: 1.6; }

.hypotheses { list-style: none; padding: 0; }
.hypothesis { margin: 0 0 2.4rem; }
.hypothesis h3 { font-size: 1.25rem; margin: 0 0 .2rem; }
.rank { display: inline-block; min-width: 1.3em; color: var(--quiet); font-weight: 400; }
.share { display: flex; flex-wrap: wrap; align-items: center; gap: .1rem 1rem; }
.share svg { width: 260px; max-width: 100%; height: auto; color: var(--estimate); }
.share p { margin: 0; font: .9rem/1.5 system-ui, sans-serif; }
.thumbs { margin: .9rem 0; } .thumbs img { max-width: 34rem; }

.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; }
section > .columns { max-width: 62rem; }
.columns > div { min-width: 0; }
.columns .head { margin: .6rem 0 0; }
.columns ul { list-style: none; padding: 0; margin: .3rem 0; font-size: .93rem; line-height: 1.45; }
.columns li { padding: .28rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.words td, .words th { padding-top: .2rem; padding-bottom: .2rem; }
.words th[scope="row"] { padding-left: 3px; }
.word { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .84rem;
  background: var(--wash); border-radius: 3px; padding: .05rem .35rem; overflow-wrap: anywhere;
  white-space: pre-wrap; }
.word.marked { outline: 1.5px solid var(--b); color: var(--b); font-weight: 600; }
.unknown { font: .72rem/1.3 system-ui, sans-serif; letter-spacing: .04em; border: 1px dashed var(--bad);
  color: var(--bad); border-radius: 3px; padding: 0 .3em; }

.scroll { overflow-x: auto; }
/* A shade where there is more to scroll to. */
.scroll:has(> table) { background: linear-gradient(to right, var(--paper) 40%, transparent) left / 36px 100%
    no-repeat local, linear-gradient(to left, var(--paper) 40%, transparent) right / 36px 100% no-repeat local,
  linear-gradient(to right, #8886, transparent) left / 12px 100% no-repeat scroll,
  linear-gradient(to left, #8886, transparent) right / 12px 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; line-height: 1.4; margin: .9rem 0; }
caption { text-align: left; color: var(--quiet); padding-bottom: .5rem; font-size: .84rem; }
th, td { padding: .42rem .8rem .42rem 0; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
th[scope="row"], thead th:first-child { text-align: left; font-weight: 400; }
thead th { font-weight: 500; color: var(--quiet); font-size: .78rem; border-bottom-color: var(--quiet); }
.facts-table thead { display: none; }
td.left, th.left { text-align: left; padding-left: 1.6rem; }
.facts-table td.left { padding-left: 0; overflow-wrap: anywhere; }
.facts-table th[scope="row"] { color: var(--quiet); white-space: nowrap; width: 9rem; }
.sided th:nth-child(2) { color: var(--a); } .sided th:nth-child(3) { color: var(--b); }
.estimates td { color: var(--ink); }
.estimates td.grey, .sided th.grey, th.grey { color: var(--quiet); opacity: .65; }
tr.bad th, tr.bad td { color: var(--bad); }
.hashes td, .hashes th { white-space: nowrap; }

.chart { margin: 1.6rem auto; }
.chart figcaption { font-size: .88rem; line-height: 1.5; margin-bottom: .5rem; }
.chart svg { display: block; width: 100%; height: auto; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 0 2rem; }
.pair .chart { margin: .8rem 0; min-width: 0; }
details { margin-top: .6rem; margin-bottom: .6rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .84rem; }
footer { max-width: 44rem; margin: 4rem auto 0; border-top: 1px solid var(--line); padding-top: 1rem; }

@media screen and (max-width: 46rem) {
  body { font-size: 16px; padding: 1.4rem 1rem 3rem; }
  .grids { grid-template-columns: 1fr 1fr; gap: .7rem; }
  .sides { gap: .8rem; }
  .columns { gap: 0 .9rem; }
  h2 { margin-top: 3rem; }
  .chart svg text { font-size: 18px; }
  .pair .chart svg text { font-size: 15px; }
  th, td { padding-right: .45rem; } td.left, th.left { padding-left: .5rem; }
  table { font-size: .8rem; }
  .facts-table th[scope="row"] { width: auto; white-space: normal; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --wash: #f3f3f3; --a: #1f6aae;
    --b: #b3560a; --proof: #5546c4; --estimate: #6d5a36; --bad: #b3261e; --bad-wash: #fff; --good: #2c6e49;
    color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .controls, nav { display: none !important; }
  .scroll { overflow: visible; background: none !important; }
  h2 { margin-top: 2rem; break-after: avoid; }
  figure, .hypothesis, tr, .note, .statement { break-inside: avoid; }
  .band { border: 1px solid; }
  .grid.real { outline-offset: -1px; }
  .pair { grid-template-columns: 1fr 1fr; }
  .pair > div { break-inside: avoid; }
  .wide table { font-size: 8pt; }
  .lead { font-size: 1.05em; } .verdict { font-size: 1.15em; }
}
)css";

const char* const kPageScript = R"js(
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const rounds = data.page.rounds;
  const controls = document.querySelector(".controls");
  const slider = byId("step");
  const flip = byId("flip");
  let step = rounds.length - 1;
  let flipped = false;

  const show = () => {
    for (const image of document.querySelectorAll("[data-step]")) {
      image.hidden = Number(image.dataset.step) !== step;
    }
    if (controls) byId("round").textContent = "after round " + rounds[step];
    if (slider) slider.value = step;
  };
  const move = (by) => {
    step = Math.min(rounds.length - 1, Math.max(0, step + by));
    show();
  };
  // The third grid's pictures and B's change places, so that the eye stays.
  const turn = () => {
    const b = byId("grid-b").querySelector(".stack");
    const t = byId("grid-t").querySelector(".stack");
    const hold = document.createElement("span");
    b.replaceWith(hold);
    t.replaceWith(b);
    hold.replaceWith(t);
    flipped = !flipped;
    flip.setAttribute("aria-pressed", String(flipped));
    byId("grid-b").parentElement.classList.toggle("flipped", flipped);
  };

  if (controls && rounds.length > 0) {
    controls.hidden = false;
    show();
    if (slider) slider.addEventListener("input", () => { step = Number(slider.value); show(); });
    if (flip) flip.addEventListener("click", turn);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.closest("input, textarea, select");
      if (event.key === "f" && flip) { turn(); event.preventDefault(); }
      if (typing || !slider) return;
      if (event.key === "ArrowLeft") { move(-1); event.preventDefault(); }
      if (event.key === "ArrowRight") { move(1); event.preventDefault(); }
    });
  }
  const check = byId("check-data");
  check.textContent = "its data is whole (" + data.schema + "), " + document.images.length +
    " pictures, all inside";
  check.parentElement.hidden = [...document.images].some((image) => !image.src.startsWith("data:"));
})();
)js";

}  // namespace sfumato::report
