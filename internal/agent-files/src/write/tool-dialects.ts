import type { Json } from "../json.js"
import type { KnownTexts, Said } from "./file-patches.js"
import { countLines, nameLines } from "./line-ranges.js"

// Names and arguments of tools that several agents have in common. A tool that is not here keeps its name and its arguments, which every agent
// accepts: a call with wrong arguments under a name that the agent knows would be imitated by its model.

/** What tools do that several agents have. */
type Kind = "shell" | "read" | "image" | "write" | "edit" | "patch" | "search" | "glob" | "folder" | "fetch" | "web"

/** The name of an argument, and of a time its unit in milliseconds. */
type Argument = string | readonly [name: string, milliseconds: number]

interface Tool {
  readonly name: string
  /** Its arguments, by what they are in all agents. */
  readonly takes: Readonly<Record<string, Argument>>
  /** Arguments that say nothing of what is done, which another agent need not have; with `=false`, where that is their value. */
  readonly minor?: readonly string[]
  /** An argument that it has to have, and what it is made of where another agent has none. */
  readonly filled?: readonly [name: string, of: (said: Said) => unknown]
}

type Dialect = Partial<Record<Kind, Tool>>

/** As in Claude Code, and but for the path in Copilot CLI. */
const GREP = {
  ...{ pattern: "pattern", path: "path", glob: "glob", type: "type", mode: "output_mode", most: "head_limit" },
  ...{ ignoreCase: "-i", numbers: "-n", after: "-A", before: "-B", context: "-C", multiline: "multiline" },
}

const CLAUDE: Dialect = {
  shell: {
    name: "Bash",
    takes: { command: "command", timeout: "timeout", description: "description", background: "run_in_background" },
    minor: ["dangerouslyDisableSandbox=false"],
  },
  read: { name: "Read", takes: { path: "file_path", offset: "offset", limit: "limit", pages: "pages" } },
  write: { name: "Write", takes: { path: "file_path", content: "content" } },
  edit: { name: "Edit", takes: { path: "file_path", old: "old_string", new: "new_string", all: "replace_all" } },
  search: { name: "Grep", takes: GREP },
  glob: { name: "Glob", takes: { pattern: "pattern", path: "path" } },
  fetch: { name: "WebFetch", takes: { url: "url", prompt: "prompt" } },
  web: { name: "WebSearch", takes: { query: "query" } },
}

const PI: Dialect = {
  shell: { name: "bash", takes: { command: "command", timeout: ["timeout", 1000] } },
  read: { name: "read", takes: { path: "path", offset: "offset", limit: "limit" } },
  write: { name: "write", takes: { path: "path", content: "content" } },
  search: {
    name: "grep",
    takes: { pattern: "pattern", path: "path", glob: "glob", ignoreCase: "ignoreCase", context: "context" },
  },
  glob: { name: "find", takes: { pattern: "pattern", path: "path" } },
  folder: { name: "ls", takes: { path: "path" } },
}

