#include "dp/ledger/audit.h"

#include <limits>
#include <memory>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "base/progress.h"
#include "dp/ledger/run_parts.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::size_t kMostFindings = 100;
// A total may be above the filter's bound by no more than another machine's
// arithmetic explains.
constexpr double kTolerance = 1e-9;

struct Counts {
  std::int64_t reserved = 0;
  std::int64_t released = 0;
  bool operator==(const Counts&) const = default;
};

// What follows from the entries, by names instead of the tables' numbers.
struct RootBook {
  explicit RootBook(const Budget& budget) : kinds(budget) {
    standing.filter = &kinds.FilterFor({});
  }
  Kinds kinds;
  Standing standing;
  std::set<std::string> cohorts;
};

struct RunBook {
  std::string population;
  bool finished = false;
  std::map<const Kind*, Counts> counts = {};
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> releases = {};
};

class Auditor {
 public:
  Auditor(Tables& tables, const std::string& key)
      : tables_(tables), key_(key) {}

  std::vector<Finding> Run(std::span<const Head> heads) {
    Transaction transaction(tables_.db(), Transaction::Kind::kRead);
    ReadEntries(heads);
    CheckPlans();
    CompareTables();
    return std::move(findings_);
  }

 private:
  bool Full() const { return findings_.size() >= kMostFindings; }
  void Find(std::int64_t seq, std::string what) {
    if (!Full()) findings_.push_back({.seq = seq, .what = std::move(what)});
  }

  void ReadEntries(std::span<const Head> heads) {
    Statement row = tables_.db().Prepare(
        "SELECT seq, body, hash FROM entries ORDER BY seq");
    const auto total = static_cast<std::uint64_t>(tables_.LastHead().seq);
    base::Progress progress("verifying", total, "entries");
    std::map<std::int64_t, std::string> seen;
    for (const Head& head : heads) seen.emplace(head.seq, "");
    Head last;
    while (row.Next()) {
      const Head head{.seq = row.Whole(0), .hash = row.Text(2)};
      const std::string body = row.Text(1);
      if (head.seq != last.seq + 1) {
        Find(head.seq, last.seq + 2 == head.seq
                           ? fmt::format("entry {} was removed", last.seq + 1)
                           : fmt::format("entries {} to {} were removed",
                                         last.seq + 1, head.seq - 1));
      }
      CheckEntry(head, last.hash, body);
      if (seen.contains(head.seq)) seen[head.seq] = head.hash;
      last = head;
      progress.Advance();
      if (Full()) break;
    }
    row.Run();
    if (!doubted_.empty()) {
      Find(0,
           "no hash fits the key: it is another ledger's key, or the whole "
           "history was written anew without the key");
    }
    for (const Head& head : heads) CompareHead(head, last, seen.at(head.seq));
  }

  void CompareHead(const Head& head, const Head& last, const std::string& now) {
    if (head.seq > last.seq) {
      Find(head.seq,
           fmt::format("the history ends at entry {}, and a head of entry {} "
                       "was seen: its end was cut off, or an older copy put in "
                       "its place",
                       last.seq, head.seq));
    } else if (now != head.hash) {
      Find(head.seq,
           fmt::format("entry {} is not the one that was seen: this entry or "
                       "one before it was written anew",
                       head.seq));
    }
  }

  void CheckEntry(const Head& head, const std::string& previous,
                  const std::string& body) {
    const bool unreadable_key = keyed_ && key_.empty();
    if (head.seq > 1 && unreadable_key) {
      // Said once, with the first entry.
    } else if (head.seq > 1) {
      CheckHash(head, ChainHash(key_, previous, body) == head.hash);
    }
    const nlohmann::json parsed = base::ParseJson(body);
    try {
      if (!parsed.is_object() ||
          parsed.value("seq", std::int64_t{0}) != head.seq) {
        Find(head.seq, "carries another number");
      }
      const Entry entry = EntryFromJson(parsed, "");
      if ((head.seq == 1) != std::holds_alternative<Opening>(entry)) {
        Find(head.seq, "a ledger is opened by its first entry, once");
      }
      if (head.seq == 1) CheckFirst(head, body, entry);
      std::visit([&](const auto& part) { Replay(head.seq, part); }, entry);
    } catch (const Error& error) {
      Find(head.seq, error.what());
    } catch (const nlohmann::json::exception& error) {
      Find(head.seq, error.what());
    }
  }

