// `sfumato data show`: a picture of some users' images, or their sentences.

#include <memory>

#include "app/command.h"
#include "base/error.h"
#include "base/progress.h"
#include "data/picture.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

struct ShowOptions {
  std::string folder;
  std::size_t users = 8;
  int per_user = 12;
  int scale = 2;
  std::string picture = "grid.png";
};

Answer ShowImages(const data::FederatedDataset& set,
                  const std::vector<std::size_t>& users,
                  const ShowOptions& options) {
  const base::Image grid =
      data::DrawUsers(set, users, options.per_user, options.scale);
  base::WriteFileAtomically(options.picture, base::EncodePng(grid));
  json ids = json::array();
  std::string names;
  for (const std::size_t u : users) {
    ids.push_back(set.user(u).id());
    names += fmt::format("\n  row {:<3} {}", ids.size(), set.user(u).id());
  }
  return {.text = fmt::format("{} ({}×{} pixels){}", options.picture,
                              grid.width, grid.height, names),
          .json = {{"picture", options.picture},
                   {"width", grid.width},
                   {"height", grid.height},
                   {"users", ids}}};
}

// Everything but images reads as lines.
std::string Line(const data::Example& example, const data::DatasetInfo& info) {
  if (info.kind == data::Kind::kText) return std::string(example.text);
  constexpr std::size_t kShown = 8;
  const auto some =
      example.features.first(std::min(kShown, example.features.size()));
  return fmt::format("label {}: {:.3g}{}", example.label, fmt::join(some, " "),
                     example.features.size() > kShown ? " …" : "");
}

Answer ShowLines(const data::FederatedDataset& set,
                 const std::vector<std::size_t>& users,
                 const ShowOptions& options) {
  json shown = json::object();
  std::string text;
  for (const std::size_t u : users) {
    const data::User user = set.user(u);
    text += fmt::format("{} ({} examples)\n", user.id(), user.size());
    json& lines = shown[std::string(user.id())] = json::array();
    const std::size_t count =
        std::min(user.size(), static_cast<std::size_t>(options.per_user));
    for (std::size_t i = 0; i < count; ++i) {
      const std::string line = Line(user[i], set.info());
      lines.push_back(line);
      text += "  " + line + "\n";
    }
  }
  return {.text = text, .json = {{"examples", shown}}};
}

Answer Show(const ShowOptions& options, const Common& common) {
  const data::FederatedDataset set(options.folder);
  if (set.info().origin == data::Origin::kPrivate) {
    base::Warning(
        "this shows the records themselves; it is for data that you are "
        "allowed to see");
  } else {
    base::Note(
        fmt::format("'{}' is {} data; show is for data that you are "
                    "allowed to see",
                    set.info().name, data::Name(set.info().origin)));
  }
  const auto users = data::PickUsers(set, options.users, common.seed);
  return set.info().kind == data::Kind::kImages
             ? ShowImages(set, users, options)
             : ShowLines(set, users, options);
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
       app.add_option("--users", options->users, "How many users to show.")
           ->check(CLI::Range(1, 1000))
           ->capture_default_str();
       app.add_option("--per-user", options->per_user,
                      "How many examples of each.")
           ->check(CLI::Range(1, 1000))
           ->capture_default_str();
       app.add_option("--scale", options->scale,
                      "Enlarge pixels so many times.")
           ->check(CLI::Range(1, 32))
           ->capture_default_str();
       app.add_option("--picture", options->picture,
                      "The PNG file to write (images only).")
           ->capture_default_str();
       return [options, &common] { return Show(*options, common); };
     }});

}  // namespace
}  // namespace sfumato::app
