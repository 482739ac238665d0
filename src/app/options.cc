#include "app/options.h"

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"

namespace sfumato::app {
namespace {

constexpr int kMaxSide = 4096;

int Side(std::string_view text) {
  const auto side = base::ParseNumber<int>(text);
  return side && *side >= 1 && *side <= kMaxSide ? *side : 0;
}

}  // namespace

CLI::Option* AddSize(CLI::App& app, const std::string& name,
                     data::ImageShape& shape, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&shape, name](const std::string& given) {
            const std::string_view text = given;
            const auto cross = std::min(text.find('x'), text.size());
            shape.height = Side(text.substr(0, cross));
            shape.width = Side(text.substr(std::min(cross + 1, text.size())));
            if (shape.height == 0 || shape.width == 0) {
              throw BadInput(
                  fmt::format("'{}' is not a size", given), name,
                  fmt::format("HEIGHTxWIDTH, such as 28x28, up to {0}x{0}",
                              kMaxSide));
            }
          },
          help)
      ->option_text("HxW");
}

void ReadColumnValue(const std::string& given, std::string& column,
                     std::string& value) {
  if (given.empty()) return;
  const auto equals = given.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw BadInput(fmt::format("'{}' is not COLUMN=VALUE", given), "--only",
                   "COLUMN=VALUE, such as split=train");
  }
  column = given.substr(0, equals);
  value = given.substr(equals + 1);
}

void RequireEnding(const std::string& file, const std::string& ending) {
  const std::string given = std::filesystem::path(file).extension();
  if (given.empty() || given == ending) return;
  throw BadInput("another kind of file is made", file,
                 fmt::format("give a name that ends in {}", ending));
}

std::string NewFileName(const std::string& named, const std::string& usual) {
  namespace fs = std::filesystem;
  if (!named.empty() && fs::exists(fs::symlink_status(named))) {
    throw BadInput("already exists", named, "choose another name");
  }
  const fs::path path = usual;
  std::string name = named.empty() ? usual : named;
  for (int i = 2; fs::exists(fs::symlink_status(name)); ++i) {
    name = fmt::format("{}-{}{}", path.stem().string(), i,
                       path.extension().string());
  }
  return name;
}

}  // namespace sfumato::app
