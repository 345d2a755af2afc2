import { appendFileSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { wholeFile } from "@treelog-internal/agent-files"
import { type FsPort, nodeFs, type SyncFile } from "@treelog-internal/fs"
import { expect, it, onTestFinished } from "vitest"

/** Shorter reads are those of the ends. Bytes. */
const HALVED = 4096
const BEFORE = "abcd".repeat(10_000)

/** The file system, which returns only half of what is asked for, and changes the file before the second read. */
function movedAt(move: () => void): FsPort {
  const openSync = (...args: Parameters<FsPort["openSync"]>): SyncFile => {
    const file = nodeFs.openSync(...args)
    let reads = 0
    return {
      statSync: (options: { bigint: true }) => file.statSync(options),
      closeSync: () => file.closeSync(),
      readSync: (buffer: Uint8Array, offset: number, length: number, position: number) => {
        if (length > HALVED && ++reads === 2) move()
        return file.readSync(buffer, offset, length > HALVED ? Math.ceil(length / 2) : length, position)
      },
    } as SyncFile
  }
  return Object.assign(Object.create(nodeFs), { openSync })
}

it.each<[string, (path: string) => void, string]>([
  ["has grown", (path) => appendFileSync(path, "more"), "its beginning"],
  ["was cut", (path) => truncateSync(path, 5), "SessionChangedError"],
  ["was rewritten with as many bytes", (path) => writeFileSync(path, "efgh".repeat(10_000)), "SessionChangedError"],
  ["was rewritten with more", (path) => writeFileSync(path, "efgh".repeat(20_000)), "SessionChangedError"],
  ["was removed", (path) => rmSync(path), "its beginning"],
])("a file that %s while it is read is what it was, or an error", async (_, move, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "treelog-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, "a.jsonl")
  writeFileSync(path, BEFORE)
  // So that a change in the same moment has another time.
  utimesSync(path, 1, 1)
  const fs = movedAt(() => move(path))
  const [read] = await Promise.allSettled([Promise.resolve().then(() => wholeFile(fs, path))])
  if (read.status === "fulfilled") expect([read.value.bytes.toString(), expected]).toEqual([BEFORE, "its beginning"])
  else expect(isTreelogError(read.reason) && read.reason.code).toBe(expected)
})
