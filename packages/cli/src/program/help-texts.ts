// The examples and one-line summaries of --help and of the man page.

import type { Command, HelpConfiguration } from "commander"

type Example = readonly [command: string, description: string]

function exampleLines(...lines: readonly Example[]): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  return `Examples:\n${lines.map(([command, description]) => `  ${command.padEnd(width)}   ${description}`).join("\n")}\n`
}

export const examples = {
  list: exampleLines(
    ["treelog list", "the sessions of this folder"],
    ["treelog list --all --limit 20", "the newest 20 of all folders"],
    ["treelog list --group", "the sessions of every folder, by folder"],
    ["treelog list --store omp --all", "the sessions of oh-my-pi"],
    ["treelog list --all-stores --since 7d", "the last week of all programs"],
    ["treelog list --json | jq -r .path", "the paths of their files"],
  ),
  resume: exampleLines(
    ["treelog resume", "browse the sessions of this folder"],
    ["treelog resume --all --query flaky", "all sessions that contain a word"],
    ["treelog resume --last", "the newest, without the picker"],
    ["treelog resume --store pi --print id", "choose a session of pi, print its id"],
  ),
  show: exampleLines(
    ["treelog show", "the newest session of this folder"],
    ["treelog show 01a1ffe2 --full", "without truncation"],
    ["treelog show --tail 5", "only the last five messages"],
    ["treelog show session.jsonl --leaf 5e40b9ff", "another branch of a file"],
  ),
  tree: exampleLines(
    ["treelog tree", "the newest session of this folder"],
    ["treelog tree @-2 --filter user-only", "only messages of the user"],
    ["treelog tree 01a1 --filter labeled-only", "only labelled entries"],
    ["treelog tree -i", "browse, and choose where to continue"],
    ["treelog tree 01a1 --select 90f5", "continue at an entry at once"],
  ),
  context: exampleLines(
    ["treelog context", "of the newest session here"],
    ["treelog context 01a1ffe2 --leaf 5e40b9ff", "at another entry of the tree"],
    ["treelog context @last --json | jq .messages", "only the messages"],
    ["treelog context --llm anthropic --repair", "a request for Anthropic's API"],
  ),
  stats: exampleLines(
    ["treelog stats", "what the last 30 days cost"],
    ["treelog stats --by project --since 7d", "by project, of a week"],
    ["treelog stats --by model --all --csv", "of all times, for a spreadsheet"],
    ["treelog stats @last", "count what a session has"],
    ["treelog stats @last --by tool", "what fills its context"],
    ["treelog stats --disk", "disk space by project"],
  ),
  watch: exampleLines(
    ["treelog watch", "the newest session of this folder"],
    ["treelog watch -n 10", "print the last ten messages first"],
    ["treelog watch 01a1ffe2 --from-start", "print all stored entries first"],
    ["treelog watch @last --json", "a line of JSON for each entry"],
  ),
  view: exampleLines(
    ["treelog view", "all sessions of all agents on this machine"],
    ["treelog view @last", "the newest session of this folder"],
    ["treelog view 01a1ffe2 --no-open", "print the address only"],
    ["treelog view @last --port 8080", "on a port that you choose"],
  ),
  search: exampleLines(
    ["treelog search flaky test", "texts with both words"],
    ["treelog search", "as you type, with a preview"],
    ["treelog search '\"rate limit\" -429 retr*'", "phrase, excluded, prefix"],
    ["treelog search role:user since:30d checkout", "filters in the text"],
    ["treelog search ECONNRESET --all --tool bash", "or as options"],
    ["treelog search --prompts flaky --since 30d --all", "what you typed, anywhere"],
    ["treelog search --file src/retry.ts --context 2", "what was said about a file"],
  ),
  files: exampleLines(
    ["treelog files src/retry.ts", "sessions that read or changed it"],
    ["treelog files retry.ts --changed --all", "only changes, in every folder"],
  ),
  doctor: exampleLines(["treelog doctor", "of all agents on this machine"], ["treelog doctor --json", "for scripts"]),
  index: exampleLines(
    ["treelog index", "where it is, and which SQLite is used"],
    ["treelog index --update", "read what is new; search does it, too"],
    ["treelog index --rebuild --store pi", "rebuild that of pi"],
  ),
  mcp: exampleLines(
    ["treelog mcp", "the sessions of this folder"],
    ["claude mcp add treelog -- treelog mcp", "configure Claude Code"],
    ["treelog mcp --store pi --all", "all sessions of pi"],
  ),
  new: exampleLines(
    ["treelog new", "for this folder"],
    ['treelog new --name "API audit" --cwd ~/api', "with a name, for another folder"],
    ["treelog new --id nightly --parent @last", "with an id of your own"],
  ),
  append: exampleLines(
    ['treelog append @last --role user --text "Go on"', "a text"],
    [`treelog append 01a1ffe2 '{"role":"user","content":"Go on"}'`, "any message"],
    ["treelog append 01a1ffe2 - < message.json", "from a file"],
  ),
  branch: exampleLines(
    ["treelog branch @last 90f5a690", "go back to an entry"],
    ['treelog branch @last 90f5 --summary "No luck"', "with your own summary"],
    ["treelog branch @last 90f5 --summarize llm", "with a summary by a program"],
    ["treelog branch @last root", "start over in the same session"],
  ),
  compact: exampleLines(
    ["treelog compact @last --dry-run", "show the plan"],
    ['treelog compact @last --summarizer "llm -m haiku"', "summarize with a program"],
    ["treelog compact 01a1ffe2 --summary notes.md", "use your own summary"],
  ),
  fork: exampleLines(
    ["treelog fork 01a1ffe2 --to ~/shop-2", "all branches, for another folder"],
    ["treelog fork @last --leaf 90f5a690", "only the path to one entry"],
    ["treelog fork @last -i", "up to a message that you choose"],
  ),
  label: exampleLines(
    ["treelog label @last 90f5a690 works", "label an entry"],
    ["treelog label @last 90f5a690", "remove the label"],
  ),
  name: exampleLines(
    ['treelog name @last "Discount field"', "set the name"],
    ["treelog name @last", "print it"],
    ["treelog name @last --clear", "remove it"],
  ),
  verify: exampleLines(
    ["treelog verify", "the newest session of this folder"],
    ["treelog verify session.jsonl --json", "a file, as JSON"],
    ["treelog verify --all", "every session of the store"],
    ["treelog verify --all --fix-orphans", "also remove orphaned temporary files"],
  ),
  repair: exampleLines(
    ["treelog repair session.jsonl --dry-run", "show what would change"],
    ["treelog repair session.jsonl", "repair it, and keep a backup"],
    ["treelog repair --migrate --all --dry-run", "which are of an old version"],
  ),
  blobs: exampleLines(
    ["treelog blobs ls", "list the blobs of the store"],
    ["treelog blobs verify", "check for damage"],
    ["treelog blobs gc", "show unreferenced blobs"],
    ["treelog blobs gc --apply", "remove them"],
  ),
  "blobs ls": exampleLines(
    ["treelog blobs ls", "hash, size and age"],
    ["treelog blobs ls --store omp", "the blobs of oh-my-pi"],
    ["treelog blobs ls --json | jq -r .hash | sort", "only the hashes"],
  ),
  "blobs inflate": exampleLines(
    ["treelog blobs inflate 01a1ffe2", "restore what slim moved"],
    ["treelog blobs inflate copy.jsonl --blobs ~/blobs", "from another folder"],
  ),
  "blobs slim": exampleLines(
    ["treelog blobs slim 01a1ffe2 --dry-run", "show what it would save"],
    ["treelog blobs slim 01a1ffe2", "move images and long texts out"],
  ),
  "blobs verify": exampleLines(
    ["treelog blobs verify", "read every blob"],
    ["treelog blobs verify --blobs ~/copy/blobs --json", "any folder, as JSON"],
  ),
  "blobs gc": exampleLines(
    ["treelog blobs gc", "show unreferenced blobs"],
    ["treelog blobs gc --apply", "move them to the trash"],
    ["treelog blobs gc --undo", "restore them"],
    ["treelog blobs gc --root ~/archive", "keep what these sessions reference, too"],
  ),
  export: exampleLines(
    ["treelog export -o talk.md", "the newest session, as Markdown"],
    ["treelog export --format text --no-tools", "without tool calls"],
    ["treelog export @last -o talk.jsonl", "lossless, for `treelog import`"],
    ["treelog export @last -o talk.html", "as a web page, in one file"],
  ),
  import: exampleLines(
    ["treelog import talk.jsonl", "where its header says"],
    ["treelog import sessions.tar.gz", "what `bundle` wrote"],
    ["treelog import all.tgz --map /home/me=/Users/me", "in other folders"],
    ["treelog import --from claude-code --all", "every session of Claude Code"],
    ["treelog import --from codex 0a1b --to pi", "one of Codex, into pi"],
    ["treelog import --from pi --to ~/backup --all", "a copy of pi's store"],
  ),
  bundle: exampleLines(
    ["treelog bundle --all -o sessions.tar.gz", "every session"],
    ["treelog bundle --project -o shop.tar.gz", "of this folder"],
    ["treelog bundle @last --redact -o talk.tar.gz", "without secrets"],
    ["treelog bundle --all -o - | ssh new treelog import -", "over the network"],
  ),
  scan: exampleLines(
    ["treelog scan", "the newest session of this folder"],
    ["treelog scan --all", "every session of the store"],
    ["treelog scan 01a1ffe2 --json", "a line of JSON for each"],
  ),
  store: exampleLines(
    ["treelog store migrate --store postgres://db/agents", "create or update tables"],
    ["treelog list --store postgres://db/agents", "then use it"],
    ["treelog store clean", "remove abandoned uploads"],
  ),
  "store migrate": exampleLines(
    ["treelog store migrate --store postgres://db/agents", "create or update tables"],
    ["treelog store migrate", "for $TREELOG_STORE"],
  ),
  "store clean": exampleLines(["treelog store clean --store postgres://db/agents", "remove abandoned uploads"]),
  delete: exampleLines(
    ["treelog delete 01a1ffe2", "one session, by the start of its id"],
    ["treelog delete @last @-2", "the two newest of this folder"],
    ["treelog delete --older-than 90d", "list what would go"],
    ["treelog delete --all --empty --apply", "sessions without a message"],
    ["treelog delete --all --max-size 2gb", "the oldest, down to a size"],
    ["treelog trash restore --last", "restore them"],
  ),
  trash: exampleLines(
    ["treelog trash ls", "list the trash"],
    ["treelog trash empty --older-than 30d", "show what would be removed for good"],
    ["treelog trash empty --apply", "remove everything in it for good"],
  ),
  "trash ls": exampleLines(
    ["treelog trash ls", "most recently deleted first"],
    ["treelog trash ls --cwd ~/shop", "of one project"],
    ["treelog trash ls --json | jq -r .path", "only the paths"],
  ),
  "trash restore": exampleLines(
    ["treelog trash restore --last", "undo the last delete"],
    ["treelog trash restore 01a1ffe2", "one session"],
  ),
  "trash empty": exampleLines(
    ["treelog trash empty", "show what would be removed"],
    ["treelog trash empty --older-than 30d --apply", "only what is older"],
  ),
  relocate: exampleLines(
    ["treelog relocate --from ~/shop --to ~/store", "show what would move"],
    ["treelog relocate --from ~/shop --to ~/store --apply", "move them"],
  ),
  config: exampleLines(
    ["treelog config set store pi", "store new sessions in pi"],
    ["treelog config set agents ./acme.js", "read the sessions of a further agent"],
  ),
  "config get": exampleLines(["treelog config get", "every setting"]),
  "config set": exampleLines(
    ["treelog config set store pi", "store new sessions in pi"],
    ["treelog config set agents ./acme.js", "read the sessions of a further agent"],
  ),
  "config unset": exampleLines(["treelog config unset store", "store them in treelog's own again"]),
  completion: exampleLines(
    ["treelog completion fish | source", "in ~/.config/fish/config.fish"],
    ['eval "$(treelog completion bash)"', "in ~/.bashrc"],
    ['eval "$(treelog completion zsh)"', "in ~/.zshrc, after compinit"],
  ),
} as const

