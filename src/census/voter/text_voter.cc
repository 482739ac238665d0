#include "census/voter/text_voter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/random.h"
#include "census/voter/made_up_text.h"
#include "census/voter/mark_network.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_words.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;

struct Row {
  std::vector<float> features;
  std::uint32_t families = 0;
  bool healthy = false;
  float share = 1;
  std::int32_t person = 0;
};

}  // namespace

std::unique_ptr<Voter> LearnTextVoter(const data::FederatedDataset& reference,
                                      const VoterOptions& options,
                                      fed::WorkerPool& pool) {
  std::vector<TextPerson> people = ReferencePeople(reference, false);
  TextPeople all;
  TextSource source;
  for (const TextPerson& person : people) {
    all.push_back(person.tokens);
    source.sentences.insert(source.sentences.end(), person.tokens.begin(),
                            person.tokens.end());
  }
  const TextWords words(all);
  source.capitals = words.capitals();
  const auto form = reference.info().text_form;
  std::erase_if(people, [&](const TextPerson& p) {
    return p.tokens.size() < static_cast<std::size_t>(options.least_examples);
  });
  Rng rng(options.seed, {base::Key("people")});
  rng.Shuffle(std::span(people));
  std::fprintf(stderr, "%zu words, %zu people\n", words.words().size(),
               people.size());
  const std::size_t learn = people.size() * 6 / 10;
  const std::size_t families = TextDamages().size();
  const std::size_t per = (16000 + learn - 1) / learn;
  std::vector<std::vector<Row>> made(people.size());
  pool.Run(people.size(), [&](int, std::size_t p) {
    Rng r(options.seed, {base::Key("made up"), p});
    const TextPerson& person = people[p];
    Hidden hidden = words.Without(person.tokens);
    TextReader plain(words, hidden);
    hidden.share = r.Uniform(0, 0.3);
    hidden.salt = r();
    TextReader thinned(words, hidden);
    for (std::size_t k = 0; k < per; ++k) {
      Row row;
      row.person = static_cast<std::int32_t>(p);
      Fate fate{.least = static_cast<std::size_t>(options.least_examples),
                .most = static_cast<std::size_t>(options.most_examples)};
      const double kind = r.Uniform();
      fate.share = r.Bernoulli(0.6) ? 1 : r.Uniform(0.15, 1);
      if (kind < 0.3) {
        row.healthy = true;
      } else if (kind < 0.7) {
        fate.damages = {r.Below(families)};
      } else if (kind < 0.85) {
        std::size_t a = r.Below(families);
        std::size_t b = r.Below(families);
        while (a == b || (TextDamages()[a].replaces && TextDamages()[b].replaces)) {
          a = r.Below(families);
          b = r.Below(families);
        }
        if (TextDamages()[b].replaces) std::swap(a, b);
        fate.damages = {a, b};
      } else {
        fate.unlisted = true;
      }
      row.share = static_cast<float>(fate.share);
      auto& reader = r.Bernoulli(0.5) ? plain : thinned;
      const MadeUpText text = MakeUp(person, form, fate, source, r);
      bool any = false;
      for (std::size_t k = 0; k < text.changed.size(); ++k) {
        any |= text.changed[k] > 0;
        if (k < fate.damages.size() && text.changed[k] > 0) {
          row.families |= 1u << fate.damages[k];
        }
      }
      row.healthy = !any;
      row.features = reader.Features(text.sentences);
      made[p].push_back(std::move(row));
    }
  });
  std::vector<std::vector<float>> rows;
  std::vector<std::vector<float>> marks;
  for (std::size_t p = 0; p < learn; ++p) {
    for (const Row& row : made[p]) {
      rows.push_back(row.features);
      std::vector<float> m(families + 1);
      for (std::size_t k = 0; k < families; ++k) m[k] = row.families >> k & 1;
      m[families] = row.healthy;
      marks.push_back(std::move(m));
    }
  }
  std::fprintf(stderr, "features made\n");
  const MarkNetwork net = TrainMarks(rows, marks, {.seed = options.seed});
  std::fprintf(stderr, "trained\n");
  if (const char* to = std::getenv("SFUMATO_DUMP")) {
    std::FILE* f = std::fopen(to, "wb");
    for (std::size_t p = 0; p < people.size(); ++p) {
      for (const Row& row : made[p]) {
        std::vector<float> out = row.features;
        const auto logits = net.Logits(row.features);
        out.insert(out.end(), logits.begin(), logits.end());
        out.push_back(static_cast<float>(row.families));
        out.push_back(row.healthy);
        out.push_back(row.share);
        out.push_back(static_cast<float>(row.person));
        out.push_back(p < learn);
        std::fwrite(out.data(), 4, out.size(), f);
      }
    }
    std::fclose(f);
  }
  return nullptr;
}

std::unique_ptr<Voter> ReadTextVoter(const base::Path&) { return nullptr; }

}  // namespace sfumato::census
