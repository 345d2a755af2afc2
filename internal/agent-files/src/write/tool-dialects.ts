import type { Json } from "../json.js"
import { countLines, nameLines } from "./line-ranges.js"

// Names and arguments of tools that several agents have in common. A tool that is not here keeps its name and its arguments, which every agent
// accepts: a call with wrong arguments under a name that the agent knows would be imitated by its model.

/** What tools do that several agents have. */
type Kind = "shell" | "read" | "image" | "write" | "edit" | "search" | "glob"

/** The name of an argument, and of a time its unit in milliseconds. */
type Argument = string | readonly [name: string, milliseconds: number]

interface Tool {
  readonly name: string
  /** Its arguments, by what they are in all agents. */
  readonly takes: Readonly<Record<string, Argument>>
  /** Arguments that say nothing of what is done, which another agent need not have; with `=false`, where that is their value. */
  readonly minor?: readonly string[]
}

type Dialect = Partial<Record<Kind, Tool>>

const CLAUDE: Dialect = {
  shell: { name: "Bash", takes: { command: "command", timeout: "timeout", description: "description" } },
  read: { name: "Read", takes: { path: "file_path", offset: "offset", limit: "limit" } },
  write: { name: "Write", takes: { path: "file_path", content: "content" } },
  edit: { name: "Edit", takes: { path: "file_path", old: "old_string", new: "new_string", all: "replace_all" } },
  search: { name: "Grep", takes: { pattern: "pattern", path: "path", glob: "glob", ignoreCase: "-i", context: "-C" } },
  glob: { name: "Glob", takes: { pattern: "pattern", path: "path" } },
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
}

const QWEN: Dialect = {
  shell: {
    name: "run_shell_command",
    takes: { command: "command", timeout: "timeout", description: "description" },
    minor: ["is_background=false"],
  },
  read: { name: "read_file", takes: { path: "file_path", skipped: "offset", limit: "limit" } },
  write: { name: "write_file", takes: { path: "file_path", content: "content" } },
  edit: { name: "edit", takes: { path: "file_path", old: "old_string", new: "new_string", all: "replace_all" } },
  search: { name: "grep_search", takes: { pattern: "pattern", path: "path", glob: "glob" } },
  glob: { name: "glob", takes: { pattern: "pattern", path: "path" } },
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "claude-code": CLAUDE,
  codex: {
    shell: {
      name: "exec_command",
      takes: { command: "cmd", directory: "workdir" },
      minor: ["yield_time_ms", "max_output_tokens"],
    },
    image: { name: "view_image", takes: { path: "path" } },
  },
  opencode: {
    shell: {
      name: "bash",
      takes: { command: "command", timeout: "timeout", directory: "workdir", description: "description" },
    },
    read: { name: "read", takes: { path: "filePath", offset: "offset", limit: "limit" } },
    write: { name: "write", takes: { path: "filePath", content: "content" } },
    edit: { name: "edit", takes: { path: "filePath", old: "oldString", new: "newString", all: "replaceAll" } },
    search: { name: "grep", takes: { pattern: "pattern", path: "path", glob: "include" } },
    glob: { name: "glob", takes: { pattern: "pattern", path: "path" } },
  },
  copilot: {
    shell: {
      name: "bash",
      takes: { command: "command", description: "description" },
      minor: ["initial_wait", "mode=sync"],
    },
    read: { name: "view", takes: { path: "path", range: "view_range" } },
    write: { name: "create", takes: { path: "path", content: "file_text" } },
    edit: { name: "edit", takes: { path: "path", old: "old_str", new: "new_str" } },
  },
  gemini: {
    shell: {
      name: "run_shell_command",
      takes: { command: "command", description: "description", directory: "dir_path" },
    },
    read: { name: "read_file", takes: { path: "file_path", start: "start_line", end: "end_line" } },
    write: { name: "write_file", takes: { path: "file_path", content: "content" } },
    edit: {
      name: "replace",
      takes: { path: "file_path", old: "old_string", new: "new_string", all: "allow_multiple" },
      minor: ["instruction"],
    },
    glob: { name: "glob", takes: { pattern: "pattern", path: "dir_path" } },
  },
  qwen: QWEN,
  pi: PI,
  treelog: PI,
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
  search: ["pattern"],
  glob: ["pattern"],
}