/** Leaves the description to `helpStart`, which prints it first, and names commands without their arguments. */
export const helpLayout: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  commandDescription: () => "",
}

/** The first lines of --help: what the command is for, and examples, the most frequent use first. */
export function helpStart(name: keyof typeof examples): (context: { readonly command: Command }) => string {
  return ({ command }) => `${wrapped(command.description())}\n\n${examples[name]}`
}

/** Breaks a text into lines of at most 80 columns. */
function wrapped(text: string): string {
  return text.replace(/(.{1,80})(?: |$)/g, "$1\n").trimEnd()
}

/** One line each, for the list of commands. */
export const summaries = {
  list: "list sessions, newest first",
  resume: "find a session as you type, and continue it",
  show: "print a session as readable text",
  tree: "print the tree: branches, labels, compactions",
  context: "print what the model would get",
  stats: "count messages, tokens, cost and bytes",
  watch: "follow a live session",
  view: "show sessions in a browser",
  search: "find what was said; --prompts what you typed",
  files: "list sessions that read or changed a file",
  index: "show or rebuild the index that search uses",
  doctor: "say where sessions are, and whether they can be read",
  mcp: "let an agent search past sessions, over MCP",
  new: "create a session",
  append: "append a message",
  branch: "go back to an entry and start a new branch there",
  compact: "summarize all but the newest messages",
  fork: "copy a session, or the path to an entry",
  label: "label an entry",
  name: "name a session",
  verify: "check sessions for damage",
  repair: "repair a damaged session, or migrate an old one",
  blobs: "list, check and clean up stored images and long texts",
  "blobs ls": "list blobs",
  "blobs slim": "move images and long texts out of a session",
  "blobs inflate": "move images and long texts back into a session",
  "blobs verify": "check blobs for damage",
  "blobs gc": "remove unreferenced blobs",
  export: "write a session as Markdown, HTML, text, JSONL or JSON",
  import: "store sessions of a file, a bundle, an agent or another store",
  bundle: "write sessions into one archive",
  scan: "find secrets in sessions",
  config: "print and change settings",
  "config get": "print settings",
  "config set": "change a setting",
  "config unset": "remove a setting",
  store: "create and update the tables of a database",
  "store migrate": "create or update the tables",
  "store clean": "remove abandoned uploads",
  delete: "move sessions to the trash: named ones, old or empty ones",
  trash: "list, restore and empty what was deleted",
  "trash ls": "list the trash",
  "trash restore": "restore sessions from the trash",
  "trash empty": "remove trashed sessions for good",
  relocate: "move sessions to the new path of a renamed folder",
  completion: "print a completion script for a shell",
} as const

