#include "dp/ledger/ledger.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/json.h"
#include "base/secure_random.h"
#include "base/utf8.h"
#include "dp/ledger/run_parts.h"
#include "fmt/chrono.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::dp {
namespace {

// So often the plan is composed before the file is taken for writing; if others
// were quicker every time, it is composed while they wait.
constexpr int kPatience = 4;

// A budget with a larger delta promises next to nothing.

void CheckGrant(const Budget& budget) {
  CheckBudget(budget);
  if (budget.delta <= kLargestDelta) return;
  throw BadInput(
      fmt::format("a budget with delta {:g}", budget.delta), "delta",
      fmt::format("give at most {:g}, and less than one over the number of "
                  "users: it is the chance that the bound fails",
                  kLargestDelta));
}

void CheckName(const std::string& name, const char* what) {
  if (!base::IsName(name)) {
    throw BadInput(fmt::format("'{}' is not a name of a {}", name, what), what,
                   fmt::format("give 1 to {} bytes of UTF-8 without control "
                               "characters",
                               base::kLongestName));
  }
}

std::string RandomId() {
  std::array<std::byte, 16> bytes;
  base::SecureRandom random;
  random.Fill(bytes);
  std::string id;
  for (const std::byte b : bytes) {
    id += fmt::format("{:02x}", std::to_integer<int>(b));
  }
  return id;
}

// The times of two rounds show how long a round took, which depends on the
// users' data: entries have only their date.
std::string Today() {
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(
      std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

// A name is on the disk when its folder is.
void SyncFolder(const base::Path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  const bool failed =
      descriptor < 0 || (fsync(descriptor) != 0 && errno != EINVAL);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (failed) {
    throw Unavailable(fmt::format("cannot write: {}", std::strerror(reason)),
                      folder.string(), "check the disk");
  }
}

bool Sampled(const Event& event) {
  return !std::holds_alternative<All>(event.sampling);
}

std::vector<Event> Counted(Kinds& kinds, const std::vector<RunTally>& tallies,
                           std::int64_t RunTally::* count) {
  std::vector<Event> events;
  for (const RunTally& tally : tallies) {
    if (tally.*count == 0) continue;
    events.push_back(kinds.At(tally.key).event);
    events.back().count = tally.*count;
  }
  return events;
}

}  // namespace

void Ledger::MakeAt(const base::Path& path,
                    const std::function<void(const base::Path&)>& fill) {
  const base::Path target = path.has_filename() ? path : path.parent_path();
  // Made whole in a folder beside its place, then given its name: link refuses
  // where rename would replace.
  const base::StagedFolder scratch(target);
  const base::Path made = scratch.path() / "ledger";
  fill(made);
  if (link(made.c_str(), target.c_str()) == 0) {
    SyncFolder(target.has_parent_path() ? target.parent_path() : ".");
    return;
  }
  if (errno == EEXIST) {
    throw BadInput("somebody else has made it in the meantime", path.string(),
                   "choose another name");
  }
  throw Unavailable(fmt::format("cannot write: {}", std::strerror(errno)),
                    path.string(), "choose a place that can be written");
}

Ledger Ledger::Create(const base::Path& path, const PopulationOptions& first,
                      std::string key) {
  MakeAt(path, [&](const base::Path& made) {
    Ledger ledger(Tables(Database(made, Database::Mode::kCreate)), key);
    Transaction transaction(ledger.tables_.db());
    ledger.tables_.Make();
    ledger.Append(Opening{.id = RandomId(), .keyed = !key.empty()});
    ledger.Append(ledger.Checked(first));
    transaction.Commit();
  });
  return Open(path, std::move(key));
}

Ledger Ledger::Open(const base::Path& path, std::string key, Mode mode) {
  Ledger ledger(
      Tables(Database(path, mode == Mode::kWrite ? Database::Mode::kWrite
                                                 : Database::Mode::kRead)),
      std::move(key));
  ledger.tables_.CheckFormat();
  ledger.CheckKey(mode);
  if (mode == Mode::kWrite) ledger.tables_.Upgrade();
  return ledger;
}

void Ledger::CheckKey(Mode mode) {
  const std::string where = tables_.db().path().string();
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  const Entry first = EntryFromJson(base::ParseJson(tables_.BodyAt(1)), where);
  if (!std::holds_alternative<Opening>(first)) {
    throw Corrupt("the first entry opens no ledger", where, "restore a copy");
  }
  keyed_ = std::get<Opening>(first).keyed;
  id_ = std::get<Opening>(first).id;
  if (mode == Mode::kRead) return;  // Verify says what does not fit
  if (!keyed_ && !key_.empty()) {
    throw BadInput("this ledger has no key", where,
                   "leave --key-file out; if it once had one, it was replaced");
  }
  if (keyed_ && key_.empty()) {
    throw BadInput("this ledger is written with a key", where,
                   "give the key's file with --key-file");
  }
  // Nothing is added to a chain whose end does not hold.
  if (TipHolds(tables_.LastHead())) {
    tables_.CheckCounts();
    return;
  }
  if (keyed_) {
    throw BadInput(
        "not the key that this ledger was written with, or its last "
        "entry was changed",
        where, "give its own key; 'sfumato ledger verify' says more");
  }
  throw Corrupt("the last entry was changed", where,
                "'sfumato ledger verify' says more; restore a copy");
}

bool Ledger::TipHolds(const Head& head) {
  return ChainHash(key_, tables_.HashAt(head.seq - 1),
                   tables_.BodyAt(head.seq)) == head.hash;
}

void Ledger::Glance() {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  if (keyed_ == !key_.empty() && !TipHolds(tables_.LastHead())) {
    throw Corrupt(keyed_ ? "the last entry was changed, or the key is another"
                         : "the last entry was changed",
                  tables_.db().path().string(),
                  "'sfumato ledger verify' says more");
  }
  tables_.CheckCounts();
}

Head Ledger::Append(const Entry& entry) {
  const Head last = tables_.LastHead();
  if (last.seq > 0 && !TipHolds(last)) {
    throw Corrupt("the last entry was changed", tables_.db().path().string(),
                  "'sfumato ledger verify' says more; restore a copy");
  }
  nlohmann::json body = ToJson(entry);
  body["seq"] = last.seq + 1;
  body["time"] = Today();
  const std::string text = body.dump();
  const Head head{.seq = last.seq + 1,
                  .hash = ChainHash(key_, last.hash, text)};
  tables_.Apply(head.seq, text, head.hash, entry);
  return head;
}

PopulationRow Ledger::Named(const std::string& population) {
  auto found = tables_.FindPopulation(population);
  if (found) return *std::move(found);
  throw BadInput(
      fmt::format("no population '{}'", population),
      tables_.db().path().string(),
      fmt::format("it has: {}", fmt::join(tables_.PopulationNames(), ", ")));
}

Head Ledger::AddPopulation(const PopulationOptions& options) {
  Transaction transaction(tables_.db());
  const Head head = Append(Checked(options));
  transaction.Commit();
  return head;
}

NewPopulation Ledger::Checked(const PopulationOptions& options) {
  CheckName(options.name, "population");
  if (tables_.FindPopulation(options.name)) {
    throw BadInput(
        fmt::format("there is already a population '{}'", options.name),
        tables_.db().path().string(),
        "a budget is given once; choose another name");
  }
  if (options.root.empty()) {
    CheckGrant(options.budget);
    if (!options.partition.empty()) {
      throw BadInput("a partition without a root population", "partition",
                     "name the population that it divides");
    }
    return {.name = options.name, .budget = options.budget};
  }
  const PopulationRow root = Named(options.root);
  if (!root.entry.IsRoot()) {
    throw BadInput(fmt::format("'{}' is not a root population", options.root),
                   "root", fmt::format("derive from '{}'", root.entry.root));
  }
  if (!options.partition.empty()) {
    CheckPartition(root, options.partition);
    if (options.owner.empty()) CheckUnowned(root, options.partition);
  }
  if (!options.owner.empty()) CheckName(options.owner, "run");
  return {.name = options.name,
          .root = options.root,
          .partition = options.partition,
          .selected = options.selected,
          .owner = options.owner};
}

void Ledger::CheckOwner(const std::string& run,
                        const PopulationRow& population) {
  const std::string owner = tables_.OwnerOf(population);
  if (owner.empty() || run == owner) return;
  // One after another: a part behind a gap would be counted by nobody.
  if (const auto before = PartBefore(run, owner);
      before && tables_.FindRun(*before)) {
    return;
  }
  throw BadInput(
      fmt::format("population '{}' belongs to run '{}', whose users it is of; "
                  "run '{}' cannot be charged to it",
                  population.entry.name, owner, run),
      tables_.db().path().string(),
      fmt::format("charge '{}'", population.entry.Root()));
}

void Ledger::CheckUnowned(const PopulationRow& population) {
  const std::string owner = tables_.OwnerOf(population);
  if (owner.empty()) return;
  throw BadInput(
      fmt::format("population '{}' belongs to run '{}', which chose its users; "
                  "nothing else is charged to it",
                  population.entry.name, owner),
      tables_.db().path().string(),
      fmt::format("charge '{}'", population.entry.Root()));
}

// Who is in which cell was settled by the runs that own them.
void Ledger::CheckUnowned(const PopulationRow& root,
                          const std::string& partition) {
  for (const std::string& name : tables_.PopulationNames()) {
    const PopulationRow cell = Named(name);
    if (cell.root != root.id || cell.entry.partition != partition) continue;
    const std::string owner = tables_.OwnerOf(cell);
    if (owner.empty()) continue;
    throw BadInput(
        fmt::format("partition '{}' belongs to run '{}'", partition, owner),
        "partition", "name a partition of your own");
  }
}

Head Ledger::EnterBinding(const PopulationRow& population,
                          const std::string& dataset) {
  const std::string where = tables_.db().path().string();
  CheckName(dataset, "dataset");
  CheckUnowned(population);
  const auto bound = tables_.BoundTo(dataset);
  if (!bound) {
    return Append(
        Binding{.population = population.entry.name, .dataset = dataset});
  }
  if (*bound == population.entry.name) return tables_.LastHead();
  throw BadInput(
      fmt::format("dataset {} is bound to population '{}'", dataset, *bound),
      where, "a dataset's users are of one population: charge that one");
}

Head Ledger::Bind(const std::string& population, const std::string& dataset) {
  Transaction transaction(tables_.db());
  const Head head = EnterBinding(Named(population), dataset);
  transaction.Commit();
  return head;
}

bool Ledger::AreBound(const std::string& population,
                      std::span<const std::string> datasets) {
  const std::string where = tables_.db().path().string();
  CheckUnowned(Named(population));
  std::vector<std::string> unbound;
  for (const std::string& dataset : datasets) {
    const auto bound = tables_.BoundTo(dataset);
    if (!bound) {
      unbound.push_back(dataset);
    } else if (*bound != population) {
      throw BadInput(fmt::format("dataset {} is bound to population '{}', and "
                                 "cannot be charged to '{}'",
                                 dataset, *bound, population),
                     where,
                     fmt::format("charge the population it is bound to: "
                                 "privacy.population = \"{}\", or --population",
                                 *bound));
    }
  }
  if (unbound.empty()) return true;
  // Populations of one root are of one people, who pay together.
  const std::int64_t root = Named(population).root;
  for (const auto& [dataset, other] : tables_.Bindings()) {
    if (Named(other).root != root) continue;
    throw BadInput(
        fmt::format("population '{}' is bound to other datasets, and dataset "
                    "{} is not one of them",
                    other, unbound.front()),
        where,
        fmt::format("if its records are of the same people: sfumato ledger "
                    "bind {} --population {} --dataset DIR; if they are of "
                    "others, give them a population of their own",
                    where, population));
  }
  return false;
}

void Ledger::CheckBound(const std::string& population,
                        std::span<const std::string> datasets) {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  AreBound(population, datasets);
}

void Ledger::BindFirst(const std::string& population,
                       std::span<const std::string> datasets) {
  Transaction transaction(tables_.db());
  if (AreBound(population, datasets)) return;
  const PopulationRow row = Named(population);
  for (const std::string& dataset : datasets) EnterBinding(row, dataset);
  transaction.Commit();
}

Head Ledger::EnterLook(const std::string& dataset, std::int64_t records,
                       const std::string& command) {
  CheckName(dataset, "dataset");
  CheckName(command, "command");
  Transaction transaction(tables_.db());
  const Head head = Append(
      Looking{.dataset = dataset, .records = records, .command = command});
  transaction.Commit();
  return head;
}

std::map<std::string, std::string> Ledger::Bindings() {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  return tables_.Bindings();
}

std::vector<Look> Ledger::Looks() {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  const std::string where = tables_.db().path().string();
  std::vector<Look> looks;
  for (const std::int64_t seq : tables_.Looks()) {
    const nlohmann::json body = base::ParseJson(tables_.BodyAt(seq));
    const Entry entry = EntryFromJson(body, where);
    const auto* looking = std::get_if<Looking>(&entry);
    if (looking == nullptr) {
      throw Corrupt(fmt::format("entry {} is not a look", seq), where,
                    "'sfumato ledger verify' says more");
    }
    looks.push_back({.date = body.value("time", ""),
                     .dataset = looking->dataset,
                     .records = looking->records,
                     .command = looking->command});
  }
  return looks;
}

void Ledger::CheckPartition(const PopulationRow& root,
                            const std::string& partition) {
  CheckName(partition, "partition");
  if (root.entry.budget.adjacency != Adjacency::kAddRemove) {
    throw Unsupported(
        "cells of a partition under replace-one adjacency", "partition",
        "a replaced user may move from one cell to another; use add-remove");
  }
  if (tables_.PartitionHasReleased(root.id, partition)) {
    throw BadInput(
        fmt::format("partition '{}' has already released", partition),
        "partition",
        "who is in which cell must be settled before; name a new partition");
  }
}

Ledger::Request Ledger::RequestFor(const std::string& run,
                                   const std::string& population,
                                   std::span<const Event> events) {
  Request request{.run = run, .population = Named(population), .events = {}};
  if (events.empty()) {
    throw BadInput("no events to reserve", run, "list what will be released");
  }
  Kinds& kinds = tables_.KindsOf(request.population.root);
  for (const Event& event : events) {
    if (!event.population.name.empty() && event.population.name != population) {
      throw BadInput(fmt::format("an event of population '{}' in a run on '{}'",
                                 event.population.name, population),
                     run, "leave the population out of the events");
    }
    request.events.push_back(Filled(event, request.population.entry));
    CheckEvent(request.events.back());
    kinds.Of(request.events.back());  // the budget's adjacency and unit
    if (__builtin_add_overflow(request.asked, event.count, &request.asked)) {
      throw BadInput("more than 2^63 events", run, "reserve fewer");
    }
  }
  CheckEvents(request.events);
  return request;
}

std::optional<Reservation> Ledger::Existing(const Request& request,
                                            bool spend) {
  const auto run = tables_.FindRun(request.run);
  if (!run) return std::nullopt;
  std::map<std::string, std::int64_t> wanted;
  Kinds& kinds = tables_.KindsOf(request.population.root);
  for (const Event& event : request.events) {
    wanted[kinds.Of(event).key] += event.count;
  }
  std::map<std::string, std::int64_t> had;
  for (const RunTally& tally : tables_.RunTallies(run->id)) {
    had[tally.key] = tally.reserved + tally.released;
  }
  if (spend) {
    if (const auto head = SpentBefore(*run, request)) {
      return Reservation{.head = *head, .existing = true};
    }
  }
  if (spend || run->finished || run->population != request.population.id ||
      had != wanted) {
    throw BadInput(
        fmt::format("run '{}' {}", request.run,
                    run->finished ? "is finished: what it spent is counted"
                                  : "has reserved before"),
        tables_.db().path().string(), "choose another name");
  }
  return Reservation{.head = tables_.LastHead(), .existing = true};
}

// Spend enters a reservation, a release of each event and the end without
// anything between; a run that was reserved and released by itself is another.
std::optional<Head> Ledger::SpentBefore(const RunRow& run,
                                        const Request& request) {
  if (!run.finished || run.population != request.population.id) return {};
  Kinds& kinds = tables_.KindsOf(request.population.root);
  std::int64_t first = 0;
  const auto count = static_cast<std::int64_t>(request.events.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const Event& event = request.events[static_cast<std::size_t>(i)];
    const auto release = tables_.FindRelease(run.id, i, 0);
    if (i == 0 && release) first = release->seq;
    if (!release || release->seq != first + i ||
        release->count != event.count || release->key != kinds.Of(event).key ||
        release->cohort != event.cohort) {
      return {};
    }
  }
  const std::string where = tables_.db().path().string();
  const auto at = [&](std::int64_t seq) {
    return EntryFromJson(base::ParseJson(tables_.BodyAt(seq)), where);
  };
  const Entry before = at(first - 1);
  const Entry after = at(first + count);
  const auto* reserving = std::get_if<Reserving>(&before);
  const auto* finishing = std::get_if<Finishing>(&after);
  if (reserving == nullptr || reserving->run != request.run ||
      reserving->events.size() != request.events.size() ||
      finishing == nullptr || finishing->run != request.run) {
    return {};
  }
  for (std::size_t i = 0; i < request.events.size(); ++i) {
    if (reserving->events[i].count != request.events[i].count) return {};
  }
  return Head{.seq = first + count, .hash = tables_.HashAt(first + count)};
}

std::optional<Head> Ledger::FindSpent(const std::string& run,
                                      const std::string& population,
                                      std::span<const Event> events) {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  const Request request = RequestFor(run, population, events);
  const auto found = tables_.FindRun(run);
  return found ? SpentBefore(*found, request) : std::nullopt;
}

Reservation Ledger::Enter(const std::string& run, const std::string& population,
                          std::span<const Event> events, bool spend) {
  CheckName(run, "run");
  for (int tries = 0;; ++tries) {
    Request request;
    Standing before;
    {
      Transaction transaction(tables_.db());
      request = RequestFor(run, population, events);
      CheckOwner(run, request.population);
      if (const auto existing = Existing(request, spend)) return *existing;
      before = tables_.StandingOf(request.population.root);
      const Verdict verdict =
          Judge(With(before, request, request.asked), tries >= kPatience);
      if (verdict == Verdict::kFits || verdict == Verdict::kFitsPlan) {
        const Reservation made =
            Enter(request, verdict == Verdict::kFitsPlan, spend);
        transaction.Commit();
        return made;
      }
    }
    // Composing a plan and searching for what would fit takes long; others may
    // write meanwhile, and then the question is asked again.
    const Price price = PriceOf(request, before);
    if (!price.fits) throw Refusal(request, price);
  }
}

Reservation Ledger::Enter(const Request& request, bool by_plan, bool spend) {
  Reservation made{.head = {}, .by_plan = by_plan};
  made.head = Append(Reserving{.run = request.run,
                               .population = request.population.entry.name,
                               .events = request.events,
                               .by_plan = by_plan});
  if (!spend) return made;
  for (std::size_t i = 0; i < request.events.size(); ++i) {
    EnterRelease({.run = request.run, .round = static_cast<std::int64_t>(i)},
                 request.events[i]);
  }
  made.head = EnterFinish(request.run);
  return made;
}

Reservation Ledger::Reserve(const std::string& run,
                            const std::string& population,
                            std::span<const Event> events) {
  return Enter(run, population, events, false);
}

Reservation Ledger::Spend(const std::string& run, const std::string& population,
                          std::span<const Event> events) {
  return Enter(run, population, events, true);
}

Head Ledger::Release(const Round& round, const Event& event) {
  Transaction transaction(tables_.db());
  const Head head = EnterRelease(round, event);
  transaction.Commit();
  return head;
}

Head Ledger::EnterRelease(const Round& round, const Event& event) {
  const std::string where = fmt::format("{}, run '{}', round {}, attempt {}",
                                        tables_.db().path().string(), round.run,
                                        round.round, round.attempt);
  const auto run = tables_.FindRun(round.run);
  if (!run) {
    throw BadInput("the run has reserved nothing", where,
                   "reserve its whole plan first");
  }
  if (round.round < 0 || round.attempt < 0) {
    throw BadInput("rounds and attempts count from 0", where);
  }
  const PopulationRow population = tables_.PopulationAt(run->population);
  if (!event.population.name.empty() &&
      event.population.name != population.entry.name) {
    throw BadInput(fmt::format("an event of population '{}' in a run on '{}'",
                               event.population.name, population.entry.name),
                   where, "leave the population out of the event");
  }
  const Event filled = Filled(event, population.entry);
  CheckEvent(filled);
  const Kind& kind = tables_.KindsOf(population.root).Of(filled);

  if (const auto before =
          tables_.FindRelease(run->id, round.round, round.attempt)) {
    if (before->key != kind.key || before->count != event.count ||
        before->cohort != event.cohort) {
      throw BadInput("another event was entered for this attempt", where,
                     "a repeated round is a new draw: give it a new attempt");
    }
    return {.seq = before->seq, .hash = tables_.HashAt(before->seq)};
  }
  if (run->finished) {
    throw BadInput("the run is finished", where, "start another run");
  }
  if (Sampled(event) && !event.cohort.empty() &&
      tables_.CohortAsked(population.root, event.cohort)) {
    throw BadInput(
        fmt::format("cohort '{}' was already asked", event.cohort), where,
        "draw a new cohort; or release everything from one cohort as one event "
        "with joint noise (sum of z^-2)^(-1/2)");
  }
  const auto left = tables_.Unreleased(run->id, population.root, kind.key);
  if (!left) {
    throw BadInput(
        fmt::format("the run has not reserved '{}'", Describe(filled)), where,
        "release what was reserved, or reserve this under another run");
  }
  if (event.count > *left) {
    throw Error(
        ErrorKind::kBudgetSpent,
        fmt::format("{} of '{}' where the run's reservation has {} left",
                    event.count, Describe(kind.event), *left),
        where, "finish the run, and reserve more under another name");
  }
  Releasing entry{.run = round.run,
                  .round = round.round,
                  .attempt = round.attempt,
                  .event = filled};
  if (tables_.SettlementOf(population.root).stage == Stage::kOpen) {
    Standing standing = tables_.StandingOf(population.root);
    standing.FixStage(tables_.KindsOf(population.root));
    entry.settles = standing.settlement;
  }
  return Append(entry);
}

Head Ledger::Finish(const std::string& run) {
  Transaction transaction(tables_.db());
  const Head head = EnterFinish(run);
  transaction.Commit();
  return head;
}

Head Ledger::EnterFinish(const std::string& run) {
  const auto found = tables_.FindRun(run);
  if (!found) {
    throw BadInput(fmt::format("no run '{}'", run),
                   tables_.db().path().string(), "check the name");
  }
  if (found->finished) return tables_.LastHead();
  return Append(Finishing{.run = run});
}

Shares SharesOf(const Totals& totals) {
  const bool plan = totals.stage == Stage::kPlan;
  Shares shares{.spent = totals.used, .taken = totals.used_reserved};
  if (plan || !(totals.used_reserved <= 1)) {
    const Budget& budget = totals.budget;
    std::vector<Event> all = totals.reserved;
    all.insert(all.end(), totals.released.begin(), totals.released.end());
    shares.spent =
        ComposedEpsilon(totals.released, budget.delta) / budget.epsilon;
    shares.taken = ComposedEpsilon(all, budget.delta) / budget.epsilon;
  }
  shares.left = plan ? 0 : 1 - shares.taken;
  return shares;
}

std::vector<std::string> Ledger::Populations() {
  return tables_.PopulationNames();
}

Totals Ledger::TotalsOf(const std::string& population) {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  const PopulationRow row = Named(population);
  const Standing standing =
      row.entry.IsRoot() ? tables_.StandingOf(row.id) : tables_.ShareOf(row);
  const auto charges = standing.Charges(false);
  return {.population = row.entry.AsPopulation(),
          .budget = standing.filter->budget(),
          .stage = standing.settlement.stage,
          .released = standing.Released(),
          .reserved = standing.Reserved(),
          .runs = tables_.Runs(row.id, false),
          .open_runs = tables_.Runs(row.id, true),
          .used = standing.Used(false),
          .used_reserved = standing.Used(true),
          .filter_epsilon = charges ? standing.filter->Epsilon(*charges)
                                    : std::numeric_limits<double>::infinity()};
}

std::optional<Run> Ledger::FindRun(const std::string& name) {
  Transaction transaction(tables_.db(), Transaction::Kind::kRead);
  const auto row = tables_.FindRun(name);
  if (!row) return std::nullopt;
  const PopulationRow population = tables_.PopulationAt(row->population);
  Kinds& kinds = tables_.KindsOf(population.root);
  const std::vector<RunTally> tallies = tables_.RunTallies(row->id);
  return Run{.population = population.entry.AsPopulation(),
             .finished = row->finished,
             .reserved = Counted(kinds, tallies, &RunTally::reserved),
             .released = Counted(kinds, tallies, &RunTally::released)};
}

Head Ledger::head() { return tables_.LastHead(); }

}  // namespace sfumato::dp
