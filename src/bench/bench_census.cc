#include "bench/bench_census.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/random.h"
#include "bench/census_damages.h"
#include "bench/census_people.h"
#include "bench/census_promise.h"
#include "bench/census_simulation.h"
#include "bench/census_voters.h"
#include "fed/worker_pool.h"
#include "fmt/format.h"
#include "train/device.h"

namespace sfumato::bench {
namespace {

using census::Design;
using Row = std::function<void(const CensusFigure&)>;

class CensusMeasurement {
 public:
  CensusMeasurement(const CensusBench& job, const Row& row)
      : job_(job),
        row_(row),
        device_(train::DeviceFor(job.device)),
        pool_(device_.threads),
        people_(job),
        voters_(job, people_, device_, pool_) {
    Note(
        fmt::format("{}: {} users of {} examples or more; references: {}, {} "
                    "examples; {} voters, ε {:g}",
                    people_.set().info().name, people_.users().size(),
                    CensusPeople::kLeast, people_.reference().info().name,
                    people_.reference().examples(), job_.seeds, job_.epsilon));
  }

  void Run() {
    const bool voters = Asked("healthy") || Asked("catalogue") ||
                        Asked("outside") || Asked("speed");
    if (voters) {
      voters_.Learn(1);
      NoteRemarks();
      if (Asked("speed")) Speed();
      voters_.TakeHealthy();
      if (Asked("healthy")) Healthy();
      if (Asked("catalogue")) Catalogue();
      if (Asked("outside")) Outside();
    }
    if (Asked("pairs") && job_.design == "everybody" && !job_.foreign) {
      voters_.Learn(2);
      voters_.TakeHealthy();
      Pairs();
    }
  }

 private:
  bool Asked(const char* figure) const {
    return job_.figure == "all" || job_.figure == figure;
  }
  // Of one damage and voter.
  std::int64_t censuses() const { return job_.quick ? 5 : 20; }
  bool two_groups() const { return job_.design == "two_groups"; }

  void Note(const std::string& text) {
    CensusFigure figure;
    figure.note = text;
    row_(figure);
  }

  // Each remark once, whichever voters make it.
  void NoteRemarks() {
    std::set<std::string> remarks;
    for (const auto& voter : voters_.all()) {
      remarks.insert(voter->calibration().remarks.begin(),
                     voter->calibration().remarks.end());
    }
    for (const std::string& remark : remarks) Note(remark);
  }

  void Report(CensusFigure figure, const Promise& promise) {
    figure.met = IsKept(promise, figure.tally, !figure.damage.empty());
    row_(figure);
  }

  void Speed() {
    const auto examples = [&](std::int64_t user) {
      return people_.set().user_size(static_cast<std::size_t>(user));
    };
    std::vector<std::int64_t> many;
    for (const std::int64_t user : people_.users()) {
      if (examples(user) >= CensusPeople::kMost) many.push_back(user);
    }
    if (many.empty()) many = people_.users();
    std::vector<std::int64_t> asked(job_.quick ? 1000 : 10'000);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      asked[i] = many[i % many.size()];
    }
    const double votes = voters_.SecondsVoting(asked);
    const auto time = [&](std::string question, double seconds,
                          std::string ask) {
      CensusFigure figure;
      figure.question = std::move(question);
      figure.ask = std::move(ask);
      figure.is_time = true;
      figure.seconds = seconds;
      row_(figure);
    };
    const auto size =
        static_cast<double>(std::min(CensusPeople::kMost, examples(many[0])));
    time("a voter learns", voters_.seconds_learning(), "");
    time(fmt::format("votes of {} users of about {:.0f} examples", asked.size(),
                     size),
         votes, "");
    time("both", voters_.seconds_learning() + votes, "≤ 60 s on two cores");
  }

  SimulatedCensus Setup(std::int64_t users, double share, std::int64_t censuses,
                        std::size_t voter) const {
    return {.users = users,
            .share = share,
            .design = two_groups() ? Design::kTwoGroups : Design::kEverybody,
            .alike = !job_.foreign,
            .epsilon = job_.epsilon,
            .censuses = censuses,
            .seed = job_.seed + 1000 * voter};
  }

