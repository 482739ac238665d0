#include "census/voter/voter.h"

#include "base/error.h"
#include "base/json.h"
#include "census/voter/class_voter.h"
#include "census/voter/image_voter.h"
#include "census/voter/text_cells.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_voter.h"
#include "fmt/format.h"

namespace sfumato::census {

Votes Voter::VotesOnChange(const data::FederatedDataset&,
                           const std::vector<std::int64_t>&,
                           const data::FederatedDataset& now,
                           const std::vector<std::int64_t>&,
                           fed::WorkerPool&) const {
  throw Unsupported("a vote on which classes changed", now.info().name,
                    "ask everybody, or two groups");
}

namespace {

Error NoVoterReads(data::Kind kind) {
  return BadInput(fmt::format("references of {}", data::Name(kind)),
                  "census.reference", "a census is of images or text");
}

// Every device gets what is learned from them.
void RequireNotPrivate(const data::DatasetInfo& reference) {
  if (reference.origin != data::Origin::kPrivate) return;
  throw Unsupported("private data as references", reference.name,
                    "name a set that is declared public or generated");
}

}  // namespace

std::unique_ptr<Voter> LearnVoter(const data::FederatedDataset& reference,
                                  const VoterOptions& options,
                                  fed::WorkerPool& pool) {
  RequireNotPrivate(reference.info());
  switch (reference.info().kind) {
    case data::Kind::kImages:
      return LearnImageVoter(reference, options, pool);
    case data::Kind::kText:
      return LearnTextVoter(reference, options, pool);
    case data::Kind::kFeatures:
      break;
  }
  throw NoVoterReads(reference.info().kind);
}

void CheckReferences(const data::FederatedDataset& reference,
                     const VoterOptions& options) {
  RequireNotPrivate(reference.info());
  CheckSplit(reference.info(), options);
  switch (reference.info().kind) {
    case data::Kind::kImages:
      return CheckImageReferences(reference, options);
    case data::Kind::kText:
      return CheckTextReferences(reference, options);
    case data::Kind::kFeatures:
      break;
  }
  throw NoVoterReads(reference.info().kind);
}

void CheckSplit(const data::DatasetInfo& info, const VoterOptions& options) {
  if (info.kind == data::Kind::kImages) CheckImageSplit(info, options);
  if (info.kind == data::Kind::kText) CheckSplit(TextDamages(), options.split);
}

std::unique_ptr<Voter> ReadVoter(const base::Path& folder) {
  const base::Path file = folder / "voter.json";
  const nlohmann::json json = base::ParseJson(base::ReadFile(file));
  const bool named = json.is_object() && json.contains("kind");
  const nlohmann::json kind = named ? json["kind"] : nlohmann::json();
  if (kind == "images") return ReadImageVoter(folder);
  if (kind == "text") return ReadTextVoter(folder);
  if (kind == "classes") return ReadClassVoter(folder);
  throw Corrupt("not a voter", file.string(),
                "learn it again from the references");
}

}  // namespace sfumato::census
