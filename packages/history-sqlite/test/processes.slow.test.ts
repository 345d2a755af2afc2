import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { openCopy, retryBusy } from "@treelog-internal/sqlite"
import { tries } from "@treelog-internal/test-kit"
import { killProcess, nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { expectSound } from "./expect-sound.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

// They find better-sqlite3 where this package does.
const BETTER_SQLITE3 = { name: "better-sqlite3", open: (path: string) => new Database(path) }

const users = otherProcesses(join(import.meta.dirname, "child", "history-user.ts"), {
  inside: join(import.meta.dirname, "..", "node_modules", ".cache"),
  external: ["better-sqlite3"],
})

function start(task: string, path: string, name = "", times = 1) {
  return users.start(task, path, name, times)
}

it("holds the prompts of each of four processes, while a fifth searches", async () => {
  const path = join(tempFolder(), "history.db")
  const searches: string[] = []
  const searcher = start("search until killed", path)
  searcher.on("message", (text) => searches.push(String(text)))
  await nextMessage(searcher)
  const adders = ["one", "two", "three", "four"].map((name) => start("add", path, name, 200))
  await Promise.all(adders.map(nextMessage))
  await nextMessage(searcher)
  await killProcess(searcher)
  const counts = searches.map((text) => Number(text.split(" ")[0]))
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  const history = openHistory(path)
  expect(await history.stats()).toMatchObject({ stored: 800, folders: 4, sessions: 4 })
  for (const name of ["one", "two", "three", "four"])
    expect(await history.search(`of ${name}`, { limit: 1000 })).toHaveLength(200)
  await history.close()
  expectSound(path)
})

it("holds whatever flush acknowledged before the process was killed", async () => {
  const path = join(tempFolder(), "history.db")
  for (let round = 0; round < tries(2); round++) {
    const acknowledged: string[] = []
    const child = start("add until killed", path, `round-${round}`)
    child.on("message", (number) => acknowledged.push(`prompt ${number} of round-${round}`))
    while (acknowledged.length < 3 + 5 * (round % 10)) await nextMessage(child)
    await killProcess(child)
    const history = openHistory(path)
    const found = await textsOf(history.search(`round-${round}`, { limit: 1000 }))
    expect(found.slice(-acknowledged.length)).toEqual([...acknowledged].reverse())
    await history.close()
  }
  expectSound(path)
})

it("erases what a process that was killed while it deleted had acknowledged, and leaves no file", async () => {
  for (let round = 0; round < tries(2); round++) {
    const folder = tempFolder()
    const path = join(folder, "history.db")
    const child = start("delete until killed", path, `round-${round}`, 200)
    for (let acknowledged = -1; acknowledged < round; ) acknowledged = Number(await nextMessage(child))
    // Each round at another moment of the next deletion.
    await sleep(round)
    await killProcess(child)
    const history = openHistory(path)
    const found = await textsOf(history.search("secret", { limit: 1000 }))
    expect(found).toHaveLength(new Set(found).size)
    for (let number = 0; number <= round; number++) expect(found).not.toContain(`secret${number}x of round-${round}`)
    await history.close()
    expectSound(path)
    expect(readdirSync(folder).filter((name) => !/^history\.db(?:-wal|-shm)?$/.test(name))).toEqual([])
    const bytes = readFileSync(path)
    for (let number = 0; number <= round; number++) expect(bytes.includes(`secret${number}x`)).toBe(false)
  }
})

it("reads whole states while another process writes", async () => {
  const path = join(tempFolder(), "history.db")
  const writer = start("add and move the log until killed", path, "writer")
  await nextMessage(writer)
  let last = 0
  for (let round = 0; round < 15; round++) {
    const copied = await retryBusy(() => openCopy(BETTER_SQLITE3, path))
    const copy = copied?.db as InstanceType<typeof Database>
    expect(copy.pragma("integrity_check", { simple: true })).toBe("ok")
    const { count, newest } = copy.prepare("SELECT count(*) AS count, max(id) AS newest FROM history").get<{
      count: number
      newest: number
    }>() as { count: number; newest: number }
    copy.close()
    expect(count).toBe(newest)
    expect(count).toBeGreaterThanOrEqual(last)
    last = count
  }
  expect(last).toBeGreaterThan(10)
  await killProcess(writer)
})
