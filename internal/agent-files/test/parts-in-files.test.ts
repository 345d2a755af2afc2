import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { usageFields } from "@treelog-internal/agent-files"
import { type AgentDefinition, openAgentStorage, sessionFiles } from "@treelog-internal/agent-files/records"
import { expect, it, onTestFinished } from "vitest"

const agent: AgentDefinition = {
  place: { name: "acme", folders: [], sessions: "" },
  conversionVersion: 1,
  store: (options) =>
    sessionFiles(options, {
      paths: ["*.jsonl", "*/*.jsonl"],
      partOf: ([session, part]) => (part === undefined ? undefined : { of: `${session}.jsonl`, role: "subagent" }),
    }),
  converter: ({ id, writer }) => ({
    kindOf: () => "reply",
    record({ output }) {
      const usage = usageFields({ input: 0, output: Number(output), cacheRead: 0, cacheWrite: 0 })
      const model = { provider: "acme", model: "m", usage, stopReason: "stop" }
      writer.message({ id: "a", time: 1 }, { role: "assistant", content: [], ...model })
      return "converted"
    },
    end: () => ({ type: "session", id, timestamp: "2026-11-24T00:00:00.000Z", cwd: "/" }),
  }),
}

it("a session is listed with what its parts used, also where their files come after it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treelog-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  const paths = [join(dir, "a.jsonl"), join(dir, "a", "part.jsonl")]
  await mkdir(join(dir, "a"))
  for (const [index, path] of paths.entries()) await writeFile(path, `{"output":${index + 1}}\n`)
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {} })
  for (const path of paths) await storage.statContent(path)
  const listed = []
  for await (const { usages } of new SessionManager({ storage }).listAll()) listed.push(usages)
  expect(listed).toMatchObject([[{ usage: { output: 1 } }, { role: "subagent", usage: { output: 2 } }]])
})
