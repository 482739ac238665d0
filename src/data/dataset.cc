#include "data/dataset.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <unordered_set>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/schema.h"
#include "base/utf8.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "sfumato.dataset/1";
constexpr int kMaxSide = 1 << 14;

template <typename Enum>
Enum FromName(const std::string& name, std::initializer_list<Enum> all,
              const char* key) {
  for (const Enum value : all) {
    if (Name(value) == name) return value;
  }
  throw std::invalid_argument(fmt::format("{} is '{}'", key, name));
}

std::string ToHex(std::uint32_t sum) { return fmt::format("{:08x}", sum); }

DatasetInfo ReadInfo(const json& j) {
  if (j.at("schema") != kSchema) {
    throw std::invalid_argument(
        fmt::format("schema is {}, not {}", j.at("schema").dump(), kSchema));
  }
  DatasetInfo info;
  info.name = j.at("name").get<std::string>();
  info.kind = FromName(j.at("kind").get<std::string>(),
                       {Kind::kImages, Kind::kText, Kind::kFeatures}, "kind");
  info.origin = FromName(
      j.at("origin").get<std::string>(),
      {Origin::kGenerated, Origin::kPublic, Origin::kPrivate}, "origin");
  info.grouped = j.at("grouped").get<bool>();
  if (info.kind == Kind::kImages) {
    for (const json& side : j.at("image_shape")) {
      if (!side.is_number_integer()) {
        throw std::invalid_argument("image_shape is not of whole numbers");
      }
    }
    const auto shape = j.at("image_shape").get<std::array<int, 3>>();
    for (const int side : shape) {
      if (side < 1 || side > kMaxSide) {
        throw std::invalid_argument("image_shape is out of range");
      }
    }
    if (shape[2] != 1 && shape[2] != 3) {
      throw std::invalid_argument("image_shape has neither 1 nor 3 channels");
    }
    info.image = {shape[0], shape[1], shape[2]};
  }
  if (info.kind == Kind::kFeatures) {
    info.feature_count = j.at("feature_count").get<int>();
    if (info.feature_count < 1) {
      throw std::invalid_argument("feature_count is not positive");
    }
  }
  if (info.kind == Kind::kText) {
    info.text_form = FromName(j.at("text_form").get<std::string>(),
                              {TextForm::kRaw, TextForm::kTokens}, "text_form");
  }
  info.classes = j.at("classes").get<std::vector<std::string>>();
  for (const json& column : j.at("columns")) {
    info.columns.push_back(
        {column.at("name").get<std::string>(),
         column.at("values").get<std::vector<std::string>>()});
  }
  info.id = j.value("id", std::string());
  info.edition = j.value("edition", std::string());
  info.declared = j.value("declared", false);
  info.sums = j.value("crc32c", std::map<std::string, std::string>());
  info.provenance = j.at("provenance").get<std::vector<json>>();
  for (const json& step : info.provenance) {
    if (!step.is_object() || !step.value("step", json()).is_string()) {
      throw std::invalid_argument("a step of provenance is not an object");
    }
  }
  return info;
}

}  // namespace

std::string_view Name(Kind kind) {
  switch (kind) {
    case Kind::kImages:
      return "images";
    case Kind::kText:
      return "text";
    case Kind::kFeatures:
      return "features";
  }
  return "";
}

std::string_view Name(Origin origin) {
  switch (origin) {
    case Origin::kGenerated:
      return "generated";
    case Origin::kPublic:
      return "public";
    case Origin::kPrivate:
      return "private";
  }
  return "";
}

std::string_view Name(TextForm form) {
  return form == TextForm::kRaw ? "raw" : "tokens";
}

json ToJson(const DatasetInfo& info) {
  json j = {{"schema", kSchema},        {"name", info.name},
            {"kind", Name(info.kind)},  {"origin", Name(info.origin)},
            {"grouped", info.grouped},  {"classes", info.classes},
            {"columns", json::array()}, {"provenance", info.provenance}};
  if (!info.id.empty()) j["id"] = info.id;
  if (!info.edition.empty()) j["edition"] = info.edition;
  if (info.declared) j["declared"] = true;
  if (!info.sums.empty()) j["crc32c"] = info.sums;
  if (info.kind == Kind::kImages) {
    j["image_shape"] = {info.image.height, info.image.width,
                        info.image.channels};
  }
  if (info.kind == Kind::kFeatures) j["feature_count"] = info.feature_count;
  if (info.kind == Kind::kText) j["text_form"] = Name(info.text_form);
  for (const Column& column : info.columns) {
    j["columns"].push_back({{"name", column.name}, {"values", column.values}});
  }
  return j;
}