  // While no hash has fitted the key, the key itself is in doubt, and that is
  // one finding. From the first that fits on, the others are findings.
  void CheckHash(const Head& head, bool fits) {
    const char* changed = keyed_ ? "changed, or written without the key"
                                 : "changed: its hash does not follow from it";
    if (fits) {
      for (const std::int64_t seq : doubted_) Find(seq, changed);
      doubted_.clear();
      any_fits_ = true;
    } else if (!keyed_ || any_fits_) {
      Find(head.seq, changed);
    } else if (doubted_.size() < kMostFindings) {
      doubted_.push_back(head.seq);
    }
  }

  // The first entry says whether there is a key.
  void CheckFirst(const Head& head, const std::string& body,
                  const Entry& entry) {
    const auto* opening = std::get_if<Opening>(&entry);
    keyed_ = opening != nullptr && opening->keyed;
    if (keyed_ && key_.empty()) {
      findings_.push_back(
          {.seq = 1,
           .what =
               "the hashes have a key, without which they cannot be checked",
           .unchecked = true});
    } else {
      CheckHash(head, ChainHash(keyed_ ? key_ : "", "", body) == head.hash);
    }
    if (!keyed_ && !key_.empty()) {
      Find(1, "the ledger says that it has no key, and a key was given");
    }
  }

  void Replay(std::int64_t, const Opening&) {}
  void Replay(std::int64_t seq, const Importing& entry) {
    if (entry.seq != seq - 1) Find(seq, "an import of another history");
  }

  void Replay(std::int64_t seq, const NewPopulation& entry) {
    if (!populations_.emplace(entry.name, entry).second) {
      Find(seq, fmt::format("population '{}' for the second time", entry.name));
      return;
    }
    if (entry.IsRoot()) {
      roots_.emplace(entry.name, std::make_unique<RootBook>(entry.budget));
      return;
    }
    if (!roots_.contains(entry.root)) {
      Find(seq, fmt::format("no root population '{}'", entry.root));
      return;
    }
    for (const Tally& tally : roots_.at(entry.root)->standing.tallies) {
      const std::string& partition = tally.kind->event.population.partition;
      if (tally.released > 0 && !partition.empty() &&
          partition == entry.partition) {
        Find(seq, "a cell of a partition that had already released");
        break;
      }
    }
  }

  RootBook& RootOf(const std::string& population) {
    const auto found = populations_.find(population);
    if (found == populations_.end()) {
      throw Corrupt(fmt::format("no population '{}'", population));
    }
    const auto root = roots_.find(found->second.Root());
    if (root == roots_.end()) {
      throw Corrupt(fmt::format("no root of population '{}'", population));
    }
    return *root->second;
  }

  Event Filled(const Event& event, const std::string& population) const {
    Event filled = dp::Filled(event, populations_.at(population));
    CheckEvent(filled);
    return filled;
  }

  void Replay(std::int64_t seq, const Reserving& entry) {
    RootBook& root = RootOf(entry.population);
    const std::string owner = OwnerOf(populations_.at(entry.population));
    const auto before = PartBefore(entry.run, owner);
    if (!owner.empty() && entry.run != owner &&
        !(before && runs_.contains(*before))) {
      Find(seq, fmt::format("run '{}' charged to '{}', which belongs to run "
                            "'{}'",
                            entry.run, entry.population, owner));
    }
    const auto [run, fresh] =
        runs_.emplace(entry.run, RunBook{.population = entry.population});
    if (!fresh) {
      Find(seq, fmt::format("run '{}' for the second time", entry.run));
      return;
    }
    for (const Event& event : entry.events) {
      const Kind& kind = root.kinds.Of(Filled(event, entry.population));
      root.standing.Reserve(kind, event.count);
      run->second.counts[&kind].reserved += event.count;
    }
    const bool settled_plan = root.standing.settlement.stage == Stage::kPlan;
    const bool within =
        settled_plan ? root.standing.Judge() == Verdict::kFitsPlan
        : entry.by_plan && root.standing.settlement.stage == Stage::kOpen
            ? true  // CheckPlans composes the plan, once
            : !entry.by_plan && root.standing.Used() <= 1 + kTolerance;
    if (!within) {
      Find(seq, fmt::format("run '{}' reserved more than the budget had",
                            entry.run));
    }
  }

  // As Tables::OwnerOf, from the entries so far.
  std::string OwnerOf(const NewPopulation& population) const {
    if (population.IsRoot() || !population.owner.empty()) {
      return population.owner;
    }
    const std::string prefix = population.root + "/";
    if (!population.name.starts_with(prefix)) return "";
    const std::string run = population.name.substr(prefix.size());
    const auto found = runs_.find(run);
    return found != runs_.end() && found->second.population == population.name
               ? run
               : "";
  }

