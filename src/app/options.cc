#include "app/options.h"

#include <charconv>

namespace sfumato::app {
namespace {

constexpr int kMaxSide = 4096;

// A side from the front of `text`, which loses it; 0 when there is none.
int TakeSide(std::string_view& text) {
  int side = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), side);
  if (error != std::errc() || side < 1 || side > kMaxSide) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return side;
}

}  // namespace

CLI::Option* AddSize(CLI::App& app, const std::string& name,
                     data::ImageShape& shape, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&shape, name](const std::string& given) {
            std::string_view rest = given;
            shape.height = TakeSide(rest);
            const bool cross = !rest.empty() && rest.front() == 'x';
            if (cross) rest.remove_prefix(1);
            shape.width = TakeSide(rest);
            if (shape.height == 0 || !cross || shape.width == 0 ||
                !rest.empty()) {
              throw BadInput(
                  fmt::format("'{}' is no size", given), name,
                  fmt::format("HEIGHTxWIDTH, such as 28x28, up to {0}x{0}",
                              kMaxSide));
            }
          },
          help)
      ->option_text("HxW");
}

}  // namespace sfumato::app
