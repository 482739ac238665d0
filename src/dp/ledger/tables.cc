#include "dp/ledger/tables.h"

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::int64_t kApplication = 0x53666d6c;  // "Sfml", in the header
constexpr std::int64_t kFormat = 2;
constexpr std::int64_t kFirstFormat = 1;  // without kNewTables

constexpr char kTables[] = R"(
CREATE TABLE entries(
  seq INTEGER PRIMARY KEY,  -- 1, 2, 3, …
  body TEXT NOT NULL,       -- JSON, exactly as it was hashed
  hash TEXT NOT NULL);
CREATE TABLE populations(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  root INTEGER NOT NULL,    -- its own id, or the root that pays
  body TEXT NOT NULL,       -- its entry
  stage TEXT NOT NULL,      -- open, filter or plan; of a root
  filter_order REAL NOT NULL);
CREATE TABLE charges(       -- what a root population owes, by kind of event
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL,
  event TEXT NOT NULL,
  planned INTEGER NOT NULL,
  reserved INTEGER NOT NULL CHECK(reserved >= 0),
  released INTEGER NOT NULL,
  UNIQUE(root, event));
CREATE TABLE runs(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  population INTEGER NOT NULL,
  finished INTEGER NOT NULL);
CREATE TABLE run_charges(
  run INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  reserved INTEGER NOT NULL CHECK(reserved >= 0),
  released INTEGER NOT NULL,
  PRIMARY KEY(run, charge)) WITHOUT ROWID;
CREATE TABLE releases(
  run INTEGER NOT NULL,
  round INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  count INTEGER NOT NULL,
  cohort TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY(run, round, attempt)) WITHOUT ROWID;
CREATE TABLE cohorts(       -- sampled cohorts that were asked
  root INTEGER NOT NULL,
  cohort TEXT NOT NULL,
  PRIMARY KEY(root, cohort)) WITHOUT ROWID;
)";

constexpr char kNewTables[] = R"(
CREATE TABLE IF NOT EXISTS bindings(  -- whose records a dataset holds
  dataset TEXT PRIMARY KEY,
  population INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS looks(     -- entries of looks at records
  seq INTEGER PRIMARY KEY);
)";

Stage StageFrom(std::string_view name) {
  for (const Stage stage : {Stage::kOpen, Stage::kFilter, Stage::kPlan}) {
    if (Name(stage) == name) return stage;
  }
  return Stage::kPlan;  // the stage that admits least
}

}  // namespace

Event Filled(const Event& event, const NewPopulation& population) {
  Event filled = event;
  filled.population = population.AsPopulation();
  return filled;
}

void Tables::Make() {
  db_.Run(kTables);
  db_.Run(kNewTables);
  db_.Run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}",
                      kApplication, kFormat)
              .c_str());
  format_ = kFormat;
}

void Tables::Upgrade() {
  if (format_ == kFormat) return;
  Transaction transaction(db_);
  db_.Run(kNewTables);
  db_.Run(fmt::format("PRAGMA user_version={}", kFormat).c_str());
  transaction.Commit();
  format_ = kFormat;
}

void Tables::CheckFormat() {
  const std::string where = db_.path().string();
  const std::int64_t application = db_.WholeOf("PRAGMA application_id");
  const std::int64_t format = db_.WholeOf("PRAGMA user_version");
  if (application != kApplication) {
    const bool empty = db_.WholeOf("PRAGMA page_count") == 0;
    throw BadInput(
        empty ? "an empty file, not a ledger" : "an SQLite file, but no ledger",
        where, "'sfumato ledger create' makes a ledger");
  }
  format_ = format;
  if (format != kFormat && format != kFirstFormat) {
    throw Unsupported(
        fmt::format("a ledger of format {}, where this program knows {} and {}",
                    format, kFirstFormat, kFormat),
        where, "use the program that wrote it, or a newer one");
  }
  if (db_.WholeOf("SELECT count(*) FROM entries WHERE seq = 1") != 1) {
    throw Corrupt("the ledger has lost its first entry", where,
                  "restore a copy");
  }
}

