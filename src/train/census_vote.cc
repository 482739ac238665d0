#include "train/census_vote.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::train {

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
  if (read.voter->Reads(info)) return read;
  throw BadInput(fmt::format("a voter of other data than {}", info.name),
                 "select.census",
                 "name a census of the same kind of data, and shape");
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
