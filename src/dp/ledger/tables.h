// The tables of a ledger's file: the entries, and what follows from them, kept
// so that a call costs no more than the kinds of events there are.
//
// Everything but `entries` could be computed from the entries: Apply is the
// only writer, and Ledger::Verify computes it anew and compares.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "dp/ledger/chain.h"
#include "dp/ledger/database.h"
#include "dp/ledger/entry.h"
#include "dp/ledger/standing.h"

namespace sfumato::dp {

struct PopulationRow {
  std::int64_t id = 0;
  std::int64_t root = 0;  // its own id for a root population
  NewPopulation entry = {};
};

struct RunRow {
  std::int64_t id = 0;
  std::int64_t population = 0;
  bool finished = false;
};

// What a run has of one kind of event.
struct RunTally {
  std::int64_t charge = 0;
  std::string key = "";
  std::int64_t reserved = 0;
  std::int64_t released = 0;
};

struct ReleaseRow {
  std::string key = "";  // the kind of event
  std::int64_t count = 0;
  std::string cohort = "";
  std::int64_t seq = 0;
};

class Tables {
 public:
  explicit Tables(Database db) : db_(std::move(db)) {}

  Database& db() { return db_; }

  void Make();  // in a new file
  // Throws BadInput, Unsupported (a newer format) or Corrupt.
  void CheckFormat();
  // Adds the tables that an older format lacks. REQUIRES: CheckFormat.
  void Upgrade();

  Head LastHead();
  std::string HashAt(std::int64_t seq);
  std::string BodyAt(std::int64_t seq);

  std::optional<PopulationRow> FindPopulation(const std::string& name);
  PopulationRow PopulationAt(std::int64_t id);
  std::vector<std::string> PopulationNames();  // roots first
  // The run whose population this is: as its entry says or, in ledgers that are
  // older than owners, the run RUN that reserved on "ROOT/RUN". Empty:
  // nobody's.
  std::string OwnerOf(const PopulationRow& population);
  std::optional<std::string> BoundTo(const std::string& dataset);
  std::map<std::string, std::string> Bindings();  // dataset → population
  std::vector<std::int64_t> Looks();              // their entries
  bool PartitionHasReleased(std::int64_t root, const std::string& partition);

  Kinds& KindsOf(std::int64_t root);
  Settlement SettlementOf(std::int64_t root);
  Standing StandingOf(std::int64_t root);             // of a root population
  Standing ShareOf(const PopulationRow& population);  // of its own runs
  // For a root population also the runs on what derives from it.
  std::int64_t Runs(std::int64_t population, bool open);
  // A quick look, not a verification: are the entries as many as the last one's
  // number, and a root's totals the sums of its runs'? Throws Corrupt.
  void CheckCounts();

  std::optional<RunRow> FindRun(const std::string& name);
  std::vector<RunTally> RunTallies(std::int64_t run);
  // What the run may still release of a kind; nothing if it never reserved it.
  std::optional<std::int64_t> Unreleased(std::int64_t run, std::int64_t root,
                                         const std::string& key);
  std::optional<ReleaseRow> FindRelease(std::int64_t run, std::int64_t round,
                                        std::int64_t attempt);
  bool CohortAsked(std::int64_t root, const std::string& cohort);

  // Writes the entry and all that follows from it. Throws Corrupt for an entry
  // that does not fit those before it. REQUIRES: inside a transaction.
  void Apply(std::int64_t seq, const std::string& body, const std::string& hash,
             const Entry& entry);

 private:
  void Apply(std::int64_t seq, const Opening& entry);
  void Apply(std::int64_t seq, const NewPopulation& entry);
  void Apply(std::int64_t seq, const Reserving& entry);
  void Apply(std::int64_t seq, const Releasing& entry);
  void Apply(std::int64_t seq, const Finishing& entry);
  void Apply(std::int64_t seq, const Binding& entry);
  void Apply(std::int64_t seq, const Looking& entry);
  void Apply(std::int64_t seq, const Importing& entry);
  PopulationRow ReadPopulation(Statement& statement);
  Error Misfit(std::int64_t seq, const std::string& what) const;

  Database db_;
  std::int64_t format_ = 0;
  std::map<std::int64_t, Kinds> kinds_;  // by root
};

// The event as one of `population`.
Event Filled(const Event& event, const NewPopulation& population);

}  // namespace sfumato::dp