  std::string Question(const std::string& what, double share,
                       std::int64_t users) const {
    return fmt::format(
        "{}{} of {} users{}", what,
        share > 0 ? fmt::format(" on {:g} %", 100 * share) : "", users,
        two_groups()
            ? share > 0 ? ", in the second of two groups" : ", two groups"
            : "");
  }

  void Healthy() {
    for (const std::int64_t users : {600, two_groups() ? 1200 : 6000}) {
      CensusFigure figure{.question = Question("no bug:", 0, users),
                          .ask = kQuiet.words};
      for (std::size_t v = 0; v < voters_.all().size(); ++v) {
        const TakenVotes votes{.healthy = voters_.healthy()[v]};
        const SimulatedCensus setup =
            Setup(users, 0, (500 + job_.seeds - 1) / job_.seeds, v);
        figure.resampled = setup.Resamples(votes);
        figure.tally.Add(
            Simulate(votes, setup, voters_.all()[v]->calibration(), pool_));
      }
      Report(figure, kQuiet);
    }
  }

  std::vector<Damage> Catalogued() const {
    const data::DatasetInfo& info = people_.set().info();
    return DamagesInCatalogue(info,
                              people_.labelled() ? std::ssize(info.classes) : 0,
                              people_.source());
  }
  bool PromisedByAll(const Damage& damage) const {
    return std::ranges::all_of(voters_.all(), [&](const auto& voter) {
      return IsPromised(voter->calibration(), damage);
    });
  }

  // Censuses of a damage, by all voters.
  CensusFigure Ask(CensusFigure figure,
                   const std::vector<const Damage*>& damages,
                   const std::vector<census::Votes>& votes,
                   const SimulatedCensus& like) {
    for (std::size_t v = 0; v < voters_.all().size(); ++v) {
      const census::Calibration& calibration = voters_.all()[v]->calibration();
      SimulatedCensus setup = like;
      setup.seed += 1000 * v;
      for (const Damage* damage : damages) {
        setup.seed ^= base::Key(damage->Text());
        if (damage->key.empty()) continue;
        const auto cell = CellOf(calibration, *damage);
        setup.nameable = setup.nameable && cell;
        if (cell &&
            std::ranges::find(setup.right, *cell) == setup.right.end()) {
          setup.right.push_back(*cell);
        }
      }
      if (damages.size() == 1 && !damages[0]->key.empty()) {
        const auto voters = static_cast<double>(voters_.all().size());
        if (v == 0) figure.people_right = figure.references_right = 0;
        figure.people_right +=
            PeopleRight(calibration, *damages[0], votes[v]) / voters;
        figure.references_right +=
            ReferencesRight(calibration, *damages[0]) / voters;
      }
      for (const auto& marks : votes[v]) {
        for (const std::int64_t cell : marks) {
          figure
              .marked[calibration.cells[static_cast<std::size_t>(cell)].key] +=
              100. /
              static_cast<double>(votes[v].size() * voters_.all().size());
        }
      }
      const TakenVotes taken{.healthy = voters_.healthy()[v],
                             .damaged = votes[v]};
      figure.resampled = setup.Resamples(taken);
      figure.tally.Add(Simulate(taken, setup, calibration, pool_));
    }
    return figure;
  }