  void Replay(std::int64_t seq, const Binding& entry) {
    const auto population = populations_.find(entry.population);
    if (population == populations_.end()) {
      Find(seq, fmt::format("no population '{}'", entry.population));
    } else if (!OwnerOf(population->second).empty()) {
      Find(seq, fmt::format("a dataset bound to '{}', which belongs to a run",
                            entry.population));
    }
    if (!bindings_.emplace(entry.dataset, entry.population).second) {
      Find(seq, fmt::format("dataset {} bound twice", entry.dataset));
    }
  }

  void Replay(std::int64_t seq, const Looking&) { looks_.push_back(seq); }

  void Replay(std::int64_t seq, const Releasing& entry) {
    RunBook& run = RunOf(entry.run);
    RootBook& root = RootOf(run.population);
    const Kind& kind = root.kinds.Of(Filled(entry.event, run.population));
    if (entry.settles.has_value() !=
        (root.standing.settlement.stage == Stage::kOpen)) {
      Find(seq, "the first release on a population settles its stage, once");
    }
    if (root.standing.settlement.stage == Stage::kOpen) {
      FixStage(seq, root, entry.settles.value_or(Settlement{Stage::kPlan}));
    }
    Counts& counts = run.counts[&kind];
    const std::int64_t count = entry.event.count;
    if (run.finished || counts.reserved < count) {
      Find(seq, fmt::format("run '{}' released what it had not reserved",
                            entry.run));
    }
    counts.reserved -= count;
    counts.released += count;
    for (Tally& tally : root.standing.tallies) {
      if (tally.kind != &kind) continue;
      tally.reserved -= count;
      tally.released += count;
    }
    if (!run.releases.emplace(std::pair(entry.round, entry.attempt), seq)
             .second) {
      Find(seq, "a round and attempt for the second time");
    }
    const bool sampled = !std::holds_alternative<All>(entry.event.sampling);
    if (sampled && !entry.event.cohort.empty() &&
        !root.cohorts.insert(entry.event.cohort).second) {
      Find(seq, fmt::format("cohort '{}' was asked twice", entry.event.cohort));
    }
  }

  // Any order may have been chosen; the plan must be within its bounds.
  void FixStage(std::int64_t seq, RootBook& root,
                const Settlement& settlement) {
    Standing& standing = root.standing;
    standing.FixStage(root.kinds);
    standing.settlement = settlement;
    standing.filter = &root.kinds.FilterFor(settlement);
    if (settlement.stage == Stage::kPlan) {
      plans_.emplace_back(seq, standing);
    } else if (standing.Used() > 1 + kTolerance) {
      Find(seq, "settles for the filter, which does not hold the plan");
    }
  }

  void Replay(std::int64_t seq, const Finishing& entry) {
    RunBook& run = RunOf(entry.run);
    RootBook& root = RootOf(run.population);
    if (run.finished) {
      Find(seq, fmt::format("run '{}' finished twice", entry.run));
    }
    run.finished = true;
    for (auto& [kind, counts] : run.counts) {
      for (Tally& tally : root.standing.tallies) {
        if (tally.kind == kind) tally.reserved -= counts.reserved;
      }
      counts.reserved = 0;
    }
  }

  RunBook& RunOf(const std::string& name) {
    const auto found = runs_.find(name);
    if (found == runs_.end()) {
      throw Corrupt(fmt::format("run '{}' reserved nothing", name));
    }
    return found->second;
  }

  // Plans that the filter does not hold must compose to their budgets.
  void CheckPlans() {
    for (const auto& [name, root] : roots_) {
      if (root->standing.settlement.stage == Stage::kOpen &&
          root->standing.Used() > 1) {
        plans_.emplace_back(0, root->standing);
      }
    }
    for (const auto& [seq, standing] : plans_) {
      const double epsilon = standing.PlanEpsilon();
      if (!(epsilon <= standing.filter->budget().epsilon * (1 + kTolerance))) {
        Find(seq, fmt::format("a plan of ε {:g} where ε {:g} was granted",
                              epsilon, standing.filter->budget().epsilon));
      }
    }
  }

  // The tables that spending relies on, against what follows from the entries.
  void CompareTables() {
    if (Full()) return;
    Statement quick = tables_.db().Prepare("PRAGMA quick_check(1)");
    if (quick.Next() && quick.View(0) != "ok") {
      Find(0, fmt::format("the file is damaged: {}", quick.View(0)));
    }
    quick.Run();
    try {
      ComparePopulations();
      CompareCharges();
      CompareRuns();
      CompareReleases();
      if (tables_.Bindings() != bindings_) Differs("the datasets' populations");
      if (tables_.Looks() != looks_) Differs("the looks at records");
    } catch (const Error& error) {
      Find(0, error.what());
    }
  }

  void Differs(const std::string& what) {
    Find(0, fmt::format("the tables differ from the entries: {}", what));
  }

