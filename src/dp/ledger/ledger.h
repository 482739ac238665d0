// All that was ever spent on populations, in one file, with a hard stop.
//
//   Ledger ledger = Ledger::Open("ledger.sqlite");
//   ledger.Reserve("first", "phones", plan);      // the whole run, or nothing
//   ledger.Release({.run = "first", .round = 1}, event);  // then add the noise
//   ledger.Finish("first");                       // what was not used is back
//
// What holds: releases on a root population and on all that derive from it are
// together (epsilon, delta)-DP for the budget's unit and adjacency, however
// their spender chose them (standing.h has the proof), if each is entered by
// Release before anyone sees its value. Every call that changes something is
// one transaction: when it returns, the change is on the disk; when it throws,
// nothing was changed (repeating is safe also where the disk failed in the
// middle). Several processes may spend at once. A process killed at any moment
// leaves a ledger that opens, with at most one release counted that nobody saw.
//
// Every change appends an entry to a chain of hashes (chain.h). Keep head()
// with whatever was released: Verify compares. The owner of the file can write
// into it and is trusted. docs/ledger_format.md describes the file.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "dp/accounting/event.h"
#include "dp/accounting/filter.h"
#include "dp/ledger/audit.h"
#include "dp/ledger/chain.h"
#include "dp/ledger/standing.h"
#include "dp/ledger/tables.h"

namespace sfumato::dp {

struct PopulationOptions {
  std::string name;
  Budget budget = {};  // of a root population; others use their root's
  std::string root = "";
  // Cells of one partition share no user, and each user's cell is settled
  // before the first release from any of them; they pay their maximum.
  std::string partition = "";
  bool selected = true;  // not a root, and its users' own data chose it
  // Not a root: the one run, with all its parts, that may charge it. A cell's
  // users are those whom that run selects; another run on other users would pay
  // the cell's price for them. Empty: any run.
  std::string owner = "";
};

// One release. A retry that draws anew is another attempt, and counts again.
struct Round {
  std::string run;
  std::int64_t round = 0;
  std::int64_t attempt = 0;
};

struct Reservation {
  Head head;
  bool by_plan = false;   // the plan's composition, not the filter, admitted it
  bool existing = false;  // the run had reserved the same before
};

// What a population and its budget look like.
struct Totals {
  Population population;
  Budget budget;
  Stage stage = Stage::kOpen;
  std::vector<Event> released;
  std::vector<Event> reserved;  // and not yet released
  std::int64_t runs = 0;
  std::int64_t open_runs = 0;
  double used = 0;           // share of the filter that releases took
  double used_reserved = 0;  // with reservations
  double filter_epsilon = 0;
};

// The totals as they are shown to people, as shares of the budget: of the
// filter, or where a plan is spent of its epsilon. Parts of a budget do not add
// up as epsilons do, so nobody else divides.
struct Shares {
  double spent = 0;
  double taken = 0;  // with what is reserved
  double left = 0;   // 0 where a plan is spent: nothing but the plan's rest
};
Shares SharesOf(const Totals& totals);

// Whether a reservation would be admitted now.
struct Price {
  bool fits = false;
  bool by_plan = false;
  double used_before = 0;  // share of the filter
  double used_after = 0;
  Stage stage = Stage::kOpen;
  std::int64_t fitting = 0;  // how many of the events fit, from the first on
  std::int64_t asked = 0;
};

// Somebody saw records of a dataset as they are.
struct Look {
  std::string date;  // UTC
  std::string dataset;
  std::int64_t records = 0;  // at most; -1: all of them
  std::string command;
};

struct Run {
  Population population;
  bool finished = false;
  std::vector<Event> reserved;  // and not yet released
  std::vector<Event> released;
};

// One of the reservations of a run: what it set aside at first, or again after
// a stop.
struct RunPart {
  std::string name;  // in the ledger, as Release and Finish take it
  Run run;
};

// How many occurrences they are.
std::int64_t CountOf(std::span<const Event> events);
// Reserved and not yet released, over all parts.
std::int64_t ReservedRounds(std::span<const RunPart> parts);

class Ledger {
 public:
  enum class Mode { kWrite, kRead };

  // A new ledger with its first root population. `key` (ReadChainKey) makes the
  // chain one of HMACs. Throws BadInput when the path exists or cannot be made,
  // and as AddPopulation; then nothing is left.
  static Ledger Create(const base::Path& path, const PopulationOptions& first,
                       std::string key = "");
  // Throws BadInput when there is none, it is not a ledger, or the key is not
  // its own (kWrite needs it); Unsupported for the format of a newer program;
  // Corrupt when it is damaged.
  static Ledger Open(const base::Path& path, std::string key = "",
                     Mode mode = Mode::kWrite);

  // Throws BadInput for a name that is taken, an unknown root, or a cell
  // of a partition that has already released.
  Head AddPopulation(const PopulationOptions& options);

  // Declares that the records of a dataset are those of the population's users,
  // so that what is asked of the dataset is charged to this population. Again:
  // nothing. Throws BadInput for a dataset that is bound to another population,
  // and for a population that has an owner.
  Head Bind(const std::string& population, const std::string& dataset);
  // Whether the datasets may be charged to the population: each is bound to it,
  // or neither it nor any of them is bound to anything. Throws BadInput.
  void CheckBound(const std::string& population,
                  std::span<const std::string> datasets);
  // The same, and binds them where nothing was bound.
  void BindFirst(const std::string& population,
                 std::span<const std::string> datasets);

