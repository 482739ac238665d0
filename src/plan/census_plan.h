// What a census will ask and cost, before anybody is asked.
//
//   const CensusPlan plan = PlanCensus(config, facts, {.name = "first"});
//   plan.epsilon;                       // of everything, at plan.delta
//   plan.histogram;                     // marks, noise and adjacency
//
// One vote of all users is one run of one event. Its noise is discrete Laplace
// or discrete Gaussian, whichever is less at census.epsilon and the plan's
// delta: Laplace for a few marks, Gaussian for many. The price does not depend
// on how many cells there are, so a plan can be made before a voter is learned.
//
// Thresholds that nobody gave are private quantiles, asked before the vote, as
// in an inspection: a run of their own, in the same plan.
//
// Groups that share nobody are one joint histogram (group × answer) and one
// vote: a user moves the counts of one group only.
//
// A plan is a function of the config and of what is public about the data. For
// private data numbers of users are what the config says, about (rule 4 of
// docs/privacy_proofs.md); they serve to say what share would be seen.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "census/answer/noise_law.h"
#include "census/answer/power.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "dp/ledger/ledger.h"
#include "dp/mechanisms/vote_histogram.h"
#include "plan/plan.h"
#include "plan/plan_ledger.h"
#include "plan/train_plan.h"
#include "runs/inspection.h"

namespace sfumato::plan {

struct CensusOptions {
  // Unique in the ledger: the folder's name, with a random suffix outside
  // simulations.
  std::string name = "census";
  // Part of an inspection: the inspection's delta. privacy.epsilon is then for
  // everything, which the inspection's plan sees to. 0: a census by itself.
  double delta = 0;
  // Private data: how many are asked, about, where the config does not say
  // (cohort.population). 0: not known.
  double users = 0;
};

struct CensusPlan : Plan {
  std::string name = "";
  std::string vote_run = "";    // the vote's name in the ledger
  std::string survey_run = "";  // that of the thresholds, where any are asked
  std::vector<QuestionPlan> questions = {};
  dp::VoteHistogramOptions histogram = {};  // cells 0: of one group, later
  std::int64_t groups = 1;
  std::int64_t classes = 0;        // that are asked about; 0: about damage
  std::vector<double> users = {};  // [group], about; empty: not known
  // What that takes for granted; "": nothing.
  std::string power_if = "";
  // Why the answer will be “cannot say”, whatever the counts are; "": it may be
  // another one.
  std::string no_verdict = "";
  std::vector<std::string> taken_as_fixed = {};
  std::vector<std::string> remarks = {};

  dp::Adjacency adjacency() const { return histogram.participants.adjacency; }
  // What anybody may know of the noise on a count.
  census::NoiseLaw Noise() const;
  const dp::Event& vote() const { return RunNamed(vote_run).events.front(); }
  double EpsilonOfVote() const;                 // by itself
  std::vector<dp::Question> Questions() const;  // for fed::Survey
};

// Throws
//   bad_input     no references; sides that may share somebody; quantiles that
//                 overlap; one state of the data where two are compared; a bad
//                 delta; about classes: references, a stored voter, or two
//                 states of the data
//   unsupported   quantiles under replace-one or as part of an inspection;
//                 private data and a judging model of unknown provenance
//   budget_spent  privacy.epsilon does not pay for it; says what would fit, and
//                 what share would be seen then
CensusPlan PlanCensus(const config::TrainConfig& config, const DataFacts& data,
                      const CensusOptions& options);

// The references as they may be used: generated people, or a public or
// generated set. Throws BadInput without any, for the users' own data, and for
// another kind or shape than `own`; Unsupported for private sets, which is what
// nobody declared. None are needed where classes are asked about or a stored
// voter votes. `own_fingerprint`: of the users' set, "" if it is generated.
void CheckReference(const config::TrainConfig& config,
                    const data::DatasetInfo& own,
                    const std::string& own_fingerprint);

// Whether the references are of another kind than the users' data.
bool AreOther(const config::CensusConfig& config, data::Origin own,
              data::Origin reference);

// Adds to `taken_as_fixed` what references that are released draws cost, which
// is not in the plan's ε. Throws as ReadReferenceRun.
void NameReferences(std::vector<std::string>& taken_as_fixed,
                    const config::TrainConfig& config, const std::string& key);

// Which data to open as references; generated people are others than
// data.generate has, under a seed of their own.
config::DataConfig ReferenceData(const config::TrainConfig& config);
// Further generated people, of whom no voter has learned: a placebo for sides
// that are chosen by the users' own examples. REQUIRES: generated references.
config::DataConfig PlaceboData(const config::TrainConfig& config);

// The population's ledger. A simulation has its own in `folder`, with a budget
// that the plan fits into; it is created if missing. Throws BadInput if private
// data has none.
dp::Ledger CensusLedger(const config::TrainConfig& config,
                        const CensusPlan& plan, const base::Path& folder,
                        const std::string& key = "");

// Throws budget_spent if the ledger cannot pay, with the epsilon that would fit
// and the share of users that would be seen with it.
LedgerPrice GrantedIn(dp::Ledger& ledger, const CensusPlan& plan);

// "one vote per user · 1 mark · Laplace noise of ± 2.8 users on each count".
std::string VoteText(const CensusPlan& plan);
// What share of users would be seen by voters that are never wrong; about how
// many, where it is not known of how many. "" where the noise hides everything.
std::string SeenWith(const CensusPlan& plan);
// That share as a number; above 1: no damage would be seen; 0: not known.
double LeastShareOf(const CensusPlan& plan);
// The line Power: that, or what would be seen by `seen`; or the line Verdict,
// where none can be given.
std::string PowerLine(const CensusPlan& plan,
                      const std::vector<census::LeastSeen>& seen = {});
// The lines Plan, Costs, Means and Power.
std::string PriceLines(const CensusPlan& plan, const LedgerPrice* price,
                       const std::vector<census::LeastSeen>& seen = {});

// Before what was lost, as the lines `why` say, is reserved and paid again:
// shows the price with it and asks, unless `yes`. Throws BadInput on any other
// answer than yes.
void RequireYesForMore(dp::Ledger& ledger, const CensusPlan& plan,
                       const dp::Event& more, const std::string& why, bool yes);

void FillPrivacy(const CensusPlan& plan, runs::PrivacyRecord& record);

}  // namespace sfumato::plan