DatasetInfo InfoFromJson(const json& j, const std::string& where) {
  const std::string schema =
      j.is_object() && j.contains("schema") && j["schema"].is_string()
          ? j["schema"].get<std::string>()
          : "";
  if (base::IsOtherVersion(schema, kSchema)) {
    throw Unsupported(fmt::format("another version of the program wrote it: "
                                  "schema {}, and this one reads {}",
                                  schema, kSchema),
                      where, "use that version");
  }
  try {
    return ReadInfo(j);
  } catch (const json::exception&) {
    throw Corrupt(j.is_discarded() ? "not JSON"
                                   : "a key of a dataset's description is "
                                     "missing or of the wrong type",
                  where, "make or import the set again");
  } catch (const std::invalid_argument& e) {
    throw Corrupt(e.what(), where, "make or import the set again");
  }
}

void CheckDeclared(const DatasetInfo& info, const std::string& where) {
  if (info.origin != Origin::kPrivate || info.declared ||
      (info.classes.empty() && info.columns.empty())) {
    return;
  }
  throw Unsupported(
      "a private set whose classes or columns were collected from its records",
      where,
      "import it again, with --classes: the names themselves would reveal who "
      "is "
      "in it (docs/data_format.md)");
}

Error NoUsers(const DatasetInfo& info, const std::string& where) {
  return BadInput("a pool of examples that nobody owns", where,
                  info.origin == Origin::kPrivate
                      ? "import it again with the users that they belong to"
                      : "make users of it: sfumato data split");
}

Error NoLabels(const DatasetInfo& info, const std::string& where) {
  return BadInput("a set without labels", where,
                  info.origin == Origin::kPrivate
                      ? "import it again with --classes, which names the "
                        "labels to keep"
                      : "a classifier needs labelled examples; import the "
                        "labels");
}

FederatedDataset::FederatedDataset(const base::Path& folder)
    : where_(folder.string()),
      info_([&] {
        const base::Path file = folder / "dataset.json";
        if (!std::filesystem::exists(file)) {
          throw BadInput("not a dataset: there is no dataset.json",
                         folder.string(),
                         "make one with 'sfumato data make' or 'import'");
        }
        return InfoFromJson(base::ParseJson(base::ReadFile(file, 1 << 28)),
                            file.string());
      }()),
      file_(folder / "data.safetensors") {
  user_offsets_ = file_.Get<std::uint64_t>("user_offsets");
  id_offsets_ = file_.Get<std::uint64_t>("user_id_offsets");
  id_bytes_ = file_.Get<std::uint8_t>("user_id_bytes");
  labels_ = file_.Get<std::int32_t>("labels");
  examples_ = labels_.size();
  // Labels without names may be any count of classes, within reason.
  constexpr std::int32_t kMaxUnnamedClasses = 1'000'000;
  label_bound_ = info_.classes.empty()
                     ? kMaxUnnamedClasses
                     : static_cast<std::int32_t>(info_.classes.size());
  std::size_t expected = examples_;
  std::size_t found = 0;
  std::size_t example_size = 1;
  switch (info_.kind) {
    case Kind::kImages:
      images_ = file_.Get<std::uint8_t>("images");
      example_size = info_.image.size();
      found = images_.size();
      break;
    case Kind::kText:
      text_offsets_ = file_.Get<std::uint64_t>("text_offsets");
      text_bytes_ = file_.Get<std::uint8_t>("text_bytes");
      expected += 1;
      found = text_offsets_.size();
      break;
    case Kind::kFeatures:
      features_ = file_.Get<float>("features");
      example_size = static_cast<std::size_t>(info_.feature_count);
      found = features_.size();
      break;
  }
  if (!info_.columns.empty()) columns_ = file_.Get<std::int32_t>("columns");
  if (__builtin_mul_overflow(expected, example_size, &expected) ||
      found != expected ||
      columns_.size() != examples_ * info_.columns.size()) {
    throw Damaged("tensors and description disagree in size");
  }
  if (user_offsets_.size() < 2 || user_offsets_.front() != 0 ||
      user_offsets_.back() != examples_ ||
      id_offsets_.size() != user_offsets_.size()) {
    throw Damaged("the users' offsets do not cover the examples");
  }
}