  // Enters that somebody is about to see records of a dataset.
  Head EnterLook(const std::string& dataset, std::int64_t records,
                 const std::string& command);

  // Sets `events` aside for `run`, or throws budget_spent saying what would
  // fit. The same call again finds the first one's reservation. Throws BadInput
  // for events of another adjacency, unit or population, or a run that
  // reserved something else, or a population that another run owns; Unsupported
  // where there is no proof.
  Reservation Reserve(const std::string& run, const std::string& population,
                      std::span<const Event> events);
  // Enters one release, which must be within the run's reservation (or
  // budget_spent). The same round, attempt and event again changes nothing and
  // returns the entry's head; another event there, or a cohort that was already
  // asked, is BadInput.
  Head Release(const Round& round, const Event& event);
  // Gives back what the run reserved and did not release. Again: nothing.
  Head Finish(const std::string& run);

  // What a run that stopped and resumed has here, in order; empty where it has
  // reserved nothing. Only the ledger knows how later parts are named.
  std::vector<RunPart> PartsOf(const std::string& run);
  // Reserves `events` as the next part of `run` (the first has the run's own
  // name) and returns the part's name. Throws as Reserve.
  std::string ReserveMore(const std::string& run, const std::string& population,
                          std::span<const Event> events);
  // Finishes every part that is not.
  void FinishParts(const std::string& run);

  // Reserves, releases and finishes in one transaction. The same call again,
  // after an answer that got lost, finds the first one's entries.
  Reservation Spend(const std::string& run, const std::string& population,
                    std::span<const Event> events);

  // The head after an earlier Spend with these very arguments.
  std::optional<Head> FindSpent(const std::string& run,
                                const std::string& population,
                                std::span<const Event> events);

  Price PriceOf(const std::string& population, std::span<const Event> events);
  std::vector<std::string> Populations();  // each root, then what derives
  Totals TotalsOf(const std::string& population);
  std::optional<Run> FindRun(const std::string& run);
  std::map<std::string, std::string> Bindings();  // dataset → population
  std::vector<Look> Looks();                      // the first one first
  Head head();
  bool keyed() const { return keyed_; }
  // Drawn when it was created; a copy and an import have the same.
  const std::string& id() const { return id_; }

  // A quick look at the end of the chain (where its key is at hand), the number
  // of entries and the sums of the totals; throws Corrupt. Open for writing
  // does it. A consistent change of all tables is found only by Verify.
  void Glance();

  // Reads the whole history: every hash, every rule, every total. Empty when
  // nothing is wrong. `heads` were kept elsewhere. Without the key of a keyed
  // ledger the hashes themselves cannot be checked, which is a finding
  // (`unchecked`).
  std::vector<Finding> Verify(std::span<const Head> heads = {});

  // One JSON object per line, in order; Import reads them into a new ledger,
  // checks as Verify, and appends an entry that says so. Throws Corrupt for a
  // history with findings.
  void Export(const std::function<void(const std::string& line)>& write);
  static Ledger Import(const base::Path& lines, const base::Path& path,
                       std::string key = "");

 private:
  // What somebody asks to set aside.
  struct Request {
    std::string run;
    PopulationRow population;
    std::vector<Event> events;  // with the population filled in
    std::int64_t asked = 0;     // occurrences
  };

  Ledger(Tables tables, std::string key)
      : tables_(std::move(tables)), key_(std::move(key)) {}
  void CheckKey(Mode mode);
  static void MakeAt(const base::Path& path,
                     const std::function<void(const base::Path&)>& fill);

  // Inside a transaction.
  Head Append(const Entry& entry);
  NewPopulation Checked(const PopulationOptions& options);
  void CheckPartition(const PopulationRow& root, const std::string& partition);
  PopulationRow Named(const std::string& population);
  void CheckOwner(const std::string& run, const PopulationRow& population);
  void CheckUnowned(const PopulationRow& population);
  void CheckUnowned(const PopulationRow& root, const std::string& partition);
  Head EnterBinding(const PopulationRow& population,
                    const std::string& dataset);
  // Whether they are all bound; throws as CheckBound.
  bool AreBound(const std::string& population,
                std::span<const std::string> datasets);
  Request RequestFor(const std::string& run, const std::string& population,
                     std::span<const Event> events);
  std::optional<Reservation> Existing(const Request& request, bool spend);
  std::optional<Head> SpentBefore(const RunRow& run, const Request& request);
  bool TipHolds(const Head& head);
  Head EnterRelease(const Round& round, const Event& event);
  Head EnterFinish(const std::string& run);

  Reservation Enter(const std::string& run, const std::string& population,
                    std::span<const Event> events, bool spend);
  Reservation Enter(const Request& request, bool by_plan, bool spend);
  Verdict Judge(const Standing& standing, bool may_compose);
  Price PriceOf(const Request& request, const Standing& before);
  Error Refusal(const Request& request, const Price& price);
  // `standing` with the first `first` of the events' occurrences reserved.
  Standing With(Standing standing, const Request& request, std::int64_t first);

  Tables tables_;
  std::string key_;
  bool keyed_ = false;
  std::string id_;
  std::map<std::string, double> plan_epsilons_;  // by what was composed
};

}  // namespace sfumato::dp
