// FixVoter: who votes. The voter learns from references, or is one that was
// stored before; either way it is in the census's folder before anybody is
// asked.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "census/pin.h"
#include "census/references.h"
#include "census/stages.h"
#include "census/voter/class_voter.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::census {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Voter> ReadStored(Census& census, const VoterSource& source) {
  std::unique_ptr<Voter> voter = source.read(census.config.census.voter);
  census.record.reference = ReferenceOfStored(census);
  return voter;
}

std::unique_ptr<Voter> LearnFromReferences(Census& census,
                                           const VoterSource& source) {
  base::Note("A voter learns from references …");
  const References references = OpenReferences(census);
  constexpr double kParts = 100;
  base::Progress progress("learning", static_cast<std::uint64_t>(kParts),
                          "parts");
  double shown = 0;
  const auto advance = [&](double done, const char* what) {
    const double parts =
        std::floor(kParts * std::min(1.0, std::max(done, 0.0)));
    progress.Advance(static_cast<std::uint64_t>(std::max(0.0, parts - shown)),
                     what);
    shown = std::max(shown, parts);
  };
  VoterOptions options =
      VoterOptionsOf(census.config, references.set->info(),
                     census.people().set->info(), references.record.alike);
  options.gpu = census.device.torch.is_cuda();
  options.progress = advance;
  std::unique_ptr<Voter> voter =
      source.learn(*references.set, options, census.pool);
  census.record.reference = references.record;
  return voter;
}

// Who votes when nobody voted before.
std::unique_ptr<Voter> NewVoter(Census& census, const VoterSource& source) {
  const config::CensusConfig& config = census.config.census;
  if (config.about == config::About::kClasses) {
    return MakeClassVoter(census.people().set->info(), config.marks);
  }
  return config.voter.empty() ? LearnFromReferences(census, source)
                              : ReadStored(census, source);
}

// "rotate, shift" as two families.
std::vector<std::string> SplitOf(const config::CensusConfig& config) {
  std::vector<std::string> families;
  std::string rest = config.split;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string family = rest.substr(0, end);
    std::erase(family, ' ');
    if (!family.empty()) families.push_back(std::move(family));
    rest.erase(0, end + 1);
  }
  return families;
}

std::string TextOf(const std::vector<std::string>& families) {
  return families.empty() ? "none"
                          : fmt::format("{}", fmt::join(families, ", "));
}

}  // namespace

VoterOptions VoterOptionsOf(const config::TrainConfig& config,
                            const data::DatasetInfo& reference,
                            const data::DatasetInfo& people, bool alike) {
  const config::CensusConfig& census = config.census;
  const bool two_states = census.groups == config::Groups::kBeforeAfter;
  return {.marks = census.marks,
          .least_examples = census.least_examples,
          .most_examples = census.most_examples,
          .classes = census.classes,
          .labels = reference.classes == people.classes,
          // Two states of the same users are compared with each other: no
          // healthy user has to look like a reference.
          .foreign = !alike && !two_states,
          .change = two_states,
          .split = SplitOf(census),
          .seed = static_cast<std::uint64_t>(config.seed),
          .effort = census.effort};
}

void CheckVoter(const Voter& voter, const config::TrainConfig& config,
                const data::DatasetInfo& info) {
  const Calibration& calibration = voter.calibration();
  const config::CensusConfig& asked = config.census;
  const About about =
      asked.about == config::About::kClasses ? About::kClasses : About::kDamage;
  constexpr const char* kLearn = "learn another voter: leave it out";
  if (calibration.about != about) {
    throw BadInput(fmt::format("a voter about {}, in a census about {}",
                               Name(calibration.about), Name(about)),
                   "census.voter", kLearn);
  }
  if (!voter.Reads(info)) {
    throw BadInput(fmt::format("a voter of other data than {}", info.name),
                   "census.voter",
                   "name one that learned from examples of the same kind and "
                   "shape");
  }
  if (calibration.marks != asked.marks) {
    throw BadInput(
        fmt::format("a voter for {} {}, in a census for {}", calibration.marks,
                    calibration.marks == 1 ? "mark" : "marks", asked.marks),
        "census.marks", "give the voter's number, or learn another voter");
  }
  const bool two_states = asked.groups == config::Groups::kBeforeAfter;
  if (about == About::kDamage && calibration.split != SplitOf(asked)) {
    throw BadInput(
        fmt::format("a voter that answers which strength of: {}; in a census "
                    "that asks which of: {}",
                    TextOf(calibration.split), TextOf(SplitOf(asked))),
        "census.split", kLearn);
  }
  if (voter.on_change() != two_states) {
    throw BadInput(two_states
                       ? "a voter on one state of the data, in a census of two"
                       : "a voter on what changed, in a census of one state",
                   "census.voter", kLearn);
  }
}

void FixVoter(Census& census, const VoterSource& source) {
  runs::CensusRecord& record = census.record;
  const base::Path folder = census.VoterFolder();
  // Begun: who was agreed to votes, and nobody else.
  const bool begun = !record.ledger_name.empty();
  // Stopped between the voter and its sum: nobody voted with it.
  if (!begun && record.voter_crc32c.empty()) fs::remove_all(folder);
  if (fs::exists(folder)) {
    Pin(record.voter_crc32c, runs::SumOfVoter(folder, record.reference),
        "the voter, or what is on record about its references, is",
        folder.string());
    census.voter = source.read(folder);
  } else if (begun) {
    throw BadInput("the voter that the census began with is gone",
                   folder.string(),
                   "put it back, or begin anew with another --out");
  } else {
    // A voter takes a while: who stops it can resume.
    census.SetStage("voter");
    census.voter = NewVoter(census, source);
    census.Save();  // what it learned from comes before it
    census.voter->Write(folder);
    record.voter_crc32c = runs::SumOfVoter(folder, record.reference);
    census.Save();
    fs::remove_all(census.job.folder / "reference");
  }
  record.calibration = census.voter->calibration();
  if (record.calibration.families() == 0) {
    throw BadInput("a voter that can name no damage", folder.string(),
                   "these references show none: give more of them, or of "
                   "another kind, in census.reference, and another --out");
  }
  CheckVoter(*census.voter, census.config, census.people().set->info());
}

}  // namespace sfumato::census