Error FederatedDataset::Damaged(const std::string& what) const {
  return Corrupt(what, where_ + "/data.safetensors",
                 "make or import the set again");
}

User FederatedDataset::user(std::size_t index) const {
  assert(index < users());
  User user;
  user.set_ = this;
  user.begin_ = user_offsets_[index];
  user.end_ = user_offsets_[index + 1];
  const std::uint64_t id_begin = id_offsets_[index];
  const std::uint64_t id_end = id_offsets_[index + 1];
  if (user.begin_ > user.end_ || user.end_ > examples_ || id_begin > id_end ||
      id_end > id_bytes_.size()) {
    throw Damaged(fmt::format("the offsets of user {} are wrong", index));
  }
  user.id_ = {reinterpret_cast<const char*>(id_bytes_.data()) + id_begin,
              id_end - id_begin};
  return user;
}

Example User::operator[](std::size_t i) const {
  assert(i < size());
  return set_->At(begin_ + i);
}

Example FederatedDataset::At(std::uint64_t row) const {
  const auto complain = [&](const char* what) {
    return Damaged(fmt::format("example {}: {}", row, what));
  };
  Example example;
  example.label = labels_[row];
  if (example.label < -1 || example.label >= label_bound_) {
    throw complain("its label has no class");
  }
  if (!columns_.empty()) {
    example.columns =
        columns_.subspan(row * info_.columns.size(), info_.columns.size());
  }
  for (std::size_t c = 0; c < example.columns.size(); ++c) {
    const auto value = static_cast<std::uint32_t>(example.columns[c]);
    if (value >= info_.columns[c].values.size()) {
      throw complain("a column has a value without a name");
    }
  }
  switch (info_.kind) {
    case Kind::kImages:
      example.pixels =
          images_.subspan(row * info_.image.size(), info_.image.size());
      break;
    case Kind::kText: {
      const std::uint64_t begin = text_offsets_[row];
      const std::uint64_t end = text_offsets_[row + 1];
      if (begin > end || end > text_bytes_.size()) {
        throw complain("its text lies outside the file");
      }
      example.text = {reinterpret_cast<const char*>(text_bytes_.data()) + begin,
                      end - begin};
      if (!base::IsUtf8(example.text)) throw complain("its text is not UTF-8");
      break;
    }
    case Kind::kFeatures:
      example.features =
          features_.subspan(row * info_.feature_count, info_.feature_count);
      for (const float value : example.features) {
        if (!std::isfinite(value)) throw complain("a feature is not finite");
      }
      break;
  }
  return example;
}

std::string FederatedDataset::Fingerprint() const {
  const std::string& random = info_.edition.empty() ? info_.id : info_.edition;
  return ToHex(base::Crc32c(
      info_.origin == Origin::kPrivate
          ? random
          : base::ReadFile(base::Path(where_) / "dataset.json", 1 << 28)));
}

void FederatedDataset::CheckSums() const {
  constexpr std::size_t kPiece = 1 << 20;
  for (const auto& [name, expected] : info_.sums) {
    std::uint32_t sum = 0;
    std::string_view rest;
    if (file_.Has(name)) {
      const auto bytes = file_.tensor(name).bytes;
      rest = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    while (!rest.empty()) {
      base::CheckInterrupted();
      sum = base::Crc32c(rest.substr(0, kPiece), sum);
      rest.remove_prefix(std::min(kPiece, rest.size()));
    }
    if (ToHex(sum) == expected) continue;
    throw Damaged(fmt::format(
        "'{}' is not what was written: its checksum is another", name));
  }
}

void FederatedDataset::Verify() const {
  CheckSums();
  std::unordered_set<std::string_view> ids;
  for (std::size_t u = 0; u < users(); ++u) {
    const User person = user(u);
    if (person.id().empty() || !base::IsUtf8(person.id())) {
      throw Damaged(fmt::format("the id of user {} is empty or not UTF-8", u));
    }
    if (!ids.insert(person.id()).second) {
      throw Damaged(fmt::format("the id of user {} comes twice", u));
    }
    for (std::size_t i = 0; i < person.size(); ++i) {
      base::CheckInterrupted();
      person[i];
    }
  }
}

}  // namespace sfumato::data