Head Tables::LastHead() {
  Statement last =
      db_.Prepare("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1");
  Head head;
  if (last.Next()) head = {.seq = last.Whole(0), .hash = last.Text(1)};
  last.Run();
  return head;
}

std::string Tables::HashAt(std::int64_t seq) {
  Statement found = db_.Prepare("SELECT hash FROM entries WHERE seq = ?");
  std::string hash;
  if (found.Bind(seq).Next()) hash = found.Text(0);
  found.Run();
  return hash;
}

std::string Tables::BodyAt(std::int64_t seq) {
  Statement found = db_.Prepare("SELECT body FROM entries WHERE seq = ?");
  std::string body;
  if (found.Bind(seq).Next()) body = found.Text(0);
  found.Run();
  return body;
}

PopulationRow Tables::ReadPopulation(Statement& row) {
  PopulationRow population{.id = row.Whole(0), .root = row.Whole(1)};
  const std::string where = db_.path().string();
  const Entry entry = EntryFromJson(base::ParseJson(row.View(2)), where);
  if (!std::holds_alternative<NewPopulation>(entry)) {
    throw Corrupt("not a population", where, "restore a copy");
  }
  population.entry = std::get<NewPopulation>(entry);
  return population;
}

std::optional<PopulationRow> Tables::FindPopulation(const std::string& name) {
  Statement found =
      db_.Prepare("SELECT id, root, body FROM populations WHERE name = ?");
  std::optional<PopulationRow> population;
  if (found.Bind(name).Next()) population = ReadPopulation(found);
  found.Run();
  return population;
}

PopulationRow Tables::PopulationAt(std::int64_t id) {
  Statement found =
      db_.Prepare("SELECT id, root, body FROM populations WHERE id = ?");
  if (!found.Bind(id).Next()) {
    throw Corrupt("a population is missing", db_.path().string(),
                  "restore a copy");
  }
  PopulationRow population = ReadPopulation(found);
  found.Run();
  return population;
}

std::vector<std::string> Tables::PopulationNames() {
  std::vector<std::string> names;
  Statement row = db_.Prepare(
      "SELECT p.name FROM populations p JOIN populations r ON r.id = p.root "
      "ORDER BY r.id, p.id <> r.id, p.id");
  while (row.Next()) names.push_back(row.Text(0));
  return names;
}

std::string Tables::OwnerOf(const PopulationRow& population) {
  const NewPopulation& entry = population.entry;
  if (entry.IsRoot() || !entry.owner.empty()) return entry.owner;
  const std::string prefix = entry.root + "/";
  if (!entry.name.starts_with(prefix)) return "";
  const std::string run = entry.name.substr(prefix.size());
  const auto found = FindRun(run);
  return found && found->population == population.id ? run : "";
}

std::optional<std::string> Tables::BoundTo(const std::string& dataset) {
  if (format_ < kFormat) return std::nullopt;
  Statement row = db_.Prepare(
      "SELECT p.name FROM bindings b JOIN populations p ON p.id = b.population "
      "WHERE b.dataset = ?");
  std::optional<std::string> population;
  if (row.Bind(dataset).Next()) population = row.Text(0);
  row.Run();
  return population;
}

std::map<std::string, std::string> Tables::Bindings() {
  std::map<std::string, std::string> bindings;
  if (format_ < kFormat) return bindings;
  Statement row = db_.Prepare(
      "SELECT b.dataset, p.name FROM bindings b JOIN populations p "
      "ON p.id = b.population");
  while (row.Next()) bindings.emplace(row.Text(0), row.Text(1));
  return bindings;
}

std::vector<std::int64_t> Tables::Looks() {
  std::vector<std::int64_t> looks;
  if (format_ < kFormat) return looks;
  Statement row = db_.Prepare("SELECT seq FROM looks ORDER BY seq");
  while (row.Next()) looks.push_back(row.Whole(0));
  return looks;
}

