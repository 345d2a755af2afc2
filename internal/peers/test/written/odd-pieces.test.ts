import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeAgentSession } from "@treelog/agents"
import { writeClaudeCode } from "@treelog/agents/claude-code"
import { writeCodex } from "@treelog/agents/codex"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { assistantMessage } from "@treelog-internal/test-kit"
import { everyKindSession } from "@treelog-internal/test-kit/generator"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { afterEach, beforeEach, expect, it } from "vitest"

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "written-"))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

it("has what Codex reported to its model, and not what it says to each", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  const report = '<subagent_notification>\n{"status":"done"}\n</subagent_notification>'
  const say = (content: string) => source.appendCustomMessageEntry("codex.context", content, false)
  say("<environment_context>\n<cwd>/srv/shop</cwd>\n</environment_context>")
  source.appendMessage({ role: "user", content: "Split the work", timestamp: 1 })
  say(report)
  const { path, receipt } = await writeAgentSession("qwen", source, { dir, from: "codex" })
  const text = await readFile(path, "utf8")
  expect(text).toContain(JSON.stringify(report))
  expect(text).not.toContain("environment_context")
  expect(receipt.text).toMatchObject({ source: 3, partial: 1, dropped: 1 })
})

it("has names of tools that every API accepts", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  source.appendMessage({ role: "user", content: "Search", timestamp: 1 })
  const call = { type: "toolCall", id: "call_1", name: "調べる/all", arguments: {} } as const
  source.appendMessage({ ...assistantMessage(""), content: [call] })
  const { path, receipt } = await writeAgentSession("qwen", source, { dir, from: "treelog" })
  expect(await readFile(path, "utf8")).toContain('"name":"____all"')
  expect(receipt.calls).toMatchObject({ source: 1, partial: 1 })
})

it("has a command of Copilot CLI without how long that waits for it, and one that goes on behind under its own name", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  source.appendMessage({ role: "user", content: "Run it", timestamp: 1 })
  const content = [{ initial_wait: 90 }, { mode: "async" }].map((more, at) => ({
    ...{ type: "toolCall" as const, id: `call_${at}`, name: "bash", arguments: { command: "ls", ...more } },
  }))
  source.appendMessage({ ...assistantMessage(""), content })
  const { path } = await writeAgentSession("qwen", source, { dir, from: "copilot" })
  const text = await readFile(path, "utf8")
  expect(text).toContain('"name":"run_shell_command","args":{"command":"ls"}')
  expect(text).toContain('"name":"bash","args":{"command":"ls","mode":"async"}')
})

it("counts texts that Copilot CLI joins, and that it and Claude Code say before calls", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  const said = (text: string) => ({ type: "text", text }) as const
  const call = { type: "toolCall", id: "call_1", name: "Look", arguments: {} } as const
  source.appendMessage({ role: "user", content: [said("One"), said("Two")], timestamp: 1 })
  source.appendMessage({ ...assistantMessage(""), content: [call, said("Three")] })
  source.appendMessage({ ...assistantMessage(""), content: [said("Four"), { ...call, id: "call_2" }] })
  const options = { dir, from: "treelog", dryRun: true }
  const claude = await writeClaudeCode(source, options)
  expect(claude.receipt.text).toMatchObject({ source: 3, preserved: 2, partial: 1 })
  const copilot = await writeAgentSession("copilot", source, options)
  expect(copilot.receipt.text).toMatchObject({ source: 3, preserved: 1, partial: 2 })
})

it("has calls of its own agent as they were, also with what that agent alone says of them", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  source.appendMessage({ role: "user", content: "Change it", timestamp: 1 })
  const calls = [
    ["replace", { file_path: "a", old_string: "b", new_string: "c", instruction: "d" }],
    ["run_shell_command", { command: "ls", is_background: false }],
    ["run_shell_command", { command: "serve", is_background: true }],
  ] as const
  const content = calls.map(([name, args], at) => ({
    type: "toolCall" as const,
    id: `call_${at}`,
    name,
    arguments: args,
  }))
  source.appendMessage({ ...assistantMessage(""), content })
  const textOf = async (from: string) =>
    readFile((await writeAgentSession("gemini", source, { dir, from })).path, "utf8")
  expect(await textOf("codex")).toContain('"name":"replace"')
  const { path } = await writeCodex(source, { dir, from: "qwen" })
  const names = [...(await readFile(path, "utf8")).matchAll(/"type":"function_call","name":"(\w+)"/g)].map(
    ([, name]) => name,
  )
  expect(names).toEqual(["replace", "exec_command", "run_shell_command"])
})

it.each([
  ["copilot", false, "Copilot sends no pictures of results"],
  ["claude-code", true, "not sent with a call that failed"],
] as const)("says in %s that a result was a picture, where no model gets it", async (agent, isError, reason) => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  source.appendMessage({ role: "user", content: "Look", timestamp: 1 })
  const calls = ["call_1", "call_2"].map((id) => ({ type: "toolCall" as const, id, name: "Look", arguments: {} }))
  source.appendMessage({ ...assistantMessage(""), content: calls })
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const
  const answer = (toolCallId: string, ...content: readonly (typeof image | { type: "text"; text: string })[]) =>
    source.appendMessage({
      role: "toolResult",
      toolCallId,
      toolName: "Look",
      content: [...content],
      isError,
      timestamp: 1,
    })
  answer("call_1", image)
  answer("call_2", { type: "text", text: "A pixel." }, image)
  const options = { dir, from: "treelog" }
  const { path, receipt } = await (agent === "copilot"
    ? writeAgentSession(agent, source, options)
    : writeClaudeCode(source, options))
  const text = await readFile(path, "utf8")
  expect(text.split(`[Image left out: ${reason}.]`)).toHaveLength(2)
  expect(text).toContain("A pixel.")
  expect(receipt.results).toMatchObject({ source: 2, preserved: 1, partial: 1 })
  expect(receipt.images).toMatchObject({ source: 2, evidence: 2 })
})

/** Fields that link entries, or say what they are. */
const LINKS = ["type", "id", "parentId", "timestamp", "role", "targetId", "fromId", "firstKeptEntryId"]

it.each(["gemini", "qwen", "copilot", "claude-code", "codex"] as const)(
  "counts what goes to %s in a receipt that has no word of the session",
  async (agent) => {
    const [{ text: secret, core }] = plantedSecrets(1) as [ReturnType<typeof plantedSecrets>[number]]
    const [header, ...entries] = everyKindSession(5, 60).lines.map((line) =>
      JSON.parse(line, (key, value) =>
        typeof value === "string" && !LINKS.includes(key) ? `${value} ${secret}` : value,
      ),
    )
    const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop", {
      header,
      entries,
    })
    const options = { dir, from: "treelog", dryRun: true }
    const write = { "claude-code": writeClaudeCode, codex: writeCodex }
    const { receipt } = await (agent === "claude-code" || agent === "codex"
      ? write[agent](source, options)
      : writeAgentSession(agent, source, options))
    expect(receipt.text.source).toBeGreaterThan(10)
    expect(JSON.stringify(receipt)).not.toContain(core)
  },
)
