// The examples in the headers of `dp`.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "dp/accounting/accountant.h"
#include "dp/accounting/calibration.h"
#include "dp/accounting/composition.h"
#include "dp/accounting/event.h"
#include "dp/accounting/filter.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/gs_wgan.h"
#include "dp/accounting/pld.h"
#include "dp/accounting/privacy_loss.h"
#include "dp/accounting/published.h"
#include "dp/accounting/rdp.h"
#include "dp/accounting/sampled_gaussian.h"
#include "dp/accounting/votes.h"
#include "dp/ledger/audit.h"
#include "dp/ledger/chain.h"
#include "dp/ledger/database.h"
#include "dp/ledger/ledger.h"
#include "dp/ledger/standing.h"
#include "dp/mechanisms/adaptive_clip.h"
#include "dp/mechanisms/clip.h"
#include "dp/mechanisms/discrete_gaussian.h"
#include "dp/mechanisms/falsify_testing.h"
#include "dp/mechanisms/gaussian_mechanism.h"
#include "dp/mechanisms/grid_gaussian.h"
#include "dp/mechanisms/key_histogram.h"
#include "dp/mechanisms/noise.h"
#include "dp/mechanisms/noisy_vote.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/plain_mean.h"
#include "dp/mechanisms/private_count.h"
#include "dp/mechanisms/private_quantile.h"
#include "dp/mechanisms/question.h"
#include "dp/mechanisms/released.h"
#include "dp/mechanisms/vote_histogram.h"
#include "fmt/format.h"

namespace sfumato::dp {

using Updates = std::vector<std::vector<float>>;

void AccountantExample(const std::vector<Event>& events) {
#include "dp/accounting/accountant.example"
}

void CalibrationExample() {
#include "dp/accounting/calibration.example"
}

void CompositionExample(const Event& event) {
#include "dp/accounting/composition.example"
}

void EventExample() {
#include "dp/accounting/event.example"
}

void FilterExample(const Event& event) {
#include "dp/accounting/filter.example"
}

void GaussianExample(double rounds, double noise_multiplier) {
#include "dp/accounting/gaussian.example"
}

void GsWganExample() {
#include "dp/accounting/gs_wgan.example"
}

void PldExample(const std::vector<Event>& events) {
#include "dp/accounting/pld.example"
}

void PrivacyLossExample(const Event& event) {
#include "dp/accounting/privacy_loss.example"
}

void PublishedExample() {
#include "dp/accounting/published.example"
}

void RdpExample(const std::vector<Event>& events) {
#include "dp/accounting/rdp.example"
}

void SampledGaussianExample(const std::vector<double>& orders) {
#include "dp/accounting/sampled_gaussian.example"
}

void VotesExample() {
#include "dp/accounting/votes.example"
}

void AuditExample(Tables& tables, const std::string& key,
                  const std::vector<Head>& heads) {
#include "dp/ledger/audit.example"
}

void ChainExample(const std::string& key, const std::string& previous_hash,
                  const std::string& body) {
#include "dp/ledger/chain.example"
}

void DatabaseExample(const base::Path& path) {
#include "dp/ledger/database.example"
}

void LedgerExample(const std::vector<Event>& plan, const Event& event) {
#include "dp/ledger/ledger.example"
}

void StandingExample(Kinds& kinds, const Event& event) {
#include "dp/ledger/standing.example"
}

void AdaptiveClipExample(std::size_t parameters, const Updates& updates,
                         Ledger& ledger, NoiseSource& noise) {
#include "dp/mechanisms/adaptive_clip.example"
}

void ClipExample(std::vector<float>& update) {
#include "dp/mechanisms/clip.example"
}

void DiscreteGaussianExample(BitStream& bits) {
#include "dp/mechanisms/discrete_gaussian.example"
}

void FalsifyExample(const std::vector<double>& counts,
                    const std::vector<double>& probabilities) {
#include "dp/mechanisms/falsify_testing.example"
}

void GaussianMechanismExample(std::size_t parameters, const Updates& updates,
                              Ledger& ledger, NoiseSource& noise) {
#include "dp/mechanisms/gaussian_mechanism.example"
}

void GridGaussianExample(double noise_multiplier,
                         std::vector<std::int64_t>& sums, NoiseSource& noise) {
#include "dp/mechanisms/grid_gaussian.example"
}

void KeyHistogramExample(
    const std::vector<std::vector<std::string>>& keys_of_units,
    NoiseSource& noise) {
#include "dp/mechanisms/key_histogram.example"
}

void NoiseExample() {
#include "dp/mechanisms/noise.example"
}

void NoisyVoteExample(const std::vector<float>& votes, NoiseSource& noise) {
#include "dp/mechanisms/noisy_vote.example"
}

void ParticipantsExample() {
#include "dp/mechanisms/participants.example"
}

void PlainMeanExample(std::size_t parameters, const Updates& updates) {
#include "dp/mechanisms/plain_mean.example"
}

void VoteHistogramExample(
    std::int64_t moves,
    const std::vector<std::vector<std::int64_t>>& marks_of_units,
    NoiseSource& noise) {
#include "dp/mechanisms/vote_histogram.example"
}

void PrivateCountExample(std::int64_t exact,
                         const std::vector<std::int64_t>& bin_of_unit,
                         NoiseSource& noise) {
#include "dp/mechanisms/private_count.example"
}

void PrivateQuantileExample(const std::vector<double>& accuracy_of_user,
                            NoiseSource& noise) {
#include "dp/mechanisms/private_quantile.example"
}

void QuestionExample(Ledger& ledger,
                     const std::vector<double>& accuracy_of_user,
                     NoiseSource& noise) {
#include "dp/mechanisms/question.example"
}

void ReleasedExample(const GaussianMechanism& mechanism, ClippedSum& sum,
                     NoiseSource& noise) {
#include "dp/mechanisms/released.example"
}

}  // namespace sfumato::dp
