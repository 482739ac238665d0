#include "train/census_vote.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::train {
namespace {

// As a voter says of itself what it reads: "images [28,28,1]".
std::string ReadBy(const nlohmann::json& voter) {
  return fmt::format(
      "{}{}", voter.value("kind", ""),
      voter.contains("shape") ? " " + voter["shape"].dump() : "");
}

std::string HeldBy(const data::DatasetInfo& info) {
  const nlohmann::json shape = {info.image.height, info.image.width,
                                info.image.channels};
  return fmt::format(
      "{}{}", data::Name(info.kind),
      info.kind == data::Kind::kImages ? " " + shape.dump() : "");
}

}  // namespace

CensusVoter ReadCensusVoter(const config::SelectConfig& select,
                            const data::DatasetInfo& info) {
  CensusVoter read{.source = plan::ReadVoteSource(
                       select, info.origin != data::Origin::kPrivate),
                   .voter = nullptr};
  read.voter = census::ReadVoter(read.source.voter);
  if (read.voter->on_change()) {
    throw BadInput("a census of what changed, where users have one state",
                   "select.census",
                   "name a census that asked everybody about their data as "
                   "they are");
  }
  const std::string reads =
      ReadBy(base::ParseJson(base::ReadFile(read.source.voter / "voter.json")));
  if (reads == HeldBy(info)) return read;
  throw BadInput(fmt::format("a voter of {}, where the users have {}", reads,
                             HeldBy(info)),
                 "select.census", "name a census of the same kind of data");
}

select::Verdicts VotedBy(const CensusVoter& voter,
                         const plan::TrainingData& data,
                         fed::WorkerPool& pool) {
  const auto& cells = voter.voter->calibration().cells;
  select::Verdicts verdicts;
  for (const std::vector<std::int64_t>& vote :
       voter.voter->VotesOf(*data.set, data.users, pool)) {
    std::vector<std::string>& marks = verdicts.marks.emplace_back();
    for (const std::int64_t cell : vote) {
      marks.push_back(cells.at(static_cast<std::size_t>(cell)).key);
    }
  }
  return verdicts;
}

}  // namespace sfumato::train
