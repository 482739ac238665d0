// `sfumato demo people`: people who do not exist, before and after a broken
// update, on one page that explains itself.

#include <memory>
#include <numeric>

#include "app/command.h"
#include "app/demo_page.h"
#include "base/error.h"
#include "base/progress.h"
#include "data/generate/handwriting.h"
#include "data/picture.h"
#include "data/transform/bugs.h"
#include "fmt/format.h"
#include "report/html_parts.h"

namespace sfumato::app {
namespace {

constexpr std::uint64_t kWriters = 120;
constexpr std::size_t kRows = 8;
constexpr int kColumns = 16;

struct DemoOptions {
  std::string out = "demo_people";
  bool out_given = false;
};

// The first writers with at least a row of images, half of them affected.
std::vector<data::Look> Witnesses(const data::FederatedDataset& broken) {
  std::vector<std::size_t> row(kColumns);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<data::Look> witnesses;
  std::size_t affected = 0;
  for (std::size_t u = 0; u < broken.users(); ++u) {
    const data::User user = broken.user(u);
    if (user.size() < row.size()) continue;
    const bool hit = user[0].columns.back() == 1;
    const std::size_t alike = hit ? affected : witnesses.size() - affected;
    if (alike == kRows / 2) continue;
    affected += hit;
    witnesses.push_back({u, row});
  }
  return witnesses;
}

Answer Demo(const DemoOptions& options, const Common& common) {
  const std::string out =
      options.out_given ? options.out : base::FreeName(options.out).string();
  base::StagedFolder folder(out);
  base::Note(fmt::format("Drawing {} writers who do not exist …", kWriters));
  const base::Path people = folder.path() / "people";
  const base::Path people_after = folder.path() / "people_after";
  data::MakeHandwriting({.users = kWriters, .seed = common.seed}, people);
  const data::FederatedDataset before(people);
  base::Note("Shipping an update that inverts the pixels of some of them …");
  const data::BugSummary bug = data::ApplyBug(
      before, {.bug = "invert", .share = 0.5, .seed = common.seed},
      people_after);
  const data::FederatedDataset after(people_after);

  const auto rows = Witnesses(after);
  const std::string png_before =
      base::EncodePng(data::DrawLooks(before, rows, kColumns, 2));
  const std::string png_after =
      base::EncodePng(data::DrawLooks(after, rows, kColumns, 2));
  base::WriteFileAtomically(folder.path() / "before.png", png_before);
  base::WriteFileAtomically(folder.path() / "after.png", png_after);
  base::WriteFileAtomically(
      folder.path() / "index.html",
      DemoPage({.writers = before.users(),
                .images = before.examples(),
                .writers_affected = bug.users_affected,
                .rows = rows.size(),
                .seed = common.seed,
                .before_png_base64 = report::Base64(png_before),
                .after_png_base64 = report::Base64(png_after)}));
  folder.Commit();

  return {.text = fmt::format(
              "{0}/index.html   {1} writers, before and after an update that "
              "broke {2} of them\n\n"
              "Open it in a browser, or look at {0}/before.png and "
              "{0}/after.png. Then:\n"
              "  sfumato data describe {0}/people_after\n"
              "  sfumato data bug {0}/people --bug mirror --out {0}/mirrored\n"
              "  sfumato data show {0}/mirrored --only bug_mirror=yes",
              out, kWriters, bug.users_affected),
          .json = {{"page", out + "/index.html"},
                   {"before", out + "/before.png"},
                   {"after", out + "/after.png"},
                   {"users", before.users()},
                   {"examples", before.examples()},
                   {"users_affected", bug.users_affected}}};
}

const Registration kDemo(
    {.path = "demo people",
     .summary = "Make a page of people who do not exist, before and after a "
                "broken update.",
     .example = "sfumato demo people --out first_look",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto options = std::make_shared<DemoOptions>();
       CLI::Option* out =
           app.add_option("--out", options->out,
                          "The folder to make (default: demo_people, or "
                          "demo_people-2, … when that is taken).");
       return [options, out, &common] {
         options->out_given = out->count() > 0;
         return Demo(*options, common);
       };
     }});

}  // namespace
}  // namespace sfumato::app
