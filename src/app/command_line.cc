#include "app/command_line.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/command.h"
#include "app/version.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "sfumato.result/1";

constexpr const char* kWelcome =
    R"(sfumato — looking at data that nobody may look at

  sfumato demo images       an update broke something: find it, in minutes; text
  sfumato inspect …         two sides of a population: what differs; report
  sfumato train …           a model across users, under privacy; resume, sample
  sfumato data …            make people, import your own files, show, describe
  sfumato privacy …         what training costs; ledger: what may be spent
  sfumato doctor            what this machine can do

'sfumato COMMAND --help' shows options and an example that works.
)";

// The summary of each group of commands.
const std::map<std::string, std::string> kGroups = {
    {"data", "Make, import and look at federated datasets."},
    {"data make", "Make a dataset of generated people."},
    {"data import", "Import files of a known format as a dataset."},
    {"bench", "Measure this machine."},
    {"demo", "See what it does, on people who do not exist."},
    {"privacy", "Show what releases cost, and what a budget allows."},
    {"ledger",
     "Manage a population's privacy budget: grant it, spend from it, audit "
     "it."},
};

std::vector<std::string> Words(const std::string& path) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(' ', begin), path.size());
    words.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

CLI::App* Child(CLI::App& app, const std::string& name) {
  for (CLI::App* child : app.get_subcommands(nullptr)) {
    if (child->get_name() == name) return child;
  }
  return nullptr;
}

// A command with the values of its common options.
struct Leaf {
  Common common;
  Action action;
};

// The whole tree of commands.
class Tree {
 public:
  Tree() : root_("Looking at data that nobody may look at.", "sfumato") {
    root_.set_help_flag("--help,-h", "Show this help.");
    root_.set_version_flag("--version", kVersion, "Show the version.");
    for (const Command& command : Commands()) Add(command);
  }

  CLI::App& root() { return root_; }

  // The deepest command or group that the first words name. Throws BadInput
  // for a word that is not a command.
  CLI::App* Find(const std::vector<std::string>& words) {
    CLI::App* app = &root_;
    for (const std::string& word : words) {
      if (leaves_.contains(app) || word.starts_with("-")) break;
      CLI::App* next = Child(*app, word);
      if (next == nullptr) throw UnknownCommand(*app, word);
      app = next;
    }
    return app;
  }

  // Nothing for a group.
  const Leaf* LeafOf(const CLI::App* app) const {
    const auto found = leaves_.find(app);
    return found == leaves_.end() ? nullptr : found->second.get();
  }

