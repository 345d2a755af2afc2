import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeAgentSession } from "@treelog/agents"
import { writeClaudeCode } from "@treelog/agents/claude-code"
import { writeCodex } from "@treelog/agents/codex"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { assistantMessage } from "@treelog-internal/test-kit"
import { array, assert, asyncProperty, constantFrom, nat, string } from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

type Json = Record<string, unknown>

const CWD = "/srv/shop"

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "written-tools-"))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

interface Call {
  readonly name: string
  readonly args: Json
  readonly result?: string
  readonly isError?: boolean
}

/** The calls of a session in the names of another agent. */
async function written(from: string, to: string, ...calls: readonly Call[]): Promise<{ name: string; args: Json }[]> {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(CWD)
  source.appendMessage({ role: "user", content: "Do it.", timestamp: 1 })
  for (const [at, { name, args, result = "Done", isError = false }] of calls.entries()) {
    const call = { type: "toolCall" as const, id: `call_${at}`, name, arguments: args }
    source.appendMessage({ ...assistantMessage(""), content: [call] })
    const content = [{ type: "text" as const, text: result }]
    source.appendMessage({ role: "toolResult", toolCallId: call.id, toolName: name, content, isError, timestamp: 1 })
  }
  const options = { dir, from }
  const { path } = await (to === "codex"
    ? writeCodex(source, options)
    : to === "claude-code"
      ? writeClaudeCode(source, options)
      : writeAgentSession(to as "gemini", source, options))
  const lines = (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  await rm(path)
  return lines.flatMap(({ payload, message, data, toolCalls }) => {
    if (payload?.type === "function_call") return [{ name: payload.name, args: JSON.parse(payload.arguments) }]
    if (payload?.type === "custom_tool_call") return [{ name: payload.name, args: { input: payload.input } }]
    const blocks: Json[] = message?.parts?.flatMap((part: Json) => part.functionCall ?? []) ?? message?.content ?? []
    const uses = Array.isArray(blocks)
      ? blocks.filter(({ type, args }) => type === "tool_use" || args !== undefined)
      : []
    return [...uses, ...(toolCalls ?? []), ...(data?.toolRequests ?? [])].map((use: Json) => ({
      name: String(use.name),
      args: (use.input ?? use.args ?? use.arguments) as Json,
    }))
  })
}

const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

describe("a call in the names of another agent", () => {
  it.each<[string, string, Call, { name: string; args: Json }]>([
    [
      "claude-code",
      "qwen",
      { name: "Bash", args: { command: "ls", run_in_background: false } },
      { name: "run_shell_command", args: { command: "ls", is_background: false } },
    ],
    [
      "claude-code",
      "codex",
      { name: "Bash", args: { command: "ls", run_in_background: false } },
      { name: "exec_command", args: { cmd: "ls" } },
    ],
    [
      "claude-code",
      "codex",
      { name: "Bash", args: { command: "ls", run_in_background: true } },
      { name: "Bash", args: { command: "ls", run_in_background: true } },
    ],
    [
      "codex",
      "qwen",
      { name: "exec_command", args: { cmd: "ls", workdir: "/srv" } },
      { name: "run_shell_command", args: { command: "ls", directory: "/srv" } },
    ],
    [
      "codex",
      "copilot",
      { name: "exec_command", args: { cmd: "ls\npwd" } },
      { name: "bash", args: { command: "ls\npwd", description: "ls" } },
    ],
    [
      "claude-code",
      "qwen",
      { name: "Read", args: { file_path: "a.pdf", pages: "1-2" } },
      { name: "read_file", args: { file_path: "a.pdf", pages: "1-2" } },
    ],
    [
      "claude-code",
      "gemini",
      { name: "Read", args: { file_path: "a.pdf", pages: "1-2" } },
      { name: "Read", args: { file_path: "a.pdf", pages: "1-2" } },
    ],
    [
      "claude-code",
      "gemini",
      { name: "Edit", args: { file_path: "a", old_string: "b", new_string: "c" } },
      {
        name: "replace",
        args: { file_path: "a", old_string: "b", new_string: "c", instruction: "Replace old_string by new_string." },
      },
    ],
    [
      "claude-code",
      "copilot",
      { name: "Edit", args: { file_path: "a", old_string: "b", new_string: "c", replace_all: false } },
      { name: "edit", args: { path: "a", old_str: "b", new_str: "c" } },
    ],
    [
      "claude-code",
      "copilot",
      { name: "Grep", args: { pattern: "a", path: "src", output_mode: "content", "-n": true } },
      { name: "grep", args: { pattern: "a", paths: "src", output_mode: "content", "-n": true } },
    ],
    [
      "claude-code",
      "gemini",
      { name: "Grep", args: { pattern: "a", "-i": true } },
      { name: "Grep", args: { pattern: "a", "-i": true } },
    ],
    [
      "opencode",
      "copilot",
      { name: "grep", args: { pattern: "a", include: "*.ts" } },
      { name: "grep", args: { pattern: "a", glob: "*.ts" } },
    ],
    [
      "copilot",
      "claude-code",
      { name: "grep", args: { pattern: "a", paths: ["src", "test"] } },
      { name: "grep", args: { pattern: "a", paths: ["src", "test"] } },
    ],
    [
      "gemini",
      "qwen",
      { name: "list_directory", args: { dir_path: "src" } },
      { name: "list_directory", args: { path: "src" } },
    ],
    [
      "gemini",
      "qwen",
      { name: "web_fetch", args: { prompt: "Read https://example.org" } },
      { name: "gemini__web_fetch", args: { prompt: "Read https://example.org" } },
    ],
    [
      "opencode",
      "copilot",
      { name: "task", args: { description: "Look", prompt: "Look", subagent_type: "general" } },
      { name: "opencode__task", args: { description: "Look", prompt: "Look", subagent_type: "general" } },
    ],
    ["claude-code", "qwen", { name: "WebSearch", args: { query: "a" } }, { name: "web_search", args: { query: "a" } }],
    [
      "claude-code",
      "codex",
      { name: "Agent", args: { description: "Look", prompt: "Look" } },
      { name: "Agent", args: { description: "Look", prompt: "Look" } },
    ],
    [
      "codex",
      "copilot",
      { name: "apply_patch", args: { input: patch("*** Delete File: a") } },
      { name: "apply_patch", args: { input: patch("*** Delete File: a") } },
    ],
    [
      "opencode",
      "codex",
      { name: "apply_patch", args: { patchText: patch("*** Delete File: a") } },
      { name: "apply_patch", args: { input: patch("*** Delete File: a") } },
    ],
  ])("has the arguments that its tool takes, or a name of its own (%s to %s: %o)", async (from, to, call, expected) => {
    expect(await written(from, to, call)).toEqual([expected])
  })
})

describe("a patch of Codex", () => {
  const add = { name: "apply_patch", args: { input: patch("*** Add File: src/a.ts", "+one", "+two") } }
  const update = (...lines: readonly string[]): Call => ({
    name: "apply_patch",
    args: { input: patch("*** Update File: src/a.ts", "@@", ...lines) },
  })

  it("becomes a call that writes a file, or changes text that is known to be there", async () => {
    const path = `${CWD}/src/a.ts`
    expect(await written("codex", "claude-code", add, update(" one", "-two", "+three"), update("-one"))).toEqual([
      { name: "Write", args: { file_path: path, content: "one\ntwo\n" } },
      { name: "Edit", args: { file_path: path, old_string: "one\ntwo", new_string: "one\nthree" } },
      { name: "Edit", args: { file_path: path, old_string: "one\n", new_string: "" } },
    ])
  })

  it.each([
    ["the file is not known", [update("-two", "+three")]],
    ["the lines are not there", [add, update("-three", "+four")]],
    ["it did not succeed", [{ ...add, isError: true }, update("-two", "+three")]],
    ["it is of two places", [add, update("-one", "+1", "@@", "-two", "+2")]],
  ])("stays one where %s", async (_, calls: readonly Call[]) => {
    const last = calls.at(-1)
    expect((await written("codex", "claude-code", ...calls)).at(-1)).toEqual({ name: "apply_patch", args: last?.args })
  })
})

describe("a call that changes a file, for Codex", () => {
  const read = (text: string): Call => ({
    name: "Read",
    args: { file_path: `${CWD}/a.txt` },
    result: text
      .split("\n")
      .map((line, at) => `${at + 1}\t${line}`)
      .join("\n"),
  })
  const edit = (old_string: string, new_string: string, more: Json = {}): Call => ({
    name: "Edit",
    args: { file_path: `${CWD}/a.txt`, old_string, new_string, ...more },
  })

  it("is a patch of the whole lines that are known, and of a new file", async () => {
    const write = { name: "Write", args: { file_path: `${CWD}/b.txt`, content: "one\n\ntwo\n" } }
    expect(await written("claude-code", "codex", read("  a = 1;\n  b = 2;"), edit("a = 1", "a = 3"), write)).toEqual([
      { name: "Read", args: { file_path: `${CWD}/a.txt` } },
      { name: "apply_patch", args: { input: patch("*** Update File: a.txt", "@@", "-  a = 1;", "+  a = 3;") } },
      { name: "apply_patch", args: { input: patch("*** Add File: b.txt", "+one", "+", "+two") } },
    ])
  })

  it.each([
    ["the lines are not known", edit("a", "b")],
    ["it changes all places", edit("a", "b", { replace_all: true })],
    ["the file is elsewhere", { name: "Write", args: { file_path: "/etc/b.txt", content: "one\n" } }],
    ["a file ends within a line", { name: "Write", args: { file_path: `${CWD}/b.txt`, content: "one" } }],
  ])("keeps its name where %s", async (_, call: Call) => {
    expect(await written("claude-code", "codex", call)).toEqual([{ name: call.name, args: call.args }])
  })

  it("gives the text that the call gave, whatever is changed", async () => {
    const line = array(constantFrom("a", "b", " ", "é", "$&"), { maxLength: 4 }).map((parts) => parts.join(""))
    await assert(
      asyncProperty(
        array(line, { minLength: 1, maxLength: 6 }),
        nat(),
        nat(),
        string({ unit: constantFrom("x", "\n", "$&") }),
        async (lines, from, length, next) => {
          const text = lines.map((one) => `${one}\n`).join("")
          const start = from % (text.length + 1)
          const old = text.slice(start, start + (length % 8))
          const calls = await written("claude-code", "codex", read(lines.join("\n")), edit(old, next))
          const { name, args } = calls[1] ?? {}
          const isOnce = old !== "" && text.indexOf(old) === text.lastIndexOf(old)
          const isLast = start + old.length === text.length
          if (!(isOnce && isLast)) expect(name).toBe(isOnce ? "apply_patch" : "Edit")
          if (name === "apply_patch") expect(patched(lines, String(args?.input))).toBe(text.replace(old, () => next))
        },
      ),
      { numRuns: 150 },
    )
  })
})

/** What a patch of one place makes of lines that are there once. */
function patched(lines: readonly string[], input: string): string {
  const hunk = input.split("\n").slice(3, -1)
  const of = (mark: string): string[] => hunk.filter((line) => line.startsWith(mark)).map((line) => line.slice(1))
  const old = of("-")
  const places = lines.map((_, at) => at).filter((at) => old.every((line, more) => lines[at + more] === line))
  expect(places).toHaveLength(1)
  const changed = [...lines.slice(0, places[0]), ...of("+"), ...lines.slice((places[0] ?? 0) + old.length)]
  return changed.map((one) => `${one}\n`).join("")
}
