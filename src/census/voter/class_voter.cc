#include "census/voter/class_voter.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/random.h"
#include "census/answer/class_answer.h"

namespace sfumato::census {
namespace {

class ClassVoter : public Voter {
 public:
  explicit ClassVoter(Calibration calibration) {
    calibration_ = std::move(calibration);
  }

  // Any data of these classes.
  bool Reads(const data::DatasetInfo& info) const override {
    return info.classes.size() == calibration_.families();
  }

  Votes VotesOf(const data::FederatedDataset& set,
                const std::vector<std::int64_t>& users,
                fed::WorkerPool&) const override {
    Votes votes;
    votes.reserve(users.size());
    for (const std::int64_t user : users) votes.push_back(VoteOf(set, user));
    return votes;
  }

  void Write(const base::Path& folder) const override {
    base::StagedFolder out(folder);
    const nlohmann::json json = {{"format", 1},
                                 {"kind", "classes"},
                                 {"calibration", ToJson(calibration_)}};
    base::WriteFileAtomically(out.path() / "voter.json", json.dump(1) + "\n");
    out.Commit();
  }

 private:
  std::vector<std::int64_t> VoteOf(const data::FederatedDataset& set,
                                   std::int64_t number) const {
    const auto classes = static_cast<std::int64_t>(calibration_.families());
    const std::int64_t none = classes;
    std::set<std::int64_t> seen;
    base::Rng rng(0);
    try {
      const data::User user = set.user(static_cast<std::size_t>(number));
      rng = base::Rng(0, {base::Key("class vote"), base::Key(user.id())});
      for (std::size_t i = 0; i < user.size(); ++i) {
        const std::int64_t label = user[i].label;
        if (label >= 0) seen.insert(std::min(label, none));
      }
    } catch (const base::Interrupted&) {
      throw;
    } catch (const std::exception&) {
      // A record that cannot be read is the user's own affair (rule 7).
    }
    if (seen.size() > 1) seen.erase(none);
    if (seen.empty()) return {classes + 1};  // kCannotTell
    std::vector<std::int64_t> marked(seen.begin(), seen.end());
    rng.Shuffle(std::span(marked));
    marked.resize(std::min<std::size_t>(
        marked.size(), static_cast<std::size_t>(calibration_.marks)));
    return marked;
  }
};

}  // namespace

std::unique_ptr<Voter> MakeClassVoter(const data::DatasetInfo& info,
                                      std::int64_t marks) {
  data::CheckDeclared(info, info.name);
  return std::make_unique<ClassVoter>(ClassCells(info.classes, marks));
}

std::unique_ptr<Voter> ReadClassVoter(const base::Path& folder) {
  const base::Path file = folder / "voter.json";
  const nlohmann::json json = base::ParseJson(base::ReadFile(file));
  const auto corrupt = [&](const char* what) {
    return Corrupt(what, file.string(), "ask again with another --out");
  };
  if (!json.is_object() || !json.contains("format") || json["format"] != 1 ||
      !json.contains("calibration")) {
    throw corrupt("not a vote for classes");
  }
  Calibration calibration =
      CalibrationFromJson(json["calibration"], file.string());
  if (calibration.about != About::kClasses || calibration.cells.size() < 3) {
    throw corrupt("a vote for classes without classes");
  }
  return std::make_unique<ClassVoter>(std::move(calibration));
}

}  // namespace sfumato::census
