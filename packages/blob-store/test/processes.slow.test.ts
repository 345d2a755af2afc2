import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { FileBlobStore, sweep, verifyBlobs } from "@treelog/blob-store"
import { webDigest } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import { killProcess, otherProcesses } from "@treelog-internal/test-kit/processes"
import { describe, expect, it } from "vitest"
import { agent, bytes, fileNaming, lineNaming, namesIn, oldBlob } from "./folders.js"

const KILLS = tries(3)
const BLOBS = 60

const processes = otherProcesses(join(import.meta.dirname, "child", "blob-user.ts"))

describe("when a process is killed while it puts blobs", () => {
  it("every name holds whole bytes, and every blob that it reported is there", async () => {
    const { blobs } = await agent()
    for (let run = 0; run < KILLS; run++) {
      const child = start("put", blobs)
      const reported: string[] = []
      await new Promise<void>((resolve, reject) => {
        child.once("exit", (code) => reject(new Error(`the process ended with ${code}`)))
        child.on("message", (hash) => {
          reported.push(String(hash))
          // At another point of the next put in each run.
          if (reported.length === 3) setTimeout(resolve, (run * 3) % 10)
        })
      })
      await killProcess(child)
      for (const hash of reported) expect(await webDigest.sha256(await readFile(join(blobs, hash)))).toBe(hash)
      for await (const check of verifyBlobs(blobs))
        expect(check).toMatchObject(check.state === "foreign" ? { what: "temporary" } : { state: "ok" })
      await rm(blobs, { recursive: true })
    }
  })

  it("what it left half done goes with a sweep", async () => {
    const home = await agent()
    await fileNaming(home, "a.jsonl", lineNaming())
    const child = start("put", home.blobs)
    await once(child, "message")
    await killProcess(child)
    await writeFile(join(home.blobs, `.put-${"0".repeat(32)}.tmp`), "half")
    const clock = { now: () => Date.now() + 48 * 60 * 60 * 1000 }
    await sweep({ ...home, apply: true, clock })
    expect(await namesIn(home.blobs)).toEqual([".trash"])
  })
})

describe("when sweeps run beside writers", () => {
  it("no blob goes that a line names, though each was as good as gone when it was put again", async () => {
    const home = await agent()
    for (let number = 0; number < BLOBS; number++) await oldBlob(home, `old blob ${number}`)
    await fileNaming(home, "other.jsonl", lineNaming())
    const sessions = ["one.jsonl", "two.jsonl"].map((name) => join(home.roots[0] ?? "", name))
    const writers = sessions.map((session) => start("write", home.blobs, session, BLOBS))
    const ended = Promise.all(writers.map((writer) => once(writer, "exit")))
    await Promise.all(writers.map((writer) => once(writer, "message")))
    let [sweeps, isOver] = [0, false]
    void ended.then(() => {
      isOver = true
    })
    while (!isOver || sweeps < 3) {
      await sweep({ ...home, apply: true, graceMs: 60_000 })
      sweeps++
    }
    expect((await ended).map(([code]) => code)).toEqual([0, 0])
    for (let number = 0; number < BLOBS; number++) {
      const text = bytes(`old blob ${number}`)
      expect(await home.store.get(await webDigest.sha256(text))).toEqual(text)
    }
  })

  it("several processes can put the same bytes at the same time", async () => {
    const { blobs, dir } = await agent()
    const writers = [1, 2, 3].map((number) => start("write", blobs, join(dir, `${number}.jsonl`), 50))
    await Promise.all(writers.map((writer) => once(writer, "exit")))
    const names = await namesIn(blobs)
    expect(names).toHaveLength(50)
    const store = new FileBlobStore(blobs)
    for (const hash of names) expect(await store.get(hash)).toBeDefined()
  })
})

function start(task: "put" | "write", blobs: string, session = "", count = 0): ChildProcess {
  return processes.start(task, blobs, session, count)
}
