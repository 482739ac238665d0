// The config values that are one of a few words. The file has the word, the
// program has the enum; config_fields.cc converts. Names from other tables
// (model.name, presets, bugs) stay strings.
//
//   config.select.by = By::kAccuracy;
//   Word(config.select.by);  // "accuracy"
//
// A list of words has the order of its enum.

#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::config {

enum class Algorithm { kFedAvg, kDpFedAvg, kDpFedAvgGan };

// Whose data, and which of them: select/criterion.h.
enum class By {
  kEveryone,
  kAccuracy,
  kExamples,
  kClass,
  kColumn,
  kUnlikePublic,
  kPerplexity,
  kLikelihood,
  kBeforeAfter,
  kVote
};
enum class Side { kA, kB };  // the healthy side, and the one in question

// Where something came from that was made before: a model or a vocabulary.
enum class Provenance { kUnknown, kPublic, kReleased, kFixed };

// Of a census: which data are neighbours, what is asked, and who is asked
// apart.
enum class Adjacency { kAddRemove, kReplaceOne };
enum class About { kDamage, kClasses };
// References of a census: of the users' own kind, or not.
enum class References { kAuto, kAlike, kOther };
enum class Groups { kEverybody, kSides, kBeforeAfter };
enum class BugScope { kUsers, kExamples };
enum class Sampling { kPoisson, kFixed, kEveryone };
enum class Weights { kUniform, kExamples };
enum class Clipping { kFixed, kAdaptive };
enum class ServerRule { kSgd, kMomentum, kNesterov, kAdam, kYogi };
enum class GeneratorRule { kSgd, kAdam };
enum class DeviceKind { kAuto, kCpu, kCuda };

template <typename... Text>
constexpr auto ListOfWords(Text... words) {
  return std::array<std::string_view, sizeof...(words)>{words...};
}
template <typename Enum>
inline constexpr std::array<std::string_view, 0> kWords = {};
template <>
inline constexpr auto kWords<Algorithm> =
    ListOfWords("fedavg", "dp_fedavg", "dp_fedavg_gan");
template <>
inline constexpr auto kWords<By> = ListOfWords(
    "everyone", "accuracy", "examples", "class", "column", "unlike_public",
    "perplexity", "likelihood", "before_after", "vote");
template <>
inline constexpr auto kWords<Side> = ListOfWords("a", "b");
template <>
inline constexpr auto kWords<Provenance> =
    ListOfWords("", "public", "released", "fixed");
template <>
inline constexpr auto kWords<Adjacency> =
    ListOfWords("add_remove", "replace_one");
template <>
inline constexpr auto kWords<About> = ListOfWords("damage", "classes");
template <>
inline constexpr auto kWords<References> = ListOfWords("", "alike", "other");
template <>
inline constexpr auto kWords<Groups> = ListOfWords("", "sides", "before_after");
template <>
inline constexpr auto kWords<BugScope> = ListOfWords("users", "examples");
template <>
inline constexpr auto kWords<Sampling> =
    ListOfWords("poisson", "fixed", "everyone");
template <>
inline constexpr auto kWords<Weights> = ListOfWords("uniform", "examples");
template <>
inline constexpr auto kWords<Clipping> = ListOfWords("fixed", "adaptive");
template <>
inline constexpr auto kWords<ServerRule> =
    ListOfWords("sgd", "momentum", "nesterov", "adam", "yogi");
template <>
inline constexpr auto kWords<GeneratorRule> = ListOfWords("sgd", "adam");
template <>
inline constexpr auto kWords<DeviceKind> = ListOfWords("auto", "cpu", "cuda");

template <typename Enum>
std::string Word(Enum value) {
  return std::string(kWords<Enum>.at(static_cast<std::size_t>(value)));
}

template <typename Enum>
std::vector<std::string> AllWords() {
  return {kWords<Enum>.begin(), kWords<Enum>.end()};
}

}  // namespace sfumato::config