bool Tables::PartitionHasReleased(std::int64_t root,
                                  const std::string& partition) {
  for (const Tally& tally : StandingOf(root).tallies) {
    if (tally.released > 0 &&
        tally.kind->event.population.partition == partition) {
      return true;
    }
  }
  return false;
}

Kinds& Tables::KindsOf(std::int64_t root) {
  const auto found = kinds_.find(root);
  if (found != kinds_.end()) return found->second;
  return kinds_.try_emplace(root, PopulationAt(root).entry.budget)
      .first->second;
}

Settlement Tables::SettlementOf(std::int64_t root) {
  Statement row =
      db_.Prepare("SELECT stage, filter_order FROM populations WHERE id = ?");
  Settlement settlement{.stage = Stage::kPlan};
  if (row.Bind(root).Next()) {
    settlement = {.stage = StageFrom(row.View(0)), .order = row.Number(1)};
  }
  row.Run();
  return settlement;
}

Standing Tables::StandingOf(std::int64_t root) {
  Kinds& kinds = KindsOf(root);
  Standing standing{.settlement = SettlementOf(root)};
  standing.filter = &kinds.FilterFor(standing.settlement);
  Statement row = db_.Prepare(
      "SELECT event, planned, reserved, released FROM charges WHERE root = ? "
      "ORDER BY event");
  row.Bind(root);
  while (row.Next()) {
    standing.tallies.push_back({.kind = &kinds.At(row.Text(0)),
                                .planned = row.Whole(1),
                                .reserved = row.Whole(2),
                                .released = row.Whole(3)});
  }
  return standing;
}

Standing Tables::ShareOf(const PopulationRow& population) {
  Kinds& kinds = KindsOf(population.root);
  Standing standing{.settlement = SettlementOf(population.root)};
  standing.filter = &kinds.FilterFor(standing.settlement);
  Statement row = db_.Prepare(
      "SELECT c.event, sum(t.reserved), sum(t.released) FROM runs r "
      "JOIN run_charges t ON t.run = r.id JOIN charges c ON c.id = t.charge "
      "WHERE r.population = ? GROUP BY c.event ORDER BY c.event");
  row.Bind(population.id);
  while (row.Next()) {
    standing.tallies.push_back({.kind = &kinds.At(row.Text(0)),
                                .reserved = row.Whole(1),
                                .released = row.Whole(2)});
  }
  return standing;
}

std::int64_t Tables::Runs(std::int64_t population, bool open) {
  Statement row = db_.Prepare(
      "SELECT count(*) FROM runs r JOIN populations p ON p.id = r.population "
      "WHERE (p.id = ?1 OR p.root = ?1) AND r.finished <= ?2");
  const std::int64_t runs =
      row.Bind(population, !open).Next() ? row.Whole(0) : 0;
  row.Run();
  return runs;
}

void Tables::CheckCounts() {
  const std::string where = db_.path().string();
  const char* todo =
      "'sfumato ledger verify' says more; spend nothing until you know why";
  if (db_.WholeOf("SELECT count(*) FROM entries") != LastHead().seq) {
    throw Corrupt("entries were removed", where, todo);
  }
  if (db_.WholeOf(
          "SELECT (SELECT count(*) FROM charges c LEFT JOIN "
          "(SELECT charge, sum(reserved) AS reserved, "
          "sum(released) AS released FROM run_charges GROUP BY charge) "
          "t ON t.charge = c.id WHERE c.reserved IS NOT t.reserved OR "
          "c.released IS NOT t.released) + (SELECT count(*) FROM "
          "run_charges WHERE charge NOT IN (SELECT id FROM charges))") != 0) {
    throw Corrupt("the totals are not the sums of what the runs took", where,
                  todo);
  }
}

std::optional<RunRow> Tables::FindRun(const std::string& name) {
  Statement row =
      db_.Prepare("SELECT id, population, finished FROM runs WHERE name = ?");
  std::optional<RunRow> run;
  if (row.Bind(name).Next()) {
    run = {.id = row.Whole(0),
           .population = row.Whole(1),
           .finished = row.Whole(2) != 0};
  }
  row.Run();
  return run;
}

