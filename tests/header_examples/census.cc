// The examples in the headers of `census/answer`.

#include <cstdint>
#include <vector>

#include "census/answer/answer_parts.h"
#include "census/answer/answer_testing.h"
#include "census/answer/calibration.h"
#include "census/answer/census_answer.h"
#include "census/answer/class_answer.h"
#include "census/answer/confusion.h"
#include "census/answer/count_law.h"
#include "census/answer/difference.h"
#include "census/answer/naming.h"
#include "census/answer/noise_law.h"
#include "census/answer/power.h"
#include "census/answer/share_text.h"
#include "census/answer/shares.h"
#include "census/answer/threshold.h"
#include "census/answer/worth.h"

namespace sfumato::census {

void CalibrationExample(const nlohmann::json& json) {
#include "answer/calibration.example"
}

void CensusAnswerExample(const Calibration& calibration) {
#include "answer/census_answer.example"
}

void AnswerPartsExample(const Counts& counts, const Calibration& calibration,
                        const AnswerOptions& options) {
#include "answer/answer_parts.example"
}

void ClassAnswerExample(const NoiseLaw& noise) {
#include "answer/class_answer.example"
}

void NamingExample(std::vector<CellAnswer>& answers,
                   const Thresholds& thresholds) {
#include "answer/naming.example"
}

void ConfusionExample(const Calibration& calibration, std::size_t state,
                      std::size_t cell, base::Rng& rng,
                      std::vector<std::size_t>& kinds) {
#include "answer/confusion.example"
}

void CountLawExample(const NoiseLaw& noise) {
#include "answer/count_law.example"
}

void DifferenceExample(const NoiseLaw& noise) {
#include "answer/difference.example"
}

void NoiseLawExample() {
#include "answer/noise_law.example"
}

void PowerExample(const Calibration& calibration) {
#include "answer/power.example"
}

void ShareTextExample() {
#include "answer/share_text.example"
}

void SharesExample(const ThresholdQuestion& question,
                   const Confusion& confusion, std::uint64_t seed,
                   std::size_t cell) {
#include "answer/shares.example"
}

void ThresholdExample(const ThresholdQuestion& question,
                      const Confusion& confusion, std::size_t cell) {
#include "answer/threshold.example"
}

void WorthExample() {
#include "answer/worth.example"
}

}  // namespace sfumato::census