const QWEN: Dialect = {
  shell: {
    name: "run_shell_command",
    takes: {
      command: "command",
      timeout: "timeout",
      directory: "directory",
      description: "description",
      background: "is_background",
    },
  },
  read: { name: "read_file", takes: { path: "file_path", skipped: "offset", limit: "limit", pages: "pages" } },
  write: { name: "write_file", takes: { path: "file_path", content: "content" } },
  edit: { name: "edit", takes: { path: "file_path", old: "old_string", new: "new_string", all: "replace_all" } },
  search: { name: "grep_search", takes: { pattern: "pattern", path: "path", glob: "glob" } },
  glob: { name: "glob", takes: { pattern: "pattern", path: "path" } },
  folder: { name: "list_directory", takes: { path: "path" } },
  fetch: { name: "web_fetch", takes: { url: "url", prompt: "prompt" } },
  web: { name: "web_search", takes: { query: "query" } },
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "claude-code": CLAUDE,
  codex: {
    shell: {
      name: "exec_command",
      takes: { command: "cmd", directory: "workdir" },
      minor: ["yield_time_ms", "max_output_tokens", "justification", "sandbox_permissions", "login", "tty=false"],
    },
    image: { name: "view_image", takes: { path: "path" } },
    patch: { name: "apply_patch", takes: { patch: "input" } },
  },
  opencode: {
    shell: {
      name: "bash",
      takes: { command: "command", timeout: "timeout", directory: "workdir", description: "description" },
    },
    read: { name: "read", takes: { path: "filePath", offset: "offset", limit: "limit" } },
    write: { name: "write", takes: { path: "filePath", content: "content" } },
    edit: { name: "edit", takes: { path: "filePath", old: "oldString", new: "newString", all: "replaceAll" } },
    patch: { name: "apply_patch", takes: { patch: "patchText" } },
    search: { name: "grep", takes: { pattern: "pattern", path: "path", glob: "include" } },
    glob: { name: "glob", takes: { pattern: "pattern", path: "path" } },
  },
  copilot: {
    shell: {
      name: "bash",
      takes: { command: "command", description: "description" },
      minor: ["initial_wait", "mode=sync"],
      filled: ["description", (said) => String(said.get("command")).split("\n")[0]],
    },
    read: { name: "view", takes: { path: "path", range: "view_range" } },
    write: { name: "create", takes: { path: "path", content: "file_text" } },
    edit: { name: "edit", takes: { path: "path", old: "old_str", new: "new_str" } },
    search: { name: "grep", takes: { ...GREP, path: "paths" } },
    glob: { name: "glob", takes: { pattern: "pattern", path: "paths" } },
  },
  gemini: {
    shell: {
      name: "run_shell_command",
      takes: { command: "command", description: "description", directory: "dir_path", background: "is_background" },
    },
    read: { name: "read_file", takes: { path: "file_path", start: "start_line", end: "end_line" } },
    write: { name: "write_file", takes: { path: "file_path", content: "content" } },
    edit: {
      name: "replace",
      takes: { path: "file_path", old: "old_string", new: "new_string", all: "allow_multiple" },
      minor: ["instruction"],
      filled: ["instruction", () => "Replace old_string by new_string."],
    },
    search: { name: "grep_search", takes: { pattern: "pattern", path: "dir_path", glob: "include_pattern" } },
    glob: { name: "glob", takes: { pattern: "pattern", path: "dir_path" } },
    folder: { name: "list_directory", takes: { path: "dir_path" } },
    web: { name: "google_web_search", takes: { query: "query" } },
  },
  qwen: QWEN,
  pi: PI,
  treelog: PI,
}

/** Tools of which another agent has none that takes the same, with their arguments; `*` stands behind those that they have to have. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": [
    "Agent description* prompt* subagent_type model effort run_in_background isolation",
    "Skill skill* args",
  ],
  codex: [
    "write_stdin session_id* chars yield_time_ms max_output_tokens",
    "get_goal",
    "update_goal status*",
    "update_plan plan* explanation",
  ],
  opencode: [
    "task description* prompt* subagent_type* task_id",
    "skill name*",
    "todowrite todos*",
    "question questions*",
  ],
  copilot: [
    "task description* prompt* agent_type* name* model reasoning_effort context_tier mode",
    "web_fetch url*",
    "skill skill*",
    "list_agents include_completed scope",
    "ask_user question*",
  ],
  gemini: [
    "web_fetch prompt*",
    "invoke_agent agent_name* prompt* wait_for_previous",
    "write_todos todos*",
    "ask_user questions*",
  ],
  qwen: [
    "agent description* prompt* subagent_type fork_turns fork_tools fork_profile run_in_background isolation working_dir",
    "skill skill* args",
    "list_agents",
    "get_goal",
    "update_goal status* reason* blockerKind",
    "todo_write todos*",
    "ask_user_question questions*",
  ],
}

/** Of a shell command, what it is called with that does not change what is run. */
const MINOR: ReadonlySet<string> = new Set(["timeout", "description"])