std::vector<RunTally> Tables::RunTallies(std::int64_t run) {
  std::vector<RunTally> tallies;
  Statement row = db_.Prepare(
      "SELECT t.charge, c.event, t.reserved, t.released FROM run_charges t "
      "JOIN charges c ON c.id = t.charge WHERE t.run = ? ORDER BY c.event");
  row.Bind(run);
  while (row.Next()) {
    tallies.push_back({.charge = row.Whole(0),
                       .key = row.Text(1),
                       .reserved = row.Whole(2),
                       .released = row.Whole(3)});
  }
  return tallies;
}

std::optional<std::int64_t> Tables::Unreleased(std::int64_t run,
                                               std::int64_t root,
                                               const std::string& key) {
  Statement row = db_.Prepare(
      "SELECT t.reserved FROM charges c JOIN run_charges t ON t.charge = c.id "
      "WHERE t.run = ? AND c.root = ? AND c.event = ?");
  std::optional<std::int64_t> left;
  if (row.Bind(run, root, key).Next()) left = row.Whole(0);
  row.Run();
  return left;
}

std::optional<ReleaseRow> Tables::FindRelease(std::int64_t run,
                                              std::int64_t round,
                                              std::int64_t attempt) {
  Statement row = db_.Prepare(
      "SELECT c.event, r.count, r.cohort, r.seq FROM releases r JOIN charges c "
      "ON c.id = r.charge WHERE r.run = ? AND r.round = ? AND r.attempt = ?");
  std::optional<ReleaseRow> release;
  if (row.Bind(run, round, attempt).Next()) {
    release = {.key = row.Text(0),
               .count = row.Whole(1),
               .cohort = row.Text(2),
               .seq = row.Whole(3)};
  }
  row.Run();
  return release;
}

bool Tables::CohortAsked(std::int64_t root, const std::string& cohort) {
  Statement row =
      db_.Prepare("SELECT 1 FROM cohorts WHERE root = ? AND cohort = ?");
  const bool asked = row.Bind(root, cohort).Next();
  row.Run();
  return asked;
}

Error Tables::Misfit(std::int64_t seq, const std::string& what) const {
  return Corrupt(fmt::format("entry {}: {}", seq, what), db_.path().string(),
                 "'sfumato ledger verify' says more");
}

void Tables::Apply(std::int64_t seq, const std::string& body,
                   const std::string& hash, const Entry& entry) {
  db_.Prepare("INSERT INTO entries(seq, body, hash) VALUES (?, ?, ?)")
      .Bind(seq, body, hash)
      .Run();
  std::visit([&](const auto& part) { Apply(seq, part); }, entry);
}

void Tables::Apply(std::int64_t, const Opening&) {}
void Tables::Apply(std::int64_t, const Importing&) {}

void Tables::Apply(std::int64_t seq, const Binding& entry) {
  const auto population = FindPopulation(entry.population);
  if (!population) throw Misfit(seq, "a population that is not there");
  if (BoundTo(entry.dataset)) throw Misfit(seq, "a dataset that was bound");
  db_.Prepare("INSERT INTO bindings(dataset, population) VALUES (?, ?)")
      .Bind(entry.dataset, population->id)
      .Run();
}

void Tables::Apply(std::int64_t seq, const Looking&) {
  db_.Prepare("INSERT INTO looks(seq) VALUES (?)").Bind(seq).Run();
}

void Tables::Apply(std::int64_t seq, const NewPopulation& entry) {
  std::int64_t root = 0;  // a root population's is its own
  if (!entry.IsRoot()) {
    const auto found = FindPopulation(entry.root);
    if (!found) throw Misfit(seq, "a root that is not there");
    root = found->id;
  }
  db_.Prepare(
         "INSERT INTO populations(name, root, body, stage, filter_order) "
         "VALUES (?, ?, ?, 'open', 0)")
      .Bind(entry.name, root, ToJson(Entry(entry)).dump())
      .Run();
  if (entry.IsRoot()) {
    db_.Prepare("UPDATE populations SET root = id WHERE name = ?")
        .Bind(entry.name)
        .Run();
  }
}

