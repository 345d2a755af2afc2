// What --help leads with: how one uses the command.

type Example = readonly [command: string, does: string]

function leading(...lines: readonly Example[]): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  return `Examples:\n${lines.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`).join("\n")}\n`
}

export const examples = {
  treelog: leading(
    ["treelog list", "the sessions of this folder"],
    ["treelog list --store pi --all", "every session that pi has"],
    ["treelog resume --all", "find one as you type"],
    ["treelog show", "the newest one, to be read"],
    ["treelog tree 01a1ffe2", "all its branches"],
    ["treelog context @last --json", "what the model would get"],
    ["treelog append @last --role user --text Hi", "grow it"],
    ["treelog verify --all", "look for damage everywhere"],
  ),
  list: leading(
    ["treelog list", "the sessions of this folder"],
    ["treelog list --all --limit 20", "the newest 20 of all folders"],
    ["treelog list --store omp --all", "what oh-my-pi has"],
    ["treelog list --json | jq -r .path", "their files"],
  ),
  resume: leading(
    ["treelog resume", "browse the sessions of this folder"],
    ["treelog resume --all --query flaky", "those of all folders that hold a word"],
    ["treelog resume --last", "the newest, without asking"],
    ["treelog resume --store pi --print id", "of pi's, by its id"],
  ),
  show: leading(
    ["treelog show", "the newest session of this folder"],
    ["treelog show 01a1ffe2 --full | less", "nothing cut"],
    ["treelog show session.jsonl --leaf 5e40b9ff", "another branch of a file"],
  ),
  tree: leading(
    ["treelog tree", "the newest session of this folder"],
    ["treelog tree @-2 --filter user-only", "the questions of the one before"],
    ["treelog tree 01a1 --filter labeled-only", "the bookmarks"],
    ["treelog tree -i", "walk through it, and go on elsewhere"],
    ["treelog tree 01a1 --select 90f5", "go on from there, without asking"],
  ),
  context: leading(
    ["treelog context", "of the newest session here"],
    ["treelog context 01a1ffe2 --leaf 5e40b9ff", "at another place of the tree"],
    ["treelog context @last --json | jq .messages", "the messages alone"],
    ["treelog context --llm anthropic --repair", "ready to be sent"],
  ),
  stats: leading(
    ["treelog stats", "the newest session of this folder"],
    ["treelog stats --all --store pi", "everything that pi has"],
    ["treelog stats --disk", "what the store takes on the disk, by project"],
  ),
  watch: leading(
    ["treelog watch", "the newest session of this folder"],
    ["treelog watch 01a1ffe2 --from-start", "what is there first"],
    ["treelog watch @last --json", "a line of JSON for each entry"],
  ),
  view: leading(
    ["treelog view", "the newest session of this folder"],
    ["treelog view 01a1ffe2 --no-open", "print the address only"],
    ["treelog view @last --port 8080", "at a port of your choice"],
  ),
  new: leading(
    ["treelog new", "for this folder"],
    ['treelog new --name "API audit" --cwd ~/api', "with a name, for another folder"],
    ["treelog new --id nightly --parent @last", "with an id of your own"],
  ),
  append: leading(
    ['treelog append @last --role user --text "Go on"', "a text"],
    [`treelog append 01a1ffe2 '{"role":"user","content":"Go on"}'`, "any message"],
    ["treelog append 01a1ffe2 - < message.json", "from a file"],
  ),
  branch: leading(
    ["treelog branch @last 90f5a690", "go back to an entry"],
    ['treelog branch @last 90f5 --summary "No luck"', "and say what was tried"],
    ["treelog branch @last 90f5 --summarize llm", "or let a model say it"],
    ["treelog branch @last root", "start over in the same session"],
  ),
  compact: leading(
    ["treelog compact @last --dry-run", "what would be summarized"],
    ['treelog compact @last --summarizer "llm -m haiku"', "by any program"],
    ["treelog compact 01a1ffe2 --summary notes.md", "by yourself"],
  ),
  fork: leading(
    ["treelog fork 01a1ffe2 --to ~/shop-2", "all of it, for another folder"],
    ["treelog fork @last --leaf 90f5a690", "the way to one entry"],
    ["treelog fork @last -i", "from before a message that you choose"],
  ),
  label: leading(
    ["treelog label @last 90f5a690 works", "bookmark an entry"],
    ["treelog label @last 90f5a690", "take the label off"],
  ),
  name: leading(
    ['treelog name @last "Discount field"', "give a name"],
    ["treelog name @last", "print it"],
    ["treelog name @last --clear", "take it off"],
  ),
  verify: leading(
    ["treelog verify", "the newest session of this folder"],
    ["treelog verify session.jsonl --json", "a file, as JSON"],
    ["treelog verify --all", "every session of the store"],
    ["treelog verify --all --fix-orphans", "also remove what killed commands left"],
  ),
  repair: leading(
    ["treelog repair session.jsonl --dry-run", "see what would be done"],
    ["treelog repair session.jsonl", "mend it, and keep it as it was"],
  ),
  migrate: leading(
    ["treelog migrate --all --dry-run", "see which sessions are old"],
    ["treelog migrate --all --store pi", "bring all of pi's up to date"],
    ["treelog migrate 01a1ffe2", "one session"],
  ),
  slim: leading(
    ["treelog slim 01a1ffe2 --dry-run", "see what it would save"],
    ["treelog slim 01a1ffe2", "move images and long texts out"],
  ),
  inflate: leading(
    ["treelog inflate 01a1ffe2", "put images and long texts back"],
    ["treelog inflate copy.jsonl --blobs ~/blobs", "blobs that lie elsewhere"],
  ),
  blobs: leading(
    ["treelog blobs ls", "what there is"],
    ["treelog blobs verify", "look for damage"],
    ["treelog blobs gc", "see what no session needs"],
    ["treelog blobs gc --apply", "take it away"],
  ),
  "blobs ls": leading(
    ["treelog blobs ls", "hash, size and age"],
    ["treelog blobs ls --store omp", "those of oh-my-pi"],
    ["treelog blobs ls --json | jq -r .hash | sort", "the hashes alone"],
  ),
  "blobs verify": leading(
    ["treelog blobs verify", "read every blob"],
    ["treelog blobs verify --blobs ~/copy/blobs --json", "of any folder, as JSON"],
  ),
  "blobs gc": leading(
    ["treelog blobs gc", "see what no session needs"],
    ["treelog blobs gc --apply", "move it to the trash"],
    ["treelog blobs gc --undo", "give it back"],
    ["treelog blobs gc --root ~/archive", "spare what these name, too"],
  ),
  export: leading(
    ["treelog export -o talk.md", "the newest, to be read"],
    ["treelog export --format text --no-tools", "only what was said"],
    ["treelog export @last -o talk.jsonl", "all of it, for `treelog import`"],
    ["treelog export @last -o talk.html", "as a page, in one file"],
  ),
  import: leading(
    ["treelog import talk.jsonl", "where its header says"],
    ["treelog import talk.jsonl --cwd ~/shop", "into another project"],
    ["treelog import talk.jsonl --blobs ~/blobs", "with the images that it names"],
  ),
  scan: leading(
    ["treelog scan", "the newest session of this folder"],
    ["treelog scan --all", "every session of the store"],
    ["treelog scan 01a1ffe2 --json", "a line of JSON for each"],
  ),
  delete: leading(
    ["treelog delete 01a1ffe2", "one session, by the start of its id"],
    ["treelog delete @last @-2", "the two newest of this folder"],
    ["treelog restore --last", "give them back"],
  ),
  prune: leading(
    ["treelog prune --older-than 90d", "see what would go, of this folder"],
    ["treelog prune --all --empty --apply", "what was begun and never used"],
    ["treelog prune --all --max-size 2gb", "the oldest, down to a size"],
    ["treelog prune --project ~/gone --apply", "all of a project that is done"],
  ),
  restore: leading(
    ["treelog restore --last", "undo the last delete or prune"],
    ["treelog restore 01a1ffe2", "one session"],
    ["treelog restore --list", "see what there is"],
  ),
  trash: leading(
    ["treelog trash ls", "what there is"],
    ["treelog trash empty --older-than 30d", "see what would be removed for good"],
    ["treelog trash empty --apply", "remove all of it"],
  ),
  "trash ls": leading(
    ["treelog trash ls", "what went last comes first"],
    ["treelog trash ls --cwd ~/shop", "of one folder"],
    ["treelog trash ls --json | jq -r .path", "the files"],
  ),
  "trash empty": leading(
    ["treelog trash empty", "see what would be removed"],
    ["treelog trash empty --older-than 30d --apply", "what went a month ago"],
  ),
  relocate: leading(
    ["treelog relocate --from ~/shop --to ~/store", "see what would move"],
    ["treelog relocate --from ~/shop --to ~/store --apply", "move them"],
  ),
  history: leading(
    ["treelog history", "type to find a prompt of any session"],
    ["treelog history --scope repository", "of this repository and its worktrees"],
    ['claude "$(treelog history)"', "ask again"],
    ["treelog history import", "fill it from the sessions of the store"],
    ["treelog history search flaky", "for scripts"],
  ),
  "history search": leading(
    ['treelog history search "flaky test"', "both words, in any order"],
    ["treelog history search 中文 --scope repository", "of this repository"],
    ["treelog history search C++ --cwd ~/engine", "asked in a folder"],
    ["treelog history search todo --json | jq -r .text", "the texts alone"],
  ),
  "history recent": leading(
    ["treelog history recent", "the newest of all folders"],
    ["treelog history recent --cwd . -n 10", "the last ten of this one"],
    ["treelog history recent --session @last", "of the newest session here"],
  ),
  "history add": leading(
    ['treelog history add "Fix the flaky test"', "asked in this folder"],
    ["treelog history add - --session @last < prompt.txt", "asked in a session"],
    ["treelog history add \"$PROMPT\" --ignore '^/'", "unless it is a command"],
  ),
  "history import": leading(
    ["treelog history import", "from all sessions stored"],
    ["treelog history import --from claude-code", "from ~/.claude/history.jsonl"],
    ["treelog history import --from codex", "from ~/.codex/history.jsonl"],
    ["treelog history import --from old/history.jsonl", "from a copy of either"],
  ),
  "history delete": leading(
    ["treelog history delete 4711", "see what would go"],
    ["treelog history delete 4711 --yes", "remove it for good"],
    ['treelog history delete --query "my password" --yes', "all that a search finds"],
    ["treelog history delete --cwd ~/client --yes", "all of a folder"],
  ),
  "history stats": leading(
    ["treelog history stats", "how much there is"],
    ["treelog history stats --store omp --json", "of oh-my-pi's, as JSON"],
  ),
  completion: leading(
    ["treelog completion fish | source", "in ~/.config/fish/config.fish"],
    ['eval "$(treelog completion bash)"', "in ~/.bashrc"],
    ['eval "$(treelog completion zsh)"', "in ~/.zshrc, behind compinit"],
  ),
} as const

/** One line each, for the list of commands. */
export const summaries = {
  list: "list sessions, newest first",
  resume: "find a session as you type, and print its path",
  show: "print a session as people read it",
  tree: "draw its tree: branches, labels, compactions",
  context: "print what the model would get",
  stats: "count messages, tokens, cost and bytes",
  watch: "follow a live session",
  view: "show a session in a browser",
  new: "begin a session",
  append: "append a message",
  branch: "go back to an entry; what follows is a new branch",
  compact: "summarize all but the newest messages",
  fork: "copy a session, or the way to an entry",
  label: "label an entry",
  name: "name a session",
  verify: "look for damage",
  repair: "mend a damaged session",
  migrate: "bring old sessions up to date",
  slim: "move images out of a session",
  inflate: "put them back",
  blobs: "list, check and collect what slim moves out",
  "blobs ls": "list blobs",
  "blobs verify": "look for damaged blobs",
  "blobs gc": "take away what no session names",
  export: "write a session as Markdown, a page, text, JSONL or JSON",
  import: "take a session from a file",
  scan: "look for secrets",
  delete: "move sessions to the trash",
  prune: "move many to the trash: old ones, empty ones",
  restore: "give back what is in the trash",
  trash: "list what is in the trash, and empty it",
  "trash ls": "list what is in the trash",
  "trash empty": "remove it for good",
  relocate: "tell sessions that their folder was renamed",
  history: "find any prompt as you type, and print it",
  "history search": "find prompts",
  "history recent": "list the newest prompts",
  "history add": "keep a prompt",
  "history import": "take in prompts of the past",
  "history delete": "remove prompts for good",
  "history stats": "count them",
  completion: "print what makes a shell complete treelog",
} as const

export const SEE_ALL_OPTIONS = `
Every command also takes --store, --agent-dir, --session-dir, --blobs, --cwd,
--all, --json, --no-color, --no-input, -q and --debug; see \`treelog --help\`.`

export const SHELL_NOTES = `
Sessions: every command that takes a SESSION also takes the path of a session
file, of this store, another one or none; it has a / in it, or .jsonl at its
end. Ids are looked for in the whole store, names and @last in this folder's.
Stores: treelog in $TREELOG_AGENT_DIR or ~/.treelog/agent, pi in
$PI_CODING_AGENT_DIR or ~/.pi/agent, xcsh in ~/.xcsh/agent, omp in ~/.omp/agent.
Commands that read sessions never write a byte.
Exit codes: 0 ok, 1 failed, 2 usage or ambiguous, 3 not found, 4 damage or
secrets found, 5 locked, 130 interrupted.`
