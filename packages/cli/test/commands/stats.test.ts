import { rmSync, statSync } from "node:fs"
import { assistantMessage, messageEntry, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { AGENT_SAMPLES, agentSession } from "../agent-samples.js"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"

test("counts messages and entries, and the bytes of the session, its artifacts and its blobs", async () => {
  const box = sandbox()
  const blob = `blob:sha256:${storeBlob(box, "x".repeat(2048))}`
  const path = box.store([...sampleEntries(), imageEntry("bbbb0001", "aaaa000d", blob), imageEntry("b2", null, blob)])
  box.write(`${path.slice(box.folder.length, -".jsonl".length)}/deep/out.txt`, "x".repeat(4096))
  expect(withoutTimes(await box.print("stats", "@last"))).toMatchInlineSnapshot(`
    "messages   10 (user 5, assistant 3, toolResult 1, bashExecution 1)
    entries    15
    time       TIME to TIME
    files      0 modified, 1 only read
    session    4 KB
    artifacts  4 KB
    blobs      2 KB (1 blob)
    total      10 KB"
  `)
  expect(await box.print("stats", "@last", "--disk")).toMatchInlineSnapshot(`
    "session    4 KB
    artifacts  4 KB
    blobs      2 KB (1 blob)
    total      10 KB"
  `)
})

test("of no named session, what is of one session says which it is", async () => {
  const box = sandbox()
  const path = box.store([userEntry("u1", null)])
  const said = async (...argv: string[]) => (await box.run(["stats", ...argv])).stderr
  for (const argv of [["--files"], ["--by", "tool"]]) {
    expect(await said(...argv)).toBe(`The newest session: ${path}\n`)
    expect(await said("@last", ...argv)).toBe("")
  }
})

test("names the blobs that are missing, and counts each once", async () => {
  const box = sandbox()
  const blob = `blob:sha256:${storeBlob(box, "bytes")}`
  box.store([imageEntry("one", null, blob), imageEntry("two", "one", blob)])
  expect((await box.run(["stats", "@last", "--json"])).json[0]).toMatchObject({
    messages: 2,
    disk: { artifacts: 0, blobs: 5 },
    blobs: { count: 1, missing: 0 },
  })
  rmSync(`${box.agentDir}/blobs/${hashOf("bytes")}`)
  expect(await box.print("stats", "@last")).toContain(`0 B (1 blob; 1 missing in ${box.agentDir}/blobs)`)
})

test("a text that only looks like a reference names nothing", async () => {
  const box = sandbox()
  const hash = hashOf("x")
  box.store([userEntry("one", null, `blob:sha256:${hash}0 blob:sha256:${hash.slice(1)} blob:sha256:../${hash}`)])
  expect((await box.run(["stats", "@last", "--json"])).json[0]).toMatchObject({ blobs: { count: 0, missing: 0 } })
})

/** Times are local. */
function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME")
}

/** An answer that cost something. */
function paidEntry(id: string, parentId: string, model: string, cost: number): object {
  const usage = { input: 100, output: 20, cacheRead: 1000, cacheWrite: 0, totalTokens: 1120, cost: { total: cost } }
  const call = { type: "toolCall" as const, id, name: "edit", arguments: { path: `${id}.ts` } }
  return messageEntry(id, parentId, assistantMessage("", { model, content: [call], usage: usage as never }))
}

test("counts messages by role, tokens and cost by model, files, and the time that it spans", async () => {
  const box = sandbox()
  const end = { ...userEntry("u3", "a2"), timestamp: "2026-03-07T16:30:00.000Z" }
  box.store([userEntry("u1", null), paidEntry("a1", "u1", "small", 0.001), paidEntry("a2", "a1", "large", 1.5), end])
  expect(withoutTimes(await box.print("stats", "@last", "--files"))).toMatchInlineSnapshot(`
    "messages   4 (user 2, assistant 2)
    entries    4
    time       TIME to TIME
    tokens     2.2K in 2 calls
    cost       $1.50
    files      2 modified, 0 only read
    session    1 KB
    artifacts  0 B
    blobs      0 B (0 blobs)
    total      1 KB

    model            calls  input  output  cache read  cache write  tokens    cost
    anthropic/large      1    100      20        1.0K            0    1.1K   $1.50
    anthropic/small      1    100      20        1.0K            0    1.1K  <$0.01

    modified
      a1.ts
      a2.ts"
  `)
  expect((await box.run(["stats", "@last", "--json"])).json[0]).toMatchObject({
    messages: 4,
    roles: { user: 2, assistant: 2 },
    total: { calls: 2, totalTokens: 2240, cost: { reported: 1.501, estimated: 0 } },
    modifiedFiles: ["a1.ts", "a2.ts"],
    to: "2026-03-07T16:30:00.000Z",
  })
})

test("--disk without a session reports what the store takes: by project, and by what it is for", async () => {
  const box = sandbox()
  const path = box.store([imageEntry("one", null, `blob:sha256:${storeBlob(box, "bytes")}`)], { id: "one" })
  box.write(`${path.slice(box.folder.length, -".jsonl".length)}/out.txt`, "x".repeat(4096))
  box.write(`${path.slice(box.folder.length)}.slim.bak`, "x".repeat(2048))
  box.store([userEntry("u1", null)], { id: "gone" })
  box.store([userEntry("u1", null)], { id: "there", cwd: "/there" })
  box.write("agent/history.db", "x".repeat(1024))
  await box.print("delete", "gone")
  const before = box.snapshot()
  const sizes = (id: string) => statSync(path.replace("_one", `_${id}`)).size
  const { code, json } = await box.run(["stats", "--disk", "--json"])
  expect(code).toBe(0)
  expect(json[0]).toMatchObject({
    projects: [
      { cwd: box.project, sessions: 1, session: sizes("one"), artifacts: 4096 },
      { cwd: "/there", sessions: 1, session: sizes("there"), artifacts: 0 },
    ],
    sessions: { count: 2, bytes: sizes("one") + sizes("there") },
    artifacts: 4096,
    beside: 2048,
    trash: { count: 1 },
    blobs: { count: 1, bytes: 5 },
    besideBlobs: 0,
    history: 1024,
  })
  const { total, sessions, artifacts, beside, trash, blobs, history } = json[0] as Record<string, { bytes: number }>
  const parts = [sessions?.bytes, artifacts, beside, trash?.bytes, blobs?.bytes, history].map(Number)
  expect(total).toBe(parts.reduce((sum, bytes) => sum + bytes))
  expect(await box.print("stats", "--disk")).toMatch(
    /^ +SIZE +SESSIONS +ARTIFACTS +FOLDER\n +\d+ KB +1 +4 KB +~\/project\n/,
  )
  expect(box.snapshot()).toEqual(before)
})

test.each(AGENT_SAMPLES)("of a session of $agent: its size is that of its file", async (sample) => {
  const box = sandbox()
  const path = agentSession(box, sample, sample.id, "hello")
  const { json } = await box.run(["stats", sample.id, "--store", sample.agent, "--json"])
  expect(json).toMatchObject([{ disk: { session: statSync(path).size } }])
})