  static std::vector<std::string> Children(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* child : app.get_subcommands(nullptr)) {
      names.push_back(child->get_name());
    }
    return names;
  }

 private:
  static Error UnknownCommand(const CLI::App& app, const std::string& word) {
    return BadInput(fmt::format("unknown command '{}'", word),
                    app.get_parent() == nullptr ? "" : app.get_name(),
                    base::DidYouMean(word, Children(app)));
  }

  void Add(const Command& command) {
    CLI::App* app = &root_;
    std::string path;
    for (const std::string& word : Words(command.path)) {
      path += (path.empty() ? "" : " ") + word;
      CLI::App* next = Child(*app, word);
      if (next == nullptr) {
        next = app->add_subcommand(word);
        const auto group = kGroups.find(path);
        if (group != kGroups.end()) next->description(group->second);
      }
      app = next;
    }
    app->description(command.summary);
    std::string footer = "Example:\n  " + command.example;
    for (auto at = footer.find('\n', 10); at != std::string::npos;
         at = footer.find('\n', at + 1)) {
      footer.insert(at + 1, "  ");
    }
    app->footer(footer);
    // Each command has values of its own: CLI11 reads the environment for all
    // commands, also for those that were not called.
    auto leaf = std::make_unique<Leaf>();
    Common& common = leaf->common;
    leaf->action = command.define(*app, common);
    leaves_[app] = std::move(leaf);
    app->add_flag("--json", common.json, "Answer with one JSON object.")
        ->group("Every command");
    app->add_flag("--quiet,-q", common.quiet, "No progress, no remarks.")
        ->envname("SFUMATO_QUIET")
        ->group("Every command");
    app->add_option_function<std::string>(
           "--seed",
           [&common](const std::string& given) {
             const auto seed = base::ParseNumber<std::uint64_t>(given);
             if (!seed) {
               throw BadInput(fmt::format("'{}' is not a seed", given),
                              "--seed or SFUMATO_SEED",
                              "a whole number from 0 to 2^64 - 1");
             }
             common.seed = *seed;
             common.seed_given = true;
           },
           "Seed for simulations and generated data; never used for protective "
           "noise.")
        ->option_text("NUMBER=1")
        ->envname("SFUMATO_SEED")
        ->group("Every command");
  }

  CLI::App root_;
  std::map<const CLI::App*, std::unique_ptr<Leaf>> leaves_;
};

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// Unknown options are looked for before parsing, so that a mistyped option is
// named rather than the required one that is then missing.
void CheckOptions(const CLI::App& app, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (!word.starts_with("--") && word != "-q") continue;
    const std::string name = word.substr(0, word.find('='));
    if (app.get_option_no_throw(name) != nullptr) continue;
    if (name == "--json" || name == "--quiet" || name == "-q" ||
        name == "--seed") {
      throw BadInput(fmt::format("'{}' is an option of commands", name), "",
                     fmt::format("put it behind one: sfumato doctor {}", name));
    }
    throw BadInput(fmt::format("unknown option '{}'", name),
                   app.get_parent() == nullptr ? "" : app.get_name(),
                   base::DidYouMean(name, OptionNames(app)));
  }
}

std::string FullName(const CLI::App* app) {
  std::string name = app->get_name();
  for (app = app->get_parent(); app != nullptr; app = app->get_parent()) {
    name = app->get_name() + " " + name;
  }
  return name;
}

void Parse(Tree& tree, CLI::App* app, std::vector<std::string> words) {
  CheckOptions(*app, words);
  std::reverse(words.begin(), words.end());
  try {
    tree.root().parse(words);
  } catch (const CLI::CallForHelp&) {
    throw;
  } catch (const CLI::CallForVersion&) {
    throw;
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), "",
                   fmt::format("'{} --help' shows an example", FullName(app)));
  }
}

// CLI11 takes help from the group that it is asked of.
std::string Help(const CLI::App* app) {
  const CLI::App* parent = app->get_parent();
  return app->help(parent == nullptr ? "" : FullName(parent));
}

Result Failure(const Error& error, bool as_json, int exit_code) {
  Result result{.out = "", .err = "", .exit_code = exit_code};
  if (as_json) {
    result.out = json{{"schema", kSchema},
                      {"ok", false},
                      {"error",
                       {{"kind", KindName(error.kind())},
                        {"what", error.what()},
                        {"where", error.where()},
                        {"todo", error.todo()}}}}
                     .dump(2, ' ', false, json::error_handler_t::replace) +
                 "\n";
  }
  result.err = fmt::format("error: {}{}{}\n", error.where(),
                           error.where().empty() ? "" : ": ", error.what());
  if (!error.todo().empty()) {
    result.err += fmt::format("       {}\n", error.todo());
  }
  return result;
}

Result Success(const Answer& answer, const CLI::App* app, bool as_json) {
  Result result{.out = answer.text, .err = "", .exit_code = answer.exit_code};
  if (as_json) {
    json object = {{"schema", kSchema},
                   {"ok", true},
                   {"command", FullName(app).substr(8)}};
    object.update(answer.json);
    result.out =
        object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  } else if (!result.out.empty() && result.out.back() != '\n') {
    result.out += '\n';
  }
  return result;
}