export const SEE_ALL_OPTIONS = `
Every command also takes --store, --agent-dir, --session-dir, --blobs, --cwd,
--all, --json, --no-color, --no-pager, --no-input, -q and --debug; see
\`treelog help all\`.`

export const SHELL_NOTES = `
Sessions: a SESSION is a path, an id, the start or end of an id, a name, @last
or @-2. A path contains a / or ends in .jsonl, and may be outside of a store.
Ids and names mean the same session from every folder; @last one of this folder.
Stores: treelog in $TREELOG_AGENT_DIR or ~/.treelog/agent, pi in
$PI_CODING_AGENT_DIR or ~/.pi/agent, xcsh in ~/.xcsh/agent, omp in
$XDG_DATA_HOME/omp or ~/.omp/agent.
Without --store or $TREELOG_STORE, commands work on all of them, and on those of
all other agents, which are only read; \`treelog doctor\` shows where they are.
\`treelog config\` names the store of new sessions,
$TREELOG_BLOBS where images are.
Passwords: $PGPASSWORD or ~/.pgpass; keys of S3: $AWS_ACCESS_KEY_ID and so on.
Commands that read sessions never change a store.
Exit codes: 0 ok, 1 failed, 2 usage or ambiguous, 3 not found, 4 damage or
secrets found, 5 locked, 6 nothing examined, 130 interrupted.`