/** The longest name of a tool that every API accepts. Characters; others than letters, digits, `_` and `-` are none that every API does. */
const LONGEST_NAME = 64

/** What a call cannot do without. */
const REQUIRED: Readonly<Record<Kind, readonly string[]>> = {
  shell: ["command"],
  read: ["path"],
  image: ["path"],
  write: ["path", "content"],
  edit: ["path", "old", "new"],
  patch: ["patch"],
  search: ["pattern"],
  glob: ["pattern"],
  folder: ["path"],
  fetch: ["url", "prompt"],
  web: ["query"],
}

/** A call for another agent, and what became of it. */
export interface MappedCall {
  readonly name: string
  readonly args: Json
  /** `same`: both agents call it so. `renamed`: nothing is lost. `changed`: something is. `foreign`: the other agent does not know it. */
  readonly fate: "same" | "renamed" | "changed" | "foreign"
}

/** Whose calls are mapped for whom, and what is known where they stand. */
export interface CallMapping {
  /** The agent whose calls they are, such as `claude-code`. */
  readonly from: string
  readonly to: string
  /** The folder of the session: a command that runs in it needs no other. */
  readonly cwd: string
  /** The files that calls have read and written so far. */
  readonly texts: KnownTexts
}

/** A call in the names of another agent. */
export function mapCall(name: string, args: Json, mapping: CallMapping): MappedCall {
  const { from, to } = mapping
  if (from === to) return { name, args, fate: "same" }
  const shell = from === "codex" ? shellText(name, args) : undefined
  const called = shell ? { name: "exec_command", args: shell } : { name, args }
  const mapped = asCalled(called.name, called.args, mapping)
  if (mapped) return shell ? { ...mapped, fate: "changed" } : mapped
  // The other agent would take it for a call of its own tool: as it may be, or with wrong arguments.
  const taken = toolOf(to, name)
  const other = OTHERS[to]?.find((tool) => tool.split(" ")[0] === name)
  if (taken ? fits(args, ...taken) : other !== undefined && fitsOther(args, other)) return { name, args, fate: "same" }
  const own = taken || other !== undefined ? `${from.replaceAll("-", "_")}__${name}` : name
  const accepted = own.replace(/[^\w-]/g, "_").slice(0, LONGEST_NAME)
  return { name: accepted, args, fate: accepted === own ? "foreign" : "changed" }
}

/** What a call does; undefined where other agents have no such call, or not its arguments. */
export function meaningOf(
  agent: string,
  name: string,
  args: Json,
): { readonly kind: Kind; readonly said: Said; readonly isLess: boolean } | undefined {
  const source = toolOf(agent, name)
  if (!source) return undefined
  const [kind, { takes, minor = [] }] = source
  const said: Said = new Map()
  let isLess = false
  for (const [own, value] of Object.entries(args)) {
    const [meaning] = Object.entries(takes).find(([, each]) => nameOf(each) === own) ?? []
    if (meaning !== undefined) said.set(meaning, value)
    else if (isMinor(minor, own, value)) isLess = true
    else return undefined
  }
  return { kind, said, isLess }
}

function toolOf(agent: string, name: string): [Kind, Tool] | undefined {
  return Object.entries(DIALECTS[agent] ?? {}).find(([, tool]) => tool.name === name) as [Kind, Tool] | undefined
}

/** Whether arguments are those of a tool. */
function fits(args: Json, kind: Kind, { takes, minor = [], filled }: Tool): boolean {
  const names = Object.values(takes).map(nameOf)
  const required = REQUIRED[kind].map((meaning) => args[nameOf(takes[meaning] ?? meaning)])
  const isTaken = ([name, value]: [string, unknown]): boolean => names.includes(name) || isMinor(minor, name, value)
  const isThere = (value: unknown): boolean => typeof value === "string"
  return Object.entries(args).every(isTaken) && [...required, ...(filled ? [args[filled[0]]] : [])].every(isThere)
}

