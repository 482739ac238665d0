#include "app/demo_page.h"

#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr const char* kStyle = R"(
  :root { color-scheme: light dark; }
  body { font: 17px/1.5 system-ui, sans-serif; max-width: 68rem;
         margin: 2.5rem auto; padding: 0 1.2rem; }
  h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .3rem; }
  .lead { font-size: 1.15rem; opacity: .8; margin-top: 0; }
  .pair { display: flex; flex-wrap: wrap; gap: 1.5rem; }
  figure { margin: 0; flex: 1 1 28rem; }
  img { width: 100%; image-rendering: pixelated; border-radius: 4px; }
  figcaption { margin-bottom: .4rem; }
  pre { padding: .8rem 1rem; border: 1px solid; border-radius: 4px;
        overflow-x: auto; font-size: .9rem; }
  footer { margin-top: 2rem; font-size: .9rem; opacity: .75; }
)";

}  // namespace

std::string DemoPage(const DemoFacts& facts) {
  return fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Sfumato: before and after the update</title>
<style>{style}</style>
</head>
<body>
<h1>Something broke in last night's update. On which phones, and what?</h1>
<p class="lead">{writers} people, {images} handwritten characters, one bug on {affected} of them.</p>

<div class="pair">
<figure>
<figcaption><strong>Before the update.</strong> {rows} writers, a row each.</figcaption>
<img alt="Rows of handwritten characters, bright ink on dark paper, each row in another hand" src="data:image/png;base64,{before}">
</figure>
<figure>
<figcaption><strong>After it.</strong> The same writers; the pixels of some are inverted.</figcaption>
<img alt="The same rows; in half of them the paper is bright and the ink dark" src="data:image/png;base64,{after}">
</figure>
</div>

<h2>Why this page can exist</h2>
<p>Nobody on it does. Every writer is drawn by the program from a number: slant, stroke,
tremor, and the habit of crossing a seven are theirs, and the same seed draws them again on
every machine.</p>
<p>With real people you would see neither picture. Their characters stay on their phones,
and all you get is a number that jumped: more corrections than yesterday. Looking at data
that nobody may look at, within a privacy bound that is proven, is what Sfumato is for.
These sets, with the bug on record, are what its methods are tried and scored on.</p>

<h2>Make it yourself</h2>
<pre>sfumato data make handwriting --users {writers_plain} --seed {seed} --out people
sfumato data bug people --bug invert --share 0.5 --seed {seed} --out people_after
sfumato data describe people_after
sfumato data show people_after --only bug_invert=yes</pre>

<footer>Everything here was generated (seed {seed}). The page holds its pictures, loads
nothing and asks nobody.</footer>
</body>
</html>
)",
      fmt::arg("style", kStyle),
      fmt::arg("writers", base::HumanCount(facts.writers)),
      fmt::arg("writers_plain", facts.writers),
      fmt::arg("images", base::HumanCount(facts.images)),
      fmt::arg("affected", base::HumanCount(facts.writers_affected)),
      fmt::arg("rows", facts.rows), fmt::arg("seed", facts.seed),
      fmt::arg("before", facts.before_png_base64),
      fmt::arg("after", facts.after_png_base64));
}

}  // namespace sfumato::app
