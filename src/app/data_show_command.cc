// `sfumato data show`: a picture of some users' images, or their sentences.

#include <algorithm>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "app/private_look.h"
#include "base/error.h"
#include "base/progress.h"
#include "data/picture.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

// Ids may be of any length.
std::string Shortened(std::string_view id) {
  constexpr std::size_t kMost = 80;
  return id.size() <= kMost ? std::string(id)
                            : std::string(id.substr(0, kMost)) + "…";
}

struct ShowOptions {
  std::string folder;
  data::LookOptions look;
  std::string only;
  int scale = 2;
  std::string picture;
  LookGiven look_given;
};

Answer ShowImages(const data::FederatedDataset& set,
                  const std::vector<data::Look>& looks,
                  const ShowOptions& options) {
  const std::string& picture = options.picture;
  const base::Image grid = data::DrawLooks(
      set, looks, static_cast<int>(options.look.per_user), options.scale);
  base::WriteFileAtomically(picture, base::EncodePng(grid));
  json ids = json::array();
  std::string names;
  for (const data::Look& look : looks) {
    ids.push_back(set.user(look.user).id());
    names += fmt::format("\n  row {:<3} {}", ids.size(),
                         Shortened(set.user(look.user).id()));
  }
  return {.text = fmt::format("{} ({}×{} pixels){}", picture, grid.width,
                              grid.height, names),
          .json = {{"picture", picture},
                   {"width", grid.width},
                   {"height", grid.height},
                   {"users", ids}}};
}

// Everything but images reads as lines. A space inside a token is marked; in
// raw text a no-break space is what somebody typed.
std::string Line(const data::Example& example, const data::DatasetInfo& info) {
  if (info.kind == data::Kind::kText) {
    std::string text(example.text);
    if (info.text_form == data::TextForm::kRaw) return text;
    constexpr std::string_view kInnerSpace = "\u00a0";
    for (auto at = text.find(kInnerSpace); at != std::string::npos;
         at = text.find(kInnerSpace, at)) {
      text.replace(at, kInnerSpace.size(), "␣");
    }
    return text;
  }
  constexpr std::size_t kShown = 8;
  const auto some =
      example.features.first(std::min(kShown, example.features.size()));
  return fmt::format("label {}: {:.3g}{}", example.label, fmt::join(some, " "),
                     example.features.size() > kShown ? " …" : "");
}

Answer ShowLines(const data::FederatedDataset& set,
                 const std::vector<data::Look>& looks) {
  json shown = json::object();
  std::string text;
  for (const data::Look& look : looks) {
    const data::User user = set.user(look.user);
    text += fmt::format("{} ({})\n", Shortened(user.id()),
                        base::HumanCount(user.size(), "example"));
    json& lines = shown[std::string(user.id())] = json::array();
    for (const std::size_t i : look.examples) {
      text += "  " + Line(user[i], set.info()) + "\n";
      lines.push_back(set.info().kind == data::Kind::kText
                          ? std::string(user[i].text)
                          : Line(user[i], set.info()));
    }
  }
  return {.text = text, .json = {{"examples", shown}}};
}

Answer Show(ShowOptions& options, const Common& common) {
  const data::FederatedDataset set(options.folder);
  if (set.info().origin != data::Origin::kPrivate) {
    base::Note(fmt::format(
        "'{}' is {} data; show is for data that you are allowed to see",
        set.info().name, data::Name(set.info().origin)));
  }
  ReadColumnValue(options.only, options.look.only_column,
                  options.look.only_value);
  data::CheckFilter(set.info(), options.look);
  options.look.seed = common.seed;
  set.CheckSums();
  if (set.info().kind == data::Kind::kImages) {
    options.picture = NewFileName(options.picture, "grid.png");
    RequireEnding(options.picture, ".png");
  }
  // Before anything is chosen: that nobody has a value is an answer too.
  EnterLook(options.look_given, set.info(),
            {.folder = options.folder,
             .most_records = static_cast<std::int64_t>(options.look.users *
                                                       options.look.per_user),
             .command = "data show"});
  const auto looks = data::ChooseLooks(set, options.look);
  return set.info().kind == data::Kind::kImages
             ? ShowImages(set, looks, options)
             : ShowLines(set, looks);
}

const Registration kShow(
    {.path = "data show",
     .summary = "Draw a PNG grid with a row for each user, or print "
                "sentences. For data that you are allowed to see.",
     .example = "sfumato data make handwriting --users 20 --out people\n"
                "sfumato data show people --picture people.png",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto options = std::make_shared<ShowOptions>();
       app.add_option("DIR", options->folder, "The dataset's folder.")
           ->required();
       app.add_option("--users", options->look.users,
                      "Number of users to show.")
           ->check(CLI::Range(1, 1000))
           ->capture_default_str();
       app.add_option("--per-user", options->look.per_user,
                      "Examples per user.")
           ->check(CLI::Range(1, 1000))
           ->capture_default_str();
       app.add_option("--scale", options->scale, "Scale factor for pixels.")
           ->check(CLI::Range(1, 32))
           ->capture_default_str();
       app.add_option("--only", options->only,
                      "Only examples with COLUMN=VALUE, such as "
                      "bug_mirror=yes.");
       app.add_option("--picture", options->picture,
                      "The PNG file to make, for images (default: grid.png, "
                      "or grid-2.png, … when that is taken).");
       AddLookOptions(app, options->look_given);
       return [options, &common] { return Show(*options, common); };
     }});

}  // namespace
}  // namespace sfumato::app
