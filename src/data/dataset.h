// A federated dataset: users, each with examples. On disk a folder with
// `dataset.json` (what it is and where it came from) and `data.safetensors`
// (the examples, user after user); the format is docs/data_format.md.
//
//   data::FederatedDataset set("mnist");
//   for (std::size_t u = 0; u < set.users(); ++u) {
//     const data::User user = set.user(u);
//     for (std::size_t i = 0; i < user.size(); ++i) Use(user[i].pixels);
//   }
//
// Opening reads the description alone. A user's examples are views into the
// mapped file: they are read, and checked, when touched and live as long as the
// dataset. Damage throws Corrupt, then and there.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/safetensors.h"
#include "nlohmann/json.hpp"

namespace sfumato::data {

enum class Kind { kImages, kText, kFeatures };

// Whose eyes the data is for. Only generated and public data may be shown
// freely and used for seeded simulation; what nobody declared is private.
enum class Origin { kGenerated, kPublic, kPrivate };

// How sentences are written: `raw` as people typed them; `tokens` as a text
// pipeline left them, one space between tokens (a space inside a token is
// U+00A0).
enum class TextForm { kRaw, kTokens };

std::string_view Name(Kind kind);      // "images", "text", "features"
std::string_view Name(Origin origin);  // "generated", "public", "private"
std::string_view Name(TextForm form);  // "raw", "tokens"

struct ImageShape {
  int height = 0;
  int width = 0;
  int channels = 1;
  std::size_t size() const {
    return static_cast<std::size_t>(height) * width * channels;
  }
  bool operator==(const ImageShape&) const = default;
};

// A further fact about every example, as an index into `values`: which split
// it came from, whether a bug touched it.
struct Column {
  std::string name;
  std::vector<std::string> values;
};

struct DatasetInfo {
  std::string name;
  // For private sets: 128 random bits that stand for the people in it. A set
  // that is derived from this one keeps them, because the people are the same.
  std::string id = "";
  // For private sets: 128 random bits of this very set, drawn when it is
  // written. All that a run keeps of its data (Fingerprint).
  std::string edition = "";
  Kind kind = Kind::kImages;
  Origin origin = Origin::kPrivate;
  // False for a pool of examples that nobody owns yet: one user, to be split.
  bool grouped = true;
  ImageShape image;       // images: [height, width, channel], u8
  int feature_count = 0;  // features: f32
  TextForm text_form = TextForm::kRaw;
  std::vector<std::string> classes;  // names of labels 0, 1, …; may be empty
  std::vector<Column> columns;
  // Whether classes and values of columns were declared by the importer of the
  // set, or by its format, rather than collected from the records.
  bool declared = false;
  // CRC-32C of each tensor, in hexadecimal; none in sets of older programs.
  std::map<std::string, std::string> sums = {};
  // How the set came to be: one object per step ({"step": "import", …}).
  std::vector<nlohmann::json> provenance;
};

nlohmann::json ToJson(const DatasetInfo& info);
// Throws Corrupt when `json` is not what ToJson writes.
DatasetInfo InfoFromJson(const nlohmann::json& json, const std::string& where);

// Classes and values that were collected from private records stand in every
// model, and reveal who is in the set. Throws Unsupported for a private set
// that has some and does not say that they were declared.
void CheckDeclared(const DatasetInfo& info, const std::string& where);

// The error of what needs labels, for a set that has none.
Error NoLabels(const DatasetInfo& info, const std::string& where);

// The error of what needs users, for a pool.
Error NoUsers(const DatasetInfo& info, const std::string& where);

// One example; only the member of the set's kind is filled. Images have 0 as
// background and 255 as full ink or light.
struct Example {
  std::span<const std::uint8_t> pixels = {};
  std::string_view text = {};
  std::span<const float> features = {};
  std::int32_t label = -1;                     // -1: none
  std::span<const std::int32_t> columns = {};  // one value per info column
};

class FederatedDataset;

// The examples of one user, in order.
class User {
 public:
  std::string_view id() const { return id_; }
  std::size_t size() const { return end_ - begin_; }
  Example operator[](std::size_t i) const;

 private:
  friend class FederatedDataset;
  const FederatedDataset* set_ = nullptr;
  std::string_view id_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

class FederatedDataset {
 public:
  // Throws BadInput when `folder` is not a dataset, Corrupt when it is damaged.
  explicit FederatedDataset(const base::Path& folder);

  const DatasetInfo& info() const { return info_; }
  std::size_t users() const { return user_offsets_.size() - 1; }
  std::size_t examples() const { return examples_; }

  // Throws Corrupt when the user's offsets point outside the file.
  User user(std::size_t index) const;
  // The number of a user's examples, without touching them.
  std::size_t user_size(std::size_t index) const { return user(index).size(); }

  // Distinguishes this set from another and reveals nothing: for a private set
  // a checksum of its random `edition`, for others one of dataset.json, and
  // thereby of all contents.
  std::string Fingerprint() const;

  // Reads all bytes once and compares them with the sums that were written with
  // them. Throws Corrupt.
  void CheckSums() const;

  // Reads everything once, as examples. Throws Corrupt.
  void Verify() const;

 private:
  friend class User;
  Example At(std::uint64_t row) const;
  Error Damaged(const std::string& what) const;

  std::string where_;
  DatasetInfo info_;
  base::SafetensorsFile file_;
  std::size_t examples_ = 0;
  std::int32_t label_bound_ = 0;                 // labels lie below it
  std::span<const std::uint64_t> user_offsets_;  // [users + 1], in examples
  std::span<const std::uint64_t> id_offsets_;    // [users + 1], in id bytes
  std::span<const std::uint8_t> id_bytes_;
  std::span<const std::uint8_t> images_;         // [example, h, w, c]
  std::span<const std::uint64_t> text_offsets_;  // [examples + 1], in bytes
  std::span<const std::uint8_t> text_bytes_;
  std::span<const float> features_;        // [example, feature]
  std::span<const std::int32_t> labels_;   // [example], or empty
  std::span<const std::int32_t> columns_;  // [example, column], or empty
};

}  // namespace sfumato::data
