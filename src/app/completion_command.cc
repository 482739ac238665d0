// `sfumato completion`: the shell knows every command and option, from the
// same tree that parses them.

#include "app/command.h"
#include "app/command_line.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::app {
namespace {

// Walks the words typed so far down the tree, then offers what may follow:
// commands, options once a dash is typed, and otherwise files.
constexpr const char* kBash = R"(_sfumato() {{
  declare -A next=(
{table}  )
  local path=sfumato word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ -n ${{next["$path $word"]+x}} ]] && path="$path $word"
  done
  local current=${{COMP_WORDS[COMP_CWORD]}} words=()
  for word in ${{next["$path"]}}; do
    [[ $current == -* || $word != -* ]] && words+=("$word")
  done
  COMPREPLY=($(compgen -W "${{words[*]}}" -- "$current"))
}}
complete -o default -F _sfumato sfumato
)";

std::string BashScript() {
  std::string table;
  for (const auto& [path, words] : NextWords()) {
    table += fmt::format("    [\"sfumato{}{}\"]='{}'\n",
                         path.empty() ? "" : " ", path, fmt::join(words, " "));
  }
  return fmt::format(kBash, fmt::arg("table", table));
}

const Registration kCompletion(
    {.path = "completion",
     .summary = "Print a script that teaches bash (or zsh, after "
                "'bashcompinit') to complete sfumato's commands and options.",
     .example = "sfumato completion > sfumato.bash",
     .define = [](CLI::App&, const Common&) -> Action {
       return [] {
         const std::string script = BashScript();
         return Answer{.text = script, .json = {{"script", script}}};
       };
     }});

}  // namespace
}  // namespace sfumato::app