/** A call for another agent, and what became of it. */
export interface MappedCall {
  readonly name: string
  readonly args: Json
  /** `same`: both agents call it so. `renamed`: nothing is lost. `changed`: something is. `foreign`: the other agent does not know it. */
  readonly fate: "same" | "renamed" | "changed" | "foreign"
}

/**
 * A call in the names of another agent.
 * @param from the agent whose call it is, such as `claude-code`
 * @param cwd the folder of the session: a command that runs in it needs no other
 */
export function mapCall(from: string, to: string, name: string, args: Json, cwd: string): MappedCall {
  if (from === to) return { name, args, fate: "same" }
  const shell = from === "codex" ? shellText(name, args) : undefined
  const called = shell ? { name: "exec_command", args: shell } : { name, args }
  const mapped = asCalled(from, to, called.name, called.args, cwd)
  if (mapped) return shell ? { ...mapped, fate: "changed" } : mapped
  // The other agent would take it for a call of its own tool: as it may be, or with wrong arguments.
  const taken = Object.entries(DIALECTS[to] ?? {}).find(([, tool]) => tool.name === name)
  if (taken && fits(args, ...(taken as [Kind, Tool]))) return { name, args, fate: "same" }
  const own = taken === undefined ? name : `${from.replaceAll("-", "_")}__${name}`
  const accepted = own.replace(/[^\w-]/g, "_").slice(0, LONGEST_NAME)
  return { name: accepted, args, fate: accepted === own ? "foreign" : "changed" }
}

/** Whether arguments are those of a tool. */
function fits(args: Json, kind: Kind, { takes, minor = [] }: Tool): boolean {
  const names = Object.values(takes).map(nameOf)
  const required = REQUIRED[kind].map((meaning) => args[nameOf(takes[meaning] ?? meaning)])
  const isTaken = ([name, value]: [string, unknown]): boolean => names.includes(name) || isMinor(minor, name, value)
  return Object.entries(args).every(isTaken) && required.every((value) => typeof value === "string")
}

function isMinor(minor: readonly string[], name: string, value: unknown): boolean {
  return minor.includes(name) || minor.includes(`${name}=${value}`)
}

function asCalled(from: string, to: string, name: string, args: Json, cwd: string): MappedCall | undefined {
  const source = Object.entries(DIALECTS[from] ?? {}).find(([, tool]) => tool.name === name)
  if (!source) return undefined
  const [kind, { takes, minor = [] }] = source as [Kind, Tool]
  const target = DIALECTS[to]?.[kind] ?? (kind === "image" ? DIALECTS[to]?.read : undefined)
  if (!target) return undefined
  const said = new Map<string, unknown>()
  let isLess = false
  for (const [own, value] of Object.entries(args)) {
    const [meaning] = Object.entries(takes).find(([, each]) => nameOf(each) === own) ?? []
    if (meaning !== undefined) said.set(meaning, value)
    else if (isMinor(minor, own, value)) isLess = true
    else return undefined
  }
  if (kind === "read") {
    countLines(said)
    if (!nameLines(said, target.takes)) return undefined
  }
  for (const [meaning, value] of said) {
    const place = target.takes[meaning]
    if (place !== undefined) said.set(meaning, inUnit(value, takes[meaning] ?? meaning, place))
    else if (meaning !== "directory" && !MINOR.has(meaning)) return undefined
    else {
      isLess = true
      if (meaning !== "directory") said.delete(meaning)
    }
  }
  if (REQUIRED[kind].some((meaning) => typeof said.get(meaning) !== "string")) return undefined
  const directory = said.get("directory")
  if (typeof directory === "string" && target.takes.directory === undefined) {
    said.delete("directory")
    if (directory !== cwd) said.set("command", `cd '${directory.replaceAll("'", "'\\''")}' && ${said.get("command")}`)
  }
  const mapped = [...said].map(([meaning, value]) => [nameOf(target.takes[meaning] ?? meaning), value])
  return { name: target.name, args: Object.fromEntries(mapped), fate: isLess ? "changed" : "renamed" }
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
