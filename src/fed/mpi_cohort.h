// A cohort shared by the processes of an MPI launch.
//
//   mpirun -n 8 sfumato train config.toml
//
//   MpiSession mpi;                              // in every process
//   MpiCohort cohort(mpi, local, examples, training);
//   if (mpi.rank() == 0) {
//     RunRoundsWith(cohort);                     // round_loop.h
//   } else {
//     cohort.Serve(algorithm);                   // until rank 0 is done
//   }
//
// Rank 0 draws cohorts and alone holds ledger and run directory. Each round it
// sends parameters, users and weights to the others; every rank trains its
// share, balanced by steps, with its own `local` cohort; and one reduction of
// whole numbers brings the sum to rank 0, so any number of ranks gives the same
// bits wherever the kernels do. Every rank opens the same data and builds the
// same algorithm.
//
// A rank that fails says why and ends all of them (MPI_Abort); one that is
// killed is noticed by the launcher, which does the same. The run then
// continues from its last checkpoint. Nothing of MPI is touched without a
// launcher.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fed/cohort.h"
#include "models/batch.h"

namespace sfumato::fed {

// Whether a launcher started this process as one of several.
bool MpiLaunched();

// MPI, from here to the end of the process's work. One for each process.
class MpiSession {
 public:
  // Throws Unsupported when this program was built without MPI, BadInput
  // without a launcher.
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Does `work`; when it throws, says so and ends all ranks. For whatever only
  // some ranks do while others wait.
  void OrAbort(const std::function<void()>& work) const;

 private:
  int rank_ = 0;
  int size_ = 1;
};

// The share of rank `rank` of `ranks`, as sorted indices into `steps`. Shares
// have about equal steps, and every rank computes the same ones.
std::vector<std::size_t> ShareOf(std::span<const std::int64_t> steps, int rank,
                                 int ranks);

class MpiCohort : public Cohort {
 public:
  // All must outlive it.
  MpiCohort(const MpiSession& mpi, Cohort& local,
            const models::Examples& examples, const LocalTraining& training);
  // On rank 0: lets the others end.
  ~MpiCohort() override;

  // Runs on rank 0.
  CohortFacts Train(const Algorithm& algorithm, std::uint64_t round,
                    std::span<const std::int64_t> users,
                    std::span<const double> weights,
                    dp::ClippedSum& sum) override;
  // Runs on the other ranks: trains shares until rank 0 is done. `algorithm`
  // makes trainers; what devices start from comes from rank 0.
  void Serve(Algorithm& algorithm);

 private:
  struct Order;
  CohortFacts TrainShare(const Algorithm& algorithm, const Order& order,
                         dp::ClippedSum& sum);

  const MpiSession& mpi_;
  Cohort& local_;
  const models::Examples& examples_;
  LocalTraining training_;
  bool in_round_ = false;  // rank 0: the others wait for the end of one
};

}  // namespace sfumato::fed