function fitsOther(args: Json, tool: string): boolean {
  const [, ...takes] = tool.split(" ")
  const isTaken = (name: string): boolean => takes.includes(name) || takes.includes(`${name}*`)
  return (
    Object.keys(args).every(isTaken) && takes.every((one) => !one.endsWith("*") || args[one.slice(0, -1)] !== undefined)
  )
}

function isMinor(minor: readonly string[], name: string, value: unknown): boolean {
  return minor.includes(name) || minor.includes(`${name}=${value}`)
}

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i

/** What a call is for an agent that has another kind of tool for it. */
function otherKind(to: string, kind: Kind, said: Said, texts: KnownTexts): { kind: Kind; said: Said } | undefined {
  const tools = DIALECTS[to] ?? {}
  if (kind === "patch") return texts.fromPatch(said)
  if (kind === "image" && tools.read) return { kind: "read", said }
  if (kind === "read" && tools.image && said.size === 1 && IMAGE.test(String(said.get("path"))))
    return { kind: "image", said }
  const patch = tools.patch && texts.toPatch(kind, said)
  return patch && { kind: "patch", said: patch }
}

/** Undefined where the other agent has no such tool, or not with these arguments. */
function asCalled(name: string, args: Json, { from, to, cwd, texts }: CallMapping): MappedCall | undefined {
  const meant = meaningOf(from, name, args)
  const source = toolOf(from, name)
  if (!meant || !source || REQUIRED[meant.kind].some((meaning) => typeof meant.said.get(meaning) !== "string"))
    return undefined
  const other = DIALECTS[to]?.[meant.kind] ? meant : otherKind(to, meant.kind, meant.said, texts)
  const target = other && DIALECTS[to]?.[other.kind]
  if (!other || !target) return undefined
  const { kind, said } = other
  // Copilot CLI searches several folders at once.
  if (Array.isArray(said.get("path")) && to !== "copilot") return undefined
  const [, { takes }] = source
  let isLess = meant.isLess || (kind === "patch") !== (meant.kind === "patch")
  if (kind === "read") {
    countLines(said)
    if (!nameLines(said, target.takes)) return undefined
  }
  for (const [meaning, value] of said) {
    const place = target.takes[meaning]
    if (place !== undefined) said.set(meaning, inUnit(value, takes[meaning] ?? meaning, place))
    else if (meaning === "background" || meaning === "all" ? value === false : MINOR.has(meaning)) {
      isLess = true
      said.delete(meaning)
    } else if (meaning === "directory") isLess = true
    else return undefined
  }
  const directory = said.get("directory")
  if (typeof directory === "string" && target.takes.directory === undefined) {
    said.delete("directory")
    if (directory !== cwd) said.set("command", `cd '${directory.replaceAll("'", "'\\''")}' && ${said.get("command")}`)
  }
  const mapped: Json = Object.fromEntries(
    [...said].map(([meaning, value]) => [nameOf(target.takes[meaning] ?? meaning), value]),
  )
  const [filled, made] = target.filled ?? []
  if (filled !== undefined && mapped[filled] === undefined) {
    isLess = true
    mapped[filled] = made?.(said)
  }
  return { name: target.name, args: mapped, fate: isLess ? "changed" : "renamed" }
}

/** A command that Codex runs in a shell of its own, as a list of words. */
function shellText(name: string, args: Json): Json | undefined {
  if (name !== "shell" && name !== "local_shell") return undefined
  const { command, workdir, working_directory: directory = workdir } = args
  const isShell =
    Array.isArray(command) && command.length === 3 && /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|z)?sh$/.test(String(command[0]))
  if (!isShell || !/^-l?c$/.test(String(command[1]))) return undefined
  return { cmd: String(command[2]), ...(typeof directory === "string" && { workdir: directory }) }
}

function nameOf(argument: Argument): string {
  return typeof argument === "string" ? argument : argument[0]
}

function inUnit(value: unknown, from: Argument, to: Argument): unknown {
  const [own, other] = [from, to].map((argument) => (typeof argument === "string" ? 1 : argument[1])) as [
    number,
    number,
  ]
  return typeof value === "number" && own !== other ? (value * own) / other : value
}
