import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type SessionInfo, SessionManager } from "@treelog/session-core"
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

it("a session is listed with what its parts used, also where their files come after it, and before anything was opened", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treelog-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  const write = (name: string, output: number) => writeFile(join(dir, name), `{"output":${output}}\n`)
  await mkdir(join(dir, "a"))
  await write("a.jsonl", 1)
  await write("a/part.jsonl", 2)
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {} })
  const listed = async (): Promise<string[][]> => {
    const found = []
    for await (const info of new SessionManager({ storage }).listAll()) found.push(outputs(info))
    return found
  }
  expect(await listed()).toEqual([["1", "2 of subagent"]])
  await write("a/later.jsonl", 3)
  expect(await listed()).toEqual([["1", "2 of subagent", "3 of subagent"]])
})

function outputs({ usages = [] }: SessionInfo): string[] {
  return usages.map(({ role, usage }) => `${usage.output}${role === undefined ? "" : ` of ${role}`}`).sort()
}