void Tables::Apply(std::int64_t seq, const Reserving& entry) {
  const auto population = FindPopulation(entry.population);
  if (!population) throw Misfit(seq, "a population that is not there");
  if (FindRun(entry.run)) throw Misfit(seq, "a run that was there before");
  db_.Prepare("INSERT INTO runs(name, population, finished) VALUES (?, ?, 0)")
      .Bind(entry.run, population->id)
      .Run();
  const std::int64_t run = sqlite3_last_insert_rowid(db_.handle());
  Kinds& kinds = KindsOf(population->root);
  for (const Event& event : entry.events) {
    const Kind& kind = kinds.Of(Filled(event, population->entry));
    Statement charge = db_.Prepare(
        "INSERT INTO charges(root, event, planned, reserved, released) "
        "VALUES (?, ?, 0, ?, 0) ON CONFLICT(root, event) "
        "DO UPDATE SET reserved = reserved + excluded.reserved RETURNING id");
    charge.Bind(population->root, kind.key, event.count).Next();
    const std::int64_t id = charge.Whole(0);
    charge.Run();
    db_.Prepare(
           "INSERT INTO run_charges(run, charge, reserved, released) "
           "VALUES (?, ?, ?, 0) ON CONFLICT(run, charge) "
           "DO UPDATE SET reserved = reserved + excluded.reserved")
        .Bind(run, id, event.count)
        .Run();
  }
}

void Tables::Apply(std::int64_t seq, const Releasing& entry) {
  const auto run = FindRun(entry.run);
  if (!run) throw Misfit(seq, "a run that is not there");
  const PopulationRow population = PopulationAt(run->population);
  if (entry.settles) {
    db_.Prepare(
           "UPDATE populations SET stage = ?, filter_order = ? WHERE id = ?")
        .Bind(Name(entry.settles->stage), entry.settles->order, population.root)
        .Run();
    db_.Prepare("UPDATE charges SET planned = reserved WHERE root = ?")
        .Bind(population.root)
        .Run();
  }
  const Kind& kind =
      KindsOf(population.root).Of(Filled(entry.event, population.entry));
  Statement charge = db_.Prepare(
      "UPDATE charges SET reserved = reserved - ?1, released = released + ?1 "
      "WHERE root = ?2 AND event = ?3 RETURNING id");
  if (!charge.Bind(entry.event.count, population.root, kind.key).Next()) {
    throw Misfit(seq, "a release that was not reserved");
  }
  const std::int64_t id = charge.Whole(0);
  charge.Run();
  db_.Prepare(
         "UPDATE run_charges SET reserved = reserved - ?1, released = released "
         "+ ?1 WHERE run = ?2 AND charge = ?3")
      .Bind(entry.event.count, run->id, id)
      .Run();
  db_.Prepare(
         "INSERT INTO releases(run, round, attempt, charge, count, cohort, "
         "seq) VALUES (?, ?, ?, ?, ?, ?, ?)")
      .Bind(run->id, entry.round, entry.attempt, id, entry.event.count,
            entry.event.cohort, seq)
      .Run();
  if (!entry.event.cohort.empty() &&
      !std::holds_alternative<All>(entry.event.sampling)) {
    db_.Prepare("INSERT INTO cohorts(root, cohort) VALUES (?, ?)")
        .Bind(population.root, entry.event.cohort)
        .Run();
  }
}

void Tables::Apply(std::int64_t seq, const Finishing& entry) {
  const auto run = FindRun(entry.run);
  if (!run) throw Misfit(seq, "a run that is not there");
  for (const RunTally& tally : RunTallies(run->id)) {
    db_.Prepare("UPDATE charges SET reserved = reserved - ? WHERE id = ?")
        .Bind(tally.reserved, tally.charge)
        .Run();
  }
  db_.Prepare("UPDATE run_charges SET reserved = 0 WHERE run = ?")
      .Bind(run->id)
      .Run();
  db_.Prepare("UPDATE runs SET finished = 1 WHERE id = ?").Bind(run->id).Run();
}

}  // namespace sfumato::dp
