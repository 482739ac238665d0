// `sfumato data import`: files of other people's formats become a dataset.

#include <algorithm>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "base/file.h"
#include "base/progress.h"
#include "data/import/import_folders.h"
#include "data/import/import_idx.h"
#include "data/import/import_leaf.h"
#include "data/import/import_stackexchange.h"
#include "data/import/import_table.h"
#include "data/import/import_text.h"
#include "data/import/import_tff.h"
#include "fmt/ranges.h"

namespace sfumato::app {
namespace {

using data::DatasetSummary;
using data::ImportRequest;

// What every importer asks for; `Options` is its own.
template <typename Options>
struct Given {
  std::vector<std::string> inputs;
  std::string classes;
  ImportRequest request;
  Options options = {};
};
struct NoOptions {};

// Whether a format has labels.
enum class Source { kLabelled, kWithoutLabels };

template <typename Options>
void AddRequest(CLI::App& app, Given<Options>& given, const char* inputs_help) {
  app.add_option("PATH", given.inputs, inputs_help)->required();
  app.add_option("--out", given.request.out, "The folder to make.")->required();
  app.add_option("--name", given.request.name,
                 "The set's name (default: the folder's).");
  app.add_flag_callback(
      "--public", [&given] { given.request.origin = data::Origin::kPublic; },
      "Declare the data public: it may be shown, and simulation on it may be "
      "seeded. Otherwise it is private.");
}

// "a,b,c", or "@FILE" with a name per line.
std::vector<std::string> ReadClasses(const std::string& given) {
  const bool file = given.starts_with('@');
  const std::string text =
      file ? base::ReadFile(given.substr(1), 1 << 24) : given;
  std::vector<std::string> classes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(file ? '\n' : ','), rest.size());
    std::string_view name = rest.substr(0, end);
    if (file && name.ends_with('\r')) name.remove_suffix(1);
    classes.emplace_back(name);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return classes;
}

void AddClasses(CLI::App& app, std::string& classes) {
  app.add_option("--classes", classes,
                 "The classes: a,b,c, or @FILE with a name per line. Any other "
                 "label becomes none. Without them classes are collected from "
                 "public data, and private data keep no labels.");
}

Answer Imported(const DatasetSummary& summary, const ImportRequest& request) {
  Answer answer{
      .text = fmt::format("{}: {}, {}", request.out.string(),
                          base::HumanCount(summary.users, "user"),
                          base::HumanCount(summary.examples, "example")),
      .json = {{"out", request.out.string()},
               {"users", summary.users},
               {"examples", summary.examples},
               {"skipped", summary.skipped}}};
  for (const auto& [reason, count] : summary.skipped) {
    answer.text +=
        fmt::format("\n  skipped {}: {}", base::HumanCount(count), reason);
  }
  if (!summary.first_users.empty()) {
    answer.text +=
        fmt::format("\n  users: {}{}", fmt::join(summary.first_users, ", "),
                    summary.users > summary.first_users.size() ? ", …" : "");
    answer.json["first_users"] = summary.first_users;
  }
  if (summary.labels_dropped) {
    answer.text +=
        "\n  no labels were kept: which classes occur in private data is "
        "private; declare them with --classes to keep labels";
  }
  answer.json["labels_dropped"] = summary.labels_dropped;
  return answer;
}

// A command `data import NAME` that fills a request and `Options` and calls
// `import`.
template <typename Options, typename Define, typename Import>
Registration Importer(const std::string& name, const std::string& summary,
                      const std::string& example, const char* inputs_help,
                      Define define, Import import,
                      Source source = Source::kLabelled) {
  return Registration(
      {.path = "data import " + name,
       .summary = summary,
       .example = example,
       .define = [=](CLI::App& app, const Common&) -> Action {
         auto given = std::make_shared<Given<Options>>();
         AddRequest(app, *given, inputs_help);
         if (source == Source::kLabelled) AddClasses(app, given->classes);
         define(app, given->options);
         return [given, import] {
           ImportRequest& request = given->request;
           request.inputs.assign(given->inputs.begin(), given->inputs.end());
           if (!given->classes.empty()) {
             request.classes = ReadClasses(given->classes);
           }
           return Imported(import(request, given->options), request);
         };
       }});
}

const Registration kIdx = Importer<data::IdxOptions>(
    "idx", "MNIST, EMNIST, Fashion-MNIST: IDX files, also gzip-compressed.",
    "printf '\\0\\0\\10\\3\\0\\0\\0\\1\\0\\0\\0\\2\\0\\0\\0\\2abcd' > "
    "train-images-idx3-ubyte\n"
    "printf '\\0\\0\\10\\1\\0\\0\\0\\1\\5' > train-labels-idx1-ubyte\n"
    "sfumato data import idx . --public --out digits",
    "A folder with the four files, or the files.",
    [](CLI::App& app, data::IdxOptions& options) {
      AddChoice(app, "--transpose", options.transpose,
                {{"auto", data::Transpose::kAuto},
                 {"always", data::Transpose::kAlways},
                 {"never", data::Transpose::kNever}},
                "Turn images about their diagonal; auto: those of EMNIST, "
                "which are stored so.");
    },
    data::ImportIdx);

const Registration kTffEmnist = Importer<NoOptions>(
    "tff-emnist", "Federated EMNIST as TensorFlow Federated publishes it.",
    "sfumato data import tff-emnist fed_emnist_train.h5 fed_emnist_test.h5 "
    "--out femnist",
    "HDF5 files.", [](CLI::App&, NoOptions&) {},
    [](const ImportRequest& request, NoOptions) {
      return data::ImportTffEmnist(request);
    });

const Registration kTffStackOverflow = Importer<NoOptions>(
    "tff-stackoverflow", "Stack Overflow as TensorFlow Federated publishes it.",
    "sfumato data import tff-stackoverflow stackoverflow_train.h5 --out so",
    "HDF5 files.", [](CLI::App&, NoOptions&) {},
    [](const ImportRequest& request, NoOptions) {
      return data::ImportTffStackOverflow(request);
    },
    Source::kWithoutLabels);

const Registration kLeaf = Importer<data::LeafOptions>(
    "leaf", "Sets of the LEAF benchmark: JSON files.",
    R"(echo '{"users": ["ann"], "num_samples": [1], "user_data": {"ann": )"
    R"({"x": [[0.5, 2]], "y": [1]}}}' > train.json)"
    "\n"
    "sfumato data import leaf train.json --classes 0,1 --out leaf",
    "JSON files, or folders of them.",
    [](CLI::App& app, data::LeafOptions& options) {
      AddChoice(app, "--form", options.form,
                {{"auto", data::LeafForm::kAuto},
                 {"images", data::LeafForm::kImages},
                 {"features", data::LeafForm::kFeatures}},
                "What numbers are; auto: images when there are 784 of them.");
      AddSize(app, "--size", options.image, "The images' size.");
      app.add_flag("--invert,!--no-invert", options.invert,
                   "Whether 1 is paper and 0 is ink, as in FEMNIST (default: "
                   "yes).");
      app.add_option("--text-index", options.text_index,
                     "Which string of several is the text.")
          ->check(CLI::Range(0, 1000))
          ->capture_default_str();
    },
    data::ImportLeaf);

const Registration kStackExchange = Importer<data::StackExchangeOptions>(
    "stackexchange",
    "Dumps of Stack Exchange sites: Posts.xml and Comments.xml.",
    R"(echo '<posts><row Id="1" PostTypeId="1" OwnerUserId="7" Title="How )"
    R"(can I brew this?" Body="I have a kettle."/></posts>' > Posts.xml)"
    "\n"
    "sfumato data import stackexchange Posts.xml --public --out beer",
    "XML files, or folders with them.",
    [](CLI::App& app, data::StackExchangeOptions& options) {
      app.add_option("--min-words", options.min_words,
                     "Shorter sentences are skipped.")
          ->check(CLI::Range(1, 100'000))
          ->capture_default_str();
      app.add_option("--max-words", options.max_words,
                     "Longer sentences are skipped.")
          ->check(CLI::Range(1, 100'000))
          ->capture_default_str();
    },
    data::ImportStackExchange, Source::kWithoutLabels);

struct FoldersGiven {
  data::FoldersOptions options;
  data::ImageShape size;
};

std::string LayoutHelp() {
  std::string help =
      "Where user and label stand in the whole path below PATH, such as "
      "'{user}/{label}/{*}.png' ({*} for what does not matter), or a known "
      "collection:";
  for (const data::FolderPreset& preset : data::FolderPresets()) {
    help += " " + preset.name;
  }
  return help + ". Default: a folder per user, in it a folder per label.";
}

const Registration kFolders = Importer<FoldersGiven>(
    "folders",
    "Images in folders, one per user: PNG, PGM, JPEG; also inside zip or tar.",
    "mkdir -p drawings/ann/tree\n"
    "printf 'P5 2 2 255\\nabcd' > drawings/ann/tree/1.pgm\n"
    "sfumato data import folders drawings --layout {user}/{label}/{*}.pgm "
    "--classes tree,house --out drawn",
    "Folders or archives.",
    [](CLI::App& app, FoldersGiven& given) {
      app.add_option("--layout", given.options.layout, LayoutHelp());
      AddSize(app, "--size", given.size,
              "The size that all images are scaled to.");
      app.add_flag("--colour", given.options.colour, "Keep three channels.");
      app.add_flag("--invert", given.options.invert,
                   "For dark ink on light paper: 0 becomes the paper.");
    },
    [](const ImportRequest& request, FoldersGiven& given) {
      given.options.height = given.size.height;
      given.options.width = given.size.width;
      return data::ImportFolders(request, given.options);
    });

const Registration kText = Importer<data::TextOptions>(
    "text", "Sentences: a file per user, JSON lines, CSV, or a play.",
    R"(echo '{"author": "ann", "body": "I have a question."}' > posts.jsonl)"
    "\n"
    "sfumato data import text posts.jsonl --user author --text body --out "
    "posts",
    "Files, or folders of them.",
    [](CLI::App& app, data::TextOptions& options) {
      AddChoice(app, "--form", options.form,
                {{"auto", data::TextSource::kAuto},
                 {"files", data::TextSource::kFiles},
                 {"jsonl", data::TextSource::kJsonl},
                 {"csv", data::TextSource::kCsv},
                 {"speakers", data::TextSource::kSpeakers}},
                "How the files are made; auto: by their ending.");
      AddChoice(app, "--cut", options.cut,
                {{"lines", data::TextCut::kLines},
                 {"sentences", data::TextCut::kSentences},
                 {"whole", data::TextCut::kWhole}},
                "What one example is.");
      app.add_flag("--tokens", options.tokens,
                   "The text is words already, apart by spaces, as another "
                   "pipeline made them: a no-break space stays inside a word, "
                   "capitals stay.");
      app.add_option("--user", options.fields.user,
                     "The field or column of the user.")
          ->capture_default_str();
      app.add_option("--text", options.fields.text,
                     "The field or column of the text.")
          ->capture_default_str();
    },
    data::ImportText, Source::kWithoutLabels);

const Registration kTable = Importer<data::TableOptions>(
    "table", "Rows of numbers with a label: CSV (also gzip) or NumPy arrays.",
    "printf 'species,petal,sepal\\nrose,1.5,2\\nlily,3,4\\n' > flowers.csv\n"
    "sfumato data import table flowers.csv --label species --public --out "
    "flowers",
    "CSV or NPY files, or folders of them.",
    [](CLI::App& app, data::TableOptions& options) {
      app.add_option("--label", options.label_column,
                     "The label's column: a name, a number from 0 (-1 is the "
                     "last), or none.");
      app.add_option("--user", options.user_column,
                     "The user's column, in the same way.");
      AddChoice(app, "--header", options.header,
                {{"auto", data::CsvHeader::kAuto},
                 {"yes", data::CsvHeader::kPresent},
                 {"no", data::CsvHeader::kAbsent}},
                "Whether the first row names the columns.");
      AddChoice(app, "--delimiter", options.delimiter,
                {{"auto", char{0}},
                 {"comma", ','},
                 {"semicolon", ';'},
                 {"tab", '\t'},
                 {"space", ' '}},
                "What stands between fields.");
      AddSize(app, "--size", options.image, "Make each row an image.");
      app.add_option("--low", options.low,
                     "The value of an image's background.")
          ->capture_default_str();
      app.add_option("--high", options.high, "The value of full ink or light.")
          ->capture_default_str();
    },
    data::ImportTable);

}  // namespace
}  // namespace sfumato::app
