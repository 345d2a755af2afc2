import { mkdir, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { CodexSource, CodexStorage } from "@treelog/agents/codex"
import { SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { makeOld } from "@treelog-internal/agent-files/testing"
import { nodeFs } from "@treelog-internal/fs"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { afterEach, expect, it } from "vitest"
import { TestHome } from "../home.js"
import { A, counts, text as lines, meta, said } from "../rollout-lines.js"
import { sessionsOf } from "../sessions-of.js"

const USED = { input_tokens: 100, output_tokens: 10, total_tokens: 110 }
const homes: TestHome[] = []
afterEach(async () => {
  for (const home of homes.splice(0)) await home.remove()
})

/** A storage, and the rollouts that it opens. */
function countingStorage(dir: string): { storage: CodexStorage; opened: string[] } {
  const opened: string[] = []
  const fs: typeof nodeFs = Object.assign(Object.create(nodeFs), {
    openSync: (...args: Parameters<typeof nodeFs.openSync>) => {
      if (String(args[0]).includes("rollout-")) opened.push(String(args[0]))
      return nodeFs.openSync(...args)
    },
  })
  return { storage: new CodexStorage({ dir, cacheDir: join(dir, "cache"), env: {}, fs }), opened }
}

it("A thread is found again without reading folders that have not changed, and wherever Codex has put it", async () => {
  const home = await TestHome.make(generateCodexHome({ seed: 6, rollouts: 8 }))
  homes.push(home)
  const read: string[] = []
  const fs: typeof nodeFs = Object.assign(Object.create(nodeFs), {
    readdir: (...args: Parameters<typeof nodeFs.readdir>) => {
      if (String(args[0]).includes("sessions")) read.push(String(args[0]))
      return nodeFs.readdir(...args)
    },
  })
  const source = new CodexSource({ dir: home.dir, fs })
  const [session] = await sessionsOf(source)
  if (!session) throw new Error("There is no session.")
  // What has just changed may change again at the same time.
  await expect
    .poll(async () => {
      read.length = 0
      return [(await source.find(session.key))?.version, read.length]
    })
    .toEqual([session.version, 0])
  const archived = join(home.dir, "archived_sessions", basename(session.key))
  await mkdir(dirname(archived), { recursive: true })
  await rename(session.key, archived)
  expect(await source.find(session.key)).toMatchObject({ id: session.id, key: archived })
  expect(read.length).toBeGreaterThan(0)
})

it("A thread is in an index once, also where its rollout has another name and other content", async () => {
  const text = (answer: string) => lines([meta(A), said("user", "Hi"), said("assistant", answer), counts(USED, USED)])
  const nameAt = (time: string) => `sessions/2026/03/07/rollout-2026-03-07T${time}-${A}.jsonl`
  const home = await TestHome.make([{ name: nameAt("14-00-00"), text: text("One") }])
  homes.push(home)
  const storage = new CodexStorage({ dir: home.dir, cacheDir: join(home.dir, "cache"), env: {} })
  const index = new MemorySessionIndex(storage)
  await index.update()
  await home.write(nameAt("15-00-00"), text("Two"))
  await rm(join(home.dir, nameAt("14-00-00")))
  await expect.poll(async () => (await index.update()).removed).toBe(1)
  expect((await index.usage({}))[0]?.totals.calls).toBe(1)
})

async function listed(storage: CodexStorage): Promise<unknown[]> {
  const infos = []
  for await (const info of new SessionManager({ storage }).listAll({ order: "newest" })) infos.push(info)
  return infos
}

it("A list in another process opens no rollout that has not changed, compressed or not", async () => {
  const files = generateCodexHome({ seed: 5, rollouts: 12 })
  const home = await TestHome.make(files)
  homes.push(home)
  for (const { name, text } of files.slice(0, 4)) await home.compress(name, text)
  await makeOld(home.dir)
  const first = countingStorage(home.dir)
  const expected = await listed(first.storage)
  expect(first.opened.length).toBeGreaterThanOrEqual(files.length)
  const second = countingStorage(home.dir)
  expect(await listed(second.storage)).toEqual(expected)
  expect(second.opened).toEqual([])
  const grown = files.at(-1)
  await home.write(grown?.name ?? "", `${grown?.text ?? ""}\n`)
  const third = countingStorage(home.dir)
  await listed(third.storage)
  // The facts of a thread are those of all its rollouts.
  expect(third.opened).toContain(join(home.dir, grown?.name ?? ""))
  expect(new Set(third.opened).size).toBeLessThan(files.length / 2)
})