Result Run(const std::vector<std::string>& words) {
  Tree tree;
  if (words.empty()) return {.out = kWelcome, .err = "", .exit_code = 0};
  CLI::App* app = tree.Find(words);
  try {
    Parse(tree, app, words);
  } catch (const CLI::CallForHelp&) {
    return {.out = Help(app), .err = "", .exit_code = 0};
  } catch (const CLI::CallForVersion&) {
    return {.out = fmt::format("sfumato {}\n", kVersion),
            .err = "",
            .exit_code = 0};
  }
  const Leaf* leaf = tree.LeafOf(app);
  if (leaf == nullptr) {
    throw BadInput(
        "a command is missing", FullName(app),
        fmt::format("one of: {}", fmt::join(Tree::Children(*app), ", ")));
  }
  base::ProcessTalk().quiet = leaf->common.quiet;
  return Success(leaf->action(), app, leaf->common.json);
}

// A disk that cannot be written is the machine's fault; anything else is a path
// that was given.
Error OfDisk(const std::filesystem::filesystem_error& error) {
  const int reason = error.code().value();
  for (const int full : {EROFS, ENOSPC, EDQUOT, EIO}) {
    if (reason == full) {
      return Unavailable(
          fmt::format("cannot write: {}", error.code().message()),
          error.path1().string(),
          reason == ENOSPC || reason == EDQUOT
              ? "free some disk space"
              : "choose a place that can be written");
    }
  }
  return BadInput(error.code().message(), error.path1().string(),
                  "check the path");
}

// What is given goes into records, which are UTF-8.
void CheckUtf8(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (base::IsUtf8(word)) continue;
    throw BadInput("not UTF-8", base::Printable(word),
                   "give names and values in UTF-8, and rename files whose "
                   "names are not");
  }
}

// Never throws: every error becomes a text, an object and a code.
Result RunGuarded(const std::vector<std::string>& words, bool as_json) {
  try {
    CheckUtf8(words);
    return Run(words);
  } catch (const base::Interrupted& error) {
    return Failure(error, as_json, 128 + error.signal());
  } catch (const Error& error) {
    return Failure(error, as_json, ExitCode(error.kind()));
  } catch (const std::filesystem::filesystem_error& error) {
    return Failure(OfDisk(error), as_json, ExitCode(OfDisk(error).kind()));
  } catch (const std::bad_alloc&) {
    return Failure(Unavailable("out of memory", "", "ask for less at a time"),
                   as_json, ExitCode(ErrorKind::kUnavailable));
  } catch (const std::exception& error) {
    return Failure(Error(ErrorKind::kBug, error.what(), "",
                         "this is a bug in sfumato; please report the command"),
                   as_json, ExitCode(ErrorKind::kBug));
  }
}

}  // namespace

Result RunCommandLine(const std::vector<std::string>& given) {
  std::vector<std::string> words = given;
  if (!words.empty() && words[0] == "help") {  // as people type it
    words.erase(words.begin());
    words.push_back("--help");
  }
  const bool as_json =
      std::find(words.begin(), words.end(), "--json") != words.end();
  Result result = RunGuarded(words, as_json);
  if (!as_json) result.out = base::ForPeople(std::move(result.out));
  result.err = base::ForPeople(std::move(result.err));
  return result;
}

std::map<std::string, std::vector<std::string>> NextWords() {
  Tree tree;
  std::map<std::string, std::vector<std::string>> next;
  const std::function<void(const CLI::App&, const std::string&)> visit =
      [&](const CLI::App& app, const std::string& path) {
        next[path] = Tree::Children(app);
        for (const std::string& option : OptionNames(app)) {
          next[path].push_back(option);
        }
        for (const CLI::App* child : app.get_subcommands(nullptr)) {
          visit(*child, path + (path.empty() ? "" : " ") + child->get_name());
        }
      };
  visit(tree.root(), "");
  return next;
}

}  // namespace sfumato::app