  void ComparePopulations() {
    std::size_t count = 0;
    for (const std::string& name : tables_.PopulationNames()) {
      ++count;
      const auto found = populations_.find(name);
      const auto row = tables_.FindPopulation(name);
      if (!row || found == populations_.end() ||
          ToJson(Entry(found->second)) != ToJson(Entry(row->entry)) ||
          tables_.PopulationAt(row->root).entry.name != found->second.Root()) {
        Differs(fmt::format("population '{}'", name));
      } else if (found->second.IsRoot() &&
                 tables_.SettlementOf(row->id) !=
                     roots_.at(name)->standing.settlement) {
        Differs(fmt::format("the stage of '{}'", name));
      }
    }
    if (count != populations_.size()) Differs("populations are missing");
  }

  void CompareCharges() {
    for (const auto& [name, root] : roots_) {
      const auto row = tables_.FindPopulation(name);
      if (!row) continue;
      const auto as_map = [](const Standing& standing) {
        std::map<std::string, std::array<std::int64_t, 3>> counts;
        for (const Tally& t : standing.tallies) {
          counts[t.kind->key] = {t.planned, t.reserved, t.released};
        }
        return counts;
      };
      if (as_map(tables_.StandingOf(row->id)) != as_map(root->standing)) {
        Differs(fmt::format("the totals of '{}'", name));
      }
      Statement cohorts =
          tables_.db().Prepare("SELECT cohort FROM cohorts WHERE root = ?");
      cohorts.Bind(row->id);
      std::size_t known = 0;
      while (cohorts.Next()) known += root->cohorts.count(cohorts.Text(0));
      if (known != root->cohorts.size()) {
        Differs(fmt::format("the cohorts of '{}'", name));
      }
    }
  }

  void CompareRuns() {
    std::size_t count = 0;
    Statement row = tables_.db().Prepare(
        "SELECT r.name, p.name, r.finished, c.event, t.reserved, t.released "
        "FROM runs r LEFT JOIN populations p ON p.id = r.population "
        "LEFT JOIN run_charges t ON t.run = r.id "
        "LEFT JOIN charges c ON c.id = t.charge");
    while (row.Next() && !Full()) {
      const auto found = runs_.find(row.Text(0));
      const bool same =
          found != runs_.end() && found->second.population == row.View(1) &&
          found->second.finished == (row.Whole(2) != 0) &&
          CountsOf(found->second, row.Text(3)) ==
              Counts{.reserved = row.Whole(4), .released = row.Whole(5)};
      if (!same) Differs(fmt::format("run '{}'", row.Text(0)));
      ++count;
    }
    row.Run();
    std::size_t expected = 0;
    for (const auto& [name, run] : runs_) expected += run.counts.size();
    if (count != expected && !Full()) Differs("runs are missing");
  }

  static Counts CountsOf(const RunBook& run, const std::string& key) {
    for (const auto& [kind, counts] : run.counts) {
      if (kind->key == key) return counts;
    }
    return {.reserved = -1};
  }

  void CompareReleases() {
    std::size_t count = 0;
    Statement row = tables_.db().Prepare(
        "SELECT r.name, l.round, l.attempt, l.seq FROM releases l JOIN runs r "
        "ON r.id = l.run");
    while (row.Next() && !Full()) {
      const auto found = runs_.find(row.Text(0));
      if (found == runs_.end()) continue;
      const auto& releases = found->second.releases;
      const auto release = releases.find(std::pair(row.Whole(1), row.Whole(2)));
      if (release == releases.end() || release->second != row.Whole(3)) {
        Differs(fmt::format("the releases of run '{}'", row.Text(0)));
      }
      ++count;
    }
    row.Run();
    std::size_t expected = 0;
    for (const auto& [name, run] : runs_) expected += run.releases.size();
    if (count != expected && !Full()) Differs("releases are missing");
  }

  Tables& tables_;
  const std::string& key_;
  bool keyed_ = false;
  bool any_fits_ = false;              // some hash fitted the key
  std::vector<std::int64_t> doubted_;  // entries that did not, before
  std::vector<Finding> findings_;
  std::map<std::string, NewPopulation> populations_;
  std::map<std::string, std::unique_ptr<RootBook>> roots_;
  std::unordered_map<std::string, RunBook> runs_;
  std::map<std::string, std::string> bindings_;
  std::vector<std::int64_t> looks_;
  std::vector<std::pair<std::int64_t, Standing>> plans_;  // with their entry
};

}  // namespace

std::vector<Finding> Audit(Tables& tables, const std::string& key,
                           std::span<const Head> heads) {
  return Auditor(tables, key).Run(heads);
}

}  // namespace sfumato::dp