  void Catalogue() {
    const std::vector<Damage> damages = Catalogued();
    struct Size {
      std::int64_t users;
      double share;
    };
    const std::vector<Size> sizes =
        two_groups()   ? std::vector<Size>{{600, 0.1}, {1200, 0.1}}
        : job_.foreign ? std::vector<Size>{{600, 0.1}}
                       : std::vector<Size>{{600, 0.05}, {6000, 0.01}};
    std::vector<CensusFigure> all;
    std::vector<CensusFigure> promised;
    for (const Size& size : sizes) {
      const std::string question =
          Question("damage of the catalogue", size.share, size.users);
      all.push_back(
          {.question = question + ", every strength", .ask = kNames.words});
      promised.push_back(
          {.question = question + ", strengths that the voter promises",
           .ask = kNames.words});
    }
    base::Progress progress("catalogue", damages.size(), "damages");
    for (const Damage& damage : damages) {
      const std::vector<census::Votes> votes = voters_.TakeDamaged({&damage});
      const bool is_promised = PromisedByAll(damage);
      for (std::size_t s = 0; s < sizes.size(); ++s) {
        const CensusFigure figure =
            Ask({.question = Question("damage of the catalogue", sizes[s].share,
                                      sizes[s].users),
                 .damage = damage.Text() + (is_promised ? "" : " (too mild)"),
                 .ask = kNames.words},
                {&damage}, votes,
                Setup(sizes[s].users, sizes[s].share, censuses(), 0));
        Report(figure, kNames);
        for (CensusFigure* sum : {&all[s], &promised[s]}) {
          if (sum == &promised[s] && !is_promised) continue;
          sum->tally.Add(figure.tally);
          sum->resampled = figure.resampled;
        }
      }
      progress.Advance();
    }
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      Report(all[s], kNames);
      Report(promised[s], kNames);
    }
  }

  void Outside() {
    const double share = 0.3;
    for (const bool fresh : {false, true}) {
      CensusFigure all{
          .question = Question(fresh ? "fresh damage outside the catalogue"
                                     : "damage outside the catalogue",
                               share, 600),
          .ask = kStaysOpen.words};
      for (const Damage& damage :
           DamagesOutside(people_.set().info().kind, fresh)) {
        CensusFigure figure = all;
        figure.tally = {};
        figure.damage = damage.Text();
        figure =
            Ask(std::move(figure), {&damage}, voters_.TakeDamaged({&damage}),
                Setup(600, share, censuses(), 0));
        Report(figure, kStaysOpen);
        all.tally.Add(figure.tally);
        all.resampled = figure.resampled;
      }
      if (all.tally.censuses > 0) Report(all, kStaysOpen);
    }
  }

  // Pairs of families that all voters promise to see alone, as different cells.
  void Pairs() {
    constexpr int kPairs = 30;
    const double share = 0.3;
    std::vector<Damage> damages = Catalogued();
    std::erase_if(damages, [&](const Damage& damage) {
      return damage.key == "blank" || damage.share < 1 ||
             !PromisedByAll(damage);
    });
    CensusFigure all{
        .question = Question("two damages at once, two marks,", share, 600),
        .ask = kNamesBoth.words};
    base::Rng rng(job_.seed, {base::Key("pairs")});
    base::Progress progress("pairs", kPairs, "pairs");
    for (int i = 0; i < kPairs && damages.size() > 1; ++i) {
      const Damage* one = &damages[rng.Below(damages.size())];
      const Damage* two = &damages[rng.Below(damages.size())];
      const bool apart =
          std::ranges::all_of(voters_.all(), [&](const auto& voter) {
            return CellOf(voter->calibration(), *one) !=
                   CellOf(voter->calibration(), *two);
          });
      if (!apart || (one->first && two->first)) {
        --i;
        continue;
      }
      // Rows that are lost before they become columns are seen as columns.
      if (two->first || two->key == "transpose") std::swap(one, two);
      CensusFigure figure = all;
      figure.tally = {};
      figure.damage = one->Text() + " + " + two->Text();
      figure =
          Ask(std::move(figure), {one, two}, voters_.TakeDamaged({one, two}),
              Setup(600, share, censuses(), 0));
      Report(figure, kNamesBoth);
      all.tally.Add(figure.tally);
      all.resampled = figure.resampled;
      progress.Advance();
    }
    Report(all, kNamesBoth);
  }

  const CensusBench& job_;
  const Row& row_;
  const train::Device device_;
  fed::WorkerPool pool_;
  CensusPeople people_;
  CensusVoters voters_;
};

}  // namespace

extern "C" void SfumatoBenchCensus(const CensusBench* job, const Row* row) {
  CensusMeasurement(*job, *row).Run();
}

}  // namespace sfumato::bench
