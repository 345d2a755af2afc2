import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { agentOfFile } from "@treelog/stores"
import { expect, onTestFinished, test } from "vitest"

const start = { sessionId: "s", producer: "copilot-agent", copilotVersion: "1.0.102" }

test.each([
  ["claude-code", { parentUuid: null, sessionId: "s", type: "user", message: { role: "user", content: "Hi" } }],
  ["codex", { timestamp: "2026-11-20T09:00:00.000Z", type: "session_meta", payload: { id: "s" } }],
  ["copilot", { type: "session.start", data: start }],
  ["vscode", { type: "session.start", data: { ...start, vscodeVersion: "1.123.0" } }],
  ["gemini", { sessionId: "s", projectHash: "abc" }],
  ["qwen", { parentUuid: null, sessionId: "s", type: "user", message: { role: "user", parts: [{ text: "Hi" }] } }],
  ["kimi", { type: "metadata", protocol_version: "1.5", created_at: 1 }],
  ["droid", { type: "session_start", id: "s", title: "Hi", owner: "unknown", version: 2, cwd: "/shop" }],
  [undefined, { type: "session", version: 3, id: "s", cwd: "" }],
])(
  "a file of %s is known by its first line, with and without spaces between names and values",
  async (agent, first) => {
    const folder = await mkdtemp(join(tmpdir(), "treelog-stores-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, "file.jsonl")
    const spaced = JSON.stringify(first, null, 1)
      .replace(/\n */g, " ")
      .replace(/([{[]) | (?=[}\]])/g, "$1")
    for (const line of [JSON.stringify(first), spaced]) {
      await writeFile(path, `${line}\n`)
      expect(await agentOfFile(path), line).toBe(agent)
    }
  },
)
