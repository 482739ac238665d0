// The examples in the headers of `eval`.

#include "eval/contrast.h"
#include "eval/energy.h"
#include "eval/exposure.h"
#include "eval/hypotheses.h"
#include "eval/hypothesis_search.h"
#include "eval/image_features.h"
#include "eval/image_health.h"
#include "eval/image_measures.h"
#include "eval/image_scores.h"
#include "eval/lineup.h"
#include "eval/measures.h"
#include "eval/separation.h"
#include "eval/text_contrast.h"
#include "eval/text_draws.h"
#include "eval/text_health.h"
#include "eval/text_measures.h"
#include "eval/text_separation.h"
#include "eval/text_tables.h"
#include "eval/text_traits.h"
#include "eval/verdict.h"

namespace sfumato::eval {

extern const Judge* const judge;
extern const Lineup lineup;
extern const TextTraits traits;
extern const WordSet vocabulary;
extern const std::vector<DrawnText> models;
extern const std::uint64_t seed;
extern runs::Contrast contrast;

void Warn(const std::string& words);

void ContrastExample(const Drawn& a1, const Drawn& a2, const Drawn& b1,
                     const Drawn& b2, const Judge& primary) {
#include "eval/contrast.example"
}

void EnergyExample(const MixtureLine& line) {
#include "eval/energy.example"
}

void ExposureExample(const std::vector<double>& of_canaries,
                     const std::vector<double>& of_alternatives,
                     const std::vector<PrivacyPoint>& points) {
#include "eval/exposure.example"
}

void HypothesesExample(const Observed& good, const Observed& bad,
                       void Try(const at::Tensor& images)) {
#include "eval/hypotheses.example"
}

void HypothesisSearchExample(const std::vector<at::Tensor>& models,
                             const std::vector<Pairing>& floors,
                             std::int64_t draws,
                             void Show(const std::string& change,
                                       const at::Tensor& gain)) {
#include "eval/hypothesis_search.example"
}

void ImageFeaturesExample(const at::Tensor& all_images,
                          const at::Tensor& images, const Blocks& b) {
#include "eval/image_features.example"
}

void ImageHealthExample(const at::Tensor& images) {
#include "eval/image_health.example"
}

void ImageMeasuresExample(const std::vector<at::Tensor>& images) {
#include "eval/image_measures.example"
}

void ImageScoresExample(const Judge& judge, const at::Tensor& images,
                        const at::Tensor& others) {
#include "eval/image_scores.example"
}

void LineupExample(const CompareOptions& options,
                   Blocks Learn(std::pair<int, int> models),
                   void Try(std::pair<int, int> models, const Blocks& test)) {
#include "eval/lineup.example"
}

void MeasuresExample(const std::vector<at::Tensor>& images,
                     Number BrightnessOf(const at::Tensor& images)) {
#include "eval/measures.example"
}

void SeparationExample(const Gallery& gallery, std::int64_t draws) {
#include "eval/separation.example"
}

void TextContrastExample(const DrawnText& a1, const DrawnText& a2,
                         const DrawnText& b1, const DrawnText& b2,
                         const WordSet& words) {
#include "eval/text_contrast.example"
}

void TextDrawsExample(const DrawnText& a1, const DrawnText& b1) {
#include "eval/text_draws.example"
}

void TextHealthExample(const DrawnText& drawn) {
#include "eval/text_health.example"
}

void TextMeasuresExample() {
#include "eval/text_measures.example"
}

void TextSeparationExample(const TextDraws& draws) {
#include "eval/text_separation.example"
}

void TextTablesExample(runs::TextContrast& text,
                       const std::vector<ProbableWord>& words) {
#include "eval/text_tables.example"
}

void TextTraitsExample() {
#include "eval/text_traits.example"
}

void VerdictExample(bool& supported, const runs::Estimate& gain,
                    double own_floor, double highest_floor,
                    const Evidence& evidence) {
#include "eval/verdict.example"
}

}  // namespace sfumato::eval
