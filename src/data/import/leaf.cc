#include "data/import/leaf.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::data {
namespace {

using nlohmann::json;

// Where in the document the parser stands.
enum class Place {
  kStart,
  kTop,       // the outer object
  kUsers,     // inside "users"
  kCounts,    // inside "num_samples"
  kSkipped,   // inside "hierarchies", at any depth
  kUserData,  // inside "user_data"
  kUser,      // inside one user's object
  kX,
  kRow,  // inside one element of x
  kY,
};

// Receives nlohmann's events; throws at the first thing that is not LEAF.
class LeafHandler : public nlohmann::json_sax<json> {
 public:
  LeafHandler(const std::string& where, const LeafVisitor& visit)
      : where_(where), visit_(visit) {}

  bool null() override { return Skip("null"); }
  bool boolean(bool) override { return Skip("true or false"); }
  bool binary(binary_t&) override { return Skip("bytes"); }
  bool number_integer(number_integer_t value) override {
    return Number(static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Number(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return Number(value);
  }
  bool string(string_t& value) override;
  bool key(string_t& name) override;
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override;

  // After the whole document: what was announced must have come.
  void CheckCounts() const;

 private:
  bool Number(double value);
  // Passes over a value that only "hierarchies" may hold.
  bool Skip(const char* found) {
    if (place_ != Place::kSkipped) throw Unexpected(found);
    return true;
  }
  void AddNumber(double value);
  void EndRow();
  void EndUser();
  void MarkSeen(bool& seen);
  std::string Here() const;
  std::string Expected() const;
  Error Unexpected(const std::string& found) const {
    return BadInput(fmt::format("{} where {} was expected", found, Expected()),
                    Here());
  }

  const std::string& where_;
  const LeafVisitor& visit_;
  Place place_ = Place::kStart;
  std::size_t skip_depth_ = 0;
  std::string key_;  // the last one met in the current object

  bool users_seen_ = false, counts_seen_ = false, data_seen_ = false;
  std::vector<std::string> users_;
  std::vector<double> counts_;
  std::map<std::string, std::size_t> found_;

  LeafUser user_;
  bool x_seen_ = false, y_seen_ = false;
  std::size_t rows_ = 0;         // examples of x so far
  std::size_t row_numbers_ = 0;  // values in the current row
  std::size_t row_texts_ = 0;
};

std::string LeafHandler::Here() const {
  switch (place_) {
    case Place::kUser:
      return fmt::format("{}, user {}", where_, user_.number);
    case Place::kX:
    case Place::kRow:
      return fmt::format("{}, user {}, x[{}]", where_, user_.number, rows_);
    case Place::kY:
      return fmt::format("{}, user {}, y[{}]", where_, user_.number,
                         user_.labels.size());
    default:
      return where_;
  }
}

std::string LeafHandler::Expected() const {
  switch (place_) {
    case Place::kTop:
      return key_ == "user_data" ? "an object in 'user_data'"
                                 : fmt::format("an array in '{}'", key_);
    case Place::kUsers:
      return "a user's name";
    case Place::kCounts:
      return "a number of samples";
    case Place::kUserData:
      return "an object with x and y";
    case Place::kUser:
      return fmt::format("an array in '{}'", key_);
    case Place::kX:
      return "an array of numbers or a text";
    case Place::kRow:
      return user_.texts.empty() ? "a number" : "a string";
    case Place::kY:
      return "a number or a string";
    default:
      return "an object with users, num_samples and user_data";
  }
}

bool LeafHandler::Number(double value) {
  switch (place_) {
    case Place::kSkipped:
      return true;
    case Place::kCounts:
      counts_.push_back(value);
      return true;
    case Place::kRow:
      AddNumber(value);
      return true;
    case Place::kY:
      user_.labels.push_back(fmt::to_string(value));
      return true;
    default:
      throw Unexpected("a number");
  }
}

void LeafHandler::AddNumber(double value) {
  if (!user_.texts.empty()) throw Unexpected("a number");
  if (!(std::fabs(value) <= FLT_MAX)) {
    throw BadInput("a number that does not fit a float", Here());
  }
  user_.numbers.push_back(static_cast<float>(value));
  ++row_numbers_;
}

bool LeafHandler::string(string_t& value) {
  switch (place_) {
    case Place::kSkipped:
      break;
    case Place::kUsers:
      users_.push_back(value);
      break;
    case Place::kX:
      row_texts_ = 1;
      user_.texts.push_back(value);
      EndRow();
      break;
    case Place::kRow:
      if (!user_.numbers.empty()) throw Unexpected("a string");
      user_.texts.push_back(value);
      ++row_texts_;
      break;
    case Place::kY:
      user_.labels.push_back(value);
      user_.named_labels = true;
      break;
    default:
      throw Unexpected("a string");
  }
  return true;
}

void LeafHandler::MarkSeen(bool& seen) {
  if (seen) throw BadInput(fmt::format("'{}' comes twice", key_), Here());
  seen = true;
}

bool LeafHandler::key(string_t& name) {
  key_ = name;
  if (place_ == Place::kTop && name != "users" && name != "num_samples" &&
      name != "user_data" && name != "hierarchies") {
    throw BadInput("an unknown field", Here(),
                   "LEAF has users, num_samples, user_data and hierarchies");
  }
  if (place_ == Place::kUser && name != "x" && name != "y") {
    throw BadInput("an unknown field", Here(), "LEAF's users have x and y");
  }
  return true;
}

bool LeafHandler::start_object(std::size_t) {
  if (place_ == Place::kSkipped) {
    ++skip_depth_;
  } else if (place_ == Place::kStart) {
    place_ = Place::kTop;
  } else if (place_ == Place::kTop && key_ == "user_data") {
    MarkSeen(data_seen_);
    place_ = Place::kUserData;
  } else if (place_ == Place::kTop && key_ == "hierarchies") {
    place_ = Place::kSkipped;
    skip_depth_ = 1;
  } else if (place_ == Place::kUserData) {
    if (key_.empty()) throw BadInput("a user without a name", Here());
    place_ = Place::kUser;
    user_ = LeafUser{.id = key_,
                     .number = found_.size(),
                     .numbers = {},
                     .texts = {},
                     .labels = {}};
    x_seen_ = y_seen_ = false;
    rows_ = 0;
  } else {
    throw Unexpected("an object");
  }
  return true;
}

bool LeafHandler::end_object() {
  if (place_ == Place::kSkipped) {
    if (--skip_depth_ == 0) place_ = Place::kTop;
  } else if (place_ == Place::kUser) {
    EndUser();
    place_ = Place::kUserData;
  } else if (place_ == Place::kUserData) {
    place_ = Place::kTop;
  } else {
    place_ = Place::kStart;
  }
  return true;
}

bool LeafHandler::start_array(std::size_t) {
  if (place_ == Place::kSkipped) {
    ++skip_depth_;
  } else if (place_ == Place::kTop && key_ == "users") {
    MarkSeen(users_seen_);
    place_ = Place::kUsers;
  } else if (place_ == Place::kTop && key_ == "num_samples") {
    MarkSeen(counts_seen_);
    place_ = Place::kCounts;
  } else if (place_ == Place::kTop && key_ == "hierarchies") {
    place_ = Place::kSkipped;
    skip_depth_ = 1;
  } else if (place_ == Place::kUser) {
    MarkSeen(key_ == "x" ? x_seen_ : y_seen_);
    place_ = key_ == "x" ? Place::kX : Place::kY;
  } else if (place_ == Place::kX) {
    place_ = Place::kRow;
    row_numbers_ = row_texts_ = 0;
  } else if (place_ == Place::kRow) {
    throw Unsupported("examples of nested arrays", Here(),
                      "examples may be arrays of numbers or texts");
  } else {
    throw Unexpected("an array");
  }
  return true;
}

bool LeafHandler::end_array() {
  switch (place_) {
    case Place::kSkipped:
      if (--skip_depth_ == 0) place_ = Place::kTop;
      break;
    case Place::kRow:
      EndRow();
      place_ = Place::kX;
      break;
    case Place::kX:
    case Place::kY:
      place_ = Place::kUser;
      break;
    default:
      place_ = Place::kTop;
  }
  return true;
}

void LeafHandler::EndRow() {
  base::CheckInterrupted();
  if (!user_.texts.empty() && !user_.numbers.empty()) {
    throw BadInput("texts and numbers among the examples of one user", Here());
  }
  const bool text = row_texts_ > 0;
  const std::size_t length = text ? row_texts_ : row_numbers_;
  std::size_t& expected = text ? user_.fields : user_.width;
  if (rows_ == 0) expected = length;
  if (length == 0 || length != expected) {
    throw BadInput(fmt::format("{} values where {} were expected", length,
                               rows_ == 0 ? 1 : expected),
                   Here(), "all examples of a set have the same length");
  }
  row_numbers_ = row_texts_ = 0;
  ++rows_;
}

void LeafHandler::EndUser() {
  if (!x_seen_ || !y_seen_) {
    throw BadInput(fmt::format("'{}' is missing", x_seen_ ? "y" : "x"), Here());
  }
  if (rows_ != user_.size()) {
    throw BadInput(
        fmt::format("{} examples in x and {} labels in y", rows_, user_.size()),
        Here());
  }
  if (!found_.emplace(user_.id, rows_).second) {
    throw BadInput("the user comes twice", Here());
  }
  visit_(user_);
}

bool LeafHandler::parse_error(std::size_t position, const std::string&,
                              const nlohmann::detail::exception&) {
  // The position counts the byte at fault. The parser's own message quotes what
  // it read there.
  throw BadInput("not JSON",
                 fmt::format("{}@{}", where_, position - (position > 0)));
}

void LeafHandler::CheckCounts() const {
  const char* missing = !users_seen_    ? "users"
                        : !counts_seen_ ? "num_samples"
                        : !data_seen_   ? "user_data"
                                        : nullptr;
  if (missing) throw BadInput(fmt::format("'{}' is missing", missing), where_);
  if (users_.size() != counts_.size() || users_.size() != found_.size()) {
    throw BadInput(fmt::format("{} users, {} num_samples and {} entries in "
                               "user_data, which should be the same number",
                               users_.size(), counts_.size(), found_.size()),
                   where_);
  }
  for (std::size_t i = 0; i < users_.size(); ++i) {
    const auto found = found_.find(users_[i]);
    if (found == found_.end()) {
      throw BadInput(fmt::format("number {} of 'users' is not in user_data", i),
                     where_);
    }
    if (static_cast<double>(found->second) != counts_[i]) {
      throw BadInput(fmt::format("number {} of 'users' has {} examples where "
                                 "num_samples says {}",
                                 i, found->second, counts_[i]),
                     where_);
    }
  }
}

}  // namespace

void ParseLeaf(std::string_view text, const std::string& where,
               const LeafVisitor& visit) {
  LeafHandler handler(where, visit);
  json::sax_parse(text.begin(), text.end(), &handler);
  handler.CheckCounts();
}

}  // namespace sfumato::data
