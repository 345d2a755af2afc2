export const SHELLS = ["bash", "zsh", "fish"] as const

/** A shell that we know to complete in. */
export type Shell = (typeof SHELLS)[number]

// Each asks `treelog completion SHELL -- …` what the last word may become. The first line of the answer says whether it is
// one of the words that follow, a file or a folder. bash breaks words at characters of its own, so it hands the line over.

const bash = `# treelog in bash: eval "$(treelog completion bash)", or a file in ~/.local/share/bash-completion/completions/
_treelog() {
  local kind='' line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(treelog completion bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
}
complete -F _treelog treelog
`

const zsh = `#compdef treelog
# treelog in zsh: eval "$(treelog completion zsh)" behind compinit, or a file _treelog in a folder of $fpath
_treelog() {
  local -a lines candidates
  lines=("\${(@f)$(treelog completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)lines[2,-1]}")
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
    *) _describe -V 'treelog' candidates ;;
  esac
}
if [ "$funcstack[1]" = _treelog ]; then _treelog "$@"; else compdef _treelog treelog; fi
`

const fish = `# treelog in fish: treelog completion fish | source, or a file in ~/.config/fish/completions/treelog.fish
function __treelog_complete
  set -l tokens (commandline -opc) (commandline -ct | string unescape)
  set -l lines (treelog completion fish -- $tokens[2..-1] 2>/dev/null)
  switch "$lines[1]"
    case files
      __fish_complete_path (commandline -ct)
    case folders
      __fish_complete_directories (commandline -ct)
    case '*'
      test (count $lines) -gt 1; and printf '%s\\n' $lines[2..-1]
  end
end
complete -c treelog -f -k -a '(__treelog_complete)'
`

/** What a shell has to run, so that Tab completes. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
