// The examples in the headers of `app`.

#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "app/built_in_configs.h"
#include "app/command.h"
#include "app/exposure_answer.h"
#include "app/inspection_demo.h"
#include "app/privacy_answer.h"
#include "app/privacy_options.h"
#include "app/private_look.h"
#include "app/torch_part.h"
#include "data/dataset.h"
#include "train/torch_facts.h"

namespace sfumato::app {

void BuiltInConfigsExample() {
#include "app/built_in_configs.example"
}

void CommandExample() {
#include "app/command.example"
}

auto ExposureAnswerExample(const train::ExposureReport& report) {
#include "app/exposure_answer.example"
}

void InspectionDemoExample(const char* kStory, const char* kConfig) {
#include "app/inspection_demo.example"
}

auto PrivacyAnswerExample(const PrivacyOptions& options) {
#include "app/privacy_answer.example"
}

auto PrivacyOptionsExample(CLI::App& app) {
  Answer Price(const dp::Event& round, double delta);
#include "app/privacy_options.example"
}

void PrivateLookExample(CLI::App& app, LookGiven& given,
                        const data::FederatedDataset& set) {
#include "app/private_look.example"
}

void TorchPartExample(double seconds, train::TorchFacts& facts) {
#include "app/torch_part.example"
}

}  // namespace sfumato::app
