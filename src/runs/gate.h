// The gate that everything passes on its way out of a run.
//
//   metrics.Append(12, {Released("clip_norm", 0.11),
//                       Public("noise_multiplier", 1.0),
//                       SimulationOnly("loss", 2.3)});
//
// A value says where it came from: it was `released` (a mechanism made it, and
// the ledger has its cost), is `public` (a function of config and rounds only),
// or is for simulations only (computed from private records without a
// mechanism: losses, realised cohorts, timings). Writers take
// labelled values and nothing else, and outside simulations they silently leave
// out the third kind, so the same code serves both.

#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sfumato::runs {

enum class Label { kReleased, kPublic, kSimulationOnly };
std::string_view Name(Label label);  // "released", "public", "simulation_only"

// A picture, as the bytes of a PNG file.
struct Png {
  std::string bytes;
};

// A boolean, a number, a text or a picture. Invalid UTF-8 is replaced.
class Content {
 public:
  Content(std::same_as<bool> auto truth) : value_(truth) {}
  template <std::integral Whole>
    requires(!std::same_as<Whole, bool>)
  Content(Whole whole) : value_(static_cast<std::int64_t>(whole)) {}
  Content(std::floating_point auto number)
      : value_(static_cast<double>(number)) {}
  Content(const char* text) : Content(std::string_view(text)) {}
  Content(const std::string& text) : Content(std::string_view(text)) {}
  Content(std::string_view text);
  Content(Png png) : value_(std::move(png)) {}

  using Variant = std::variant<bool, std::int64_t, double, std::string, Png>;
  const Variant& value() const { return value_; }

 private:
  Variant value_;
};

// Keys are snake_case, with units in their names.
class Value {
 public:
  const std::string& key() const { return key_; }
  Label label() const { return label_; }
  const Content::Variant& content() const { return content_.value(); }

 private:
  friend Value Released(std::string key, Content content);
  friend Value Public(std::string key, Content content);
  friend Value SimulationOnly(std::string key, Content content);
  Value(std::string key, Label label, Content content);

  std::string key_;
  Label label_;
  Content content_;
};

Value Released(std::string key, Content content);
Value Public(std::string key, Content content);
Value SimulationOnly(std::string key, Content content);

// Whether a run is a simulation. If unknown, it is not.
class Gate {
 public:
  static Gate Simulation() { return Gate(true); }  // generated or public data
  static Gate PrivateData() { return Gate(false); }

  bool simulation() const { return simulation_; }
  bool Lets(const Value& value) const {
    return simulation_ || value.label() != Label::kSimulationOnly;
  }

 private:
  explicit Gate(bool simulation) : simulation_(simulation) {}
  bool simulation_;
};

}  // namespace sfumato::runs
