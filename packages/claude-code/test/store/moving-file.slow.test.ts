import { appendFileSync, readFileSync, renameSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { isTreelogError } from "@treelog/session-core"
import { nodeFs } from "@treelog-internal/fs"
import { generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import { describe, expect, it } from "vitest"
import type { ClaudeCodeStorage } from "../../src/index.js"
import { type ClaudeFolder, folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const CWD = "/home/ada/shop"
const EVENTS = 120

function linesOf(seed: number): string {
  return `${generateClaudeFile(seed, EVENTS).lines.join("\n")}\n`
}

/** A storage that changes the session's file before the read with this number, and before each one after it if asked to. */
function movedAt(made: ClaudeFolder, path: string, number: number, move: () => void, isEndless = false) {
  let reads = 0
  const fs: typeof nodeFs = Object.assign(Object.create(nodeFs), {
    openSync: (...args: Parameters<typeof nodeFs.openSync>) => {
      const file = nodeFs.openSync(...args)
      if (args[0] !== path) return file
      return {
        statSync: (options: { bigint: true }) => file.statSync(options),
        closeSync: () => file.closeSync(),
        readSync: (...of: Parameters<typeof file.readSync>) => {
          reads += 1
          if (reads === number || (isEndless && reads > number)) move()
          return file.readSync(...of)
        },
      }
    },
  })
  return { storage: made.open({ fs, cacheDir: null }), reads: () => reads }
}

/** A reader stats again what changed after it was statted. */
async function bytesOf(storage: ClaudeCodeStorage, path: string): Promise<string> {
  const { size = 0, identity = "" } = (await storage.stat(path)) ?? {}
  try {
    return Buffer.from(await storage.readRange(path, 0, size, identity)).toString()
  } catch (error) {
    if (isTreelogError(error, "SessionChangedError")) return bytesOf(storage, path)
    throw error
  }
}

/** What a storage gives that finds the file as it is now. */
function expected(made: ClaudeFolder, path: string): Promise<string> {
  return bytesOf(made.open({ cacheDir: null }), path)
}

async function sessionOf(seed: number) {
  const made = await folderOfTest()
  const path = await made.add(ID, CWD)
  writeFileSync(path, linesOf(seed))
  // So that a change in the same moment has another time.
  utimesSync(path, 1, 1)
  return { made, path }
}

/** How often a conversion reads the file, and what it gives. */
async function unmoved(seed: number) {
  const { made, path } = await sessionOf(seed)
  const { storage, reads } = movedAt(made, path, 0, () => {})
  await storage.stat(path)
  return { count: reads(), before: await expected(made, path) }
}

const MOVES: Readonly<Record<string, (path: string) => void>> = {
  "is cut": (path) => truncateSync(path, readFileSync(path).lastIndexOf("\n", 5_000) + 1),
  "is replaced by another": (path) => {
    writeFileSync(`${path}.new`, linesOf(8))
    renameSync(`${path}.new`, path)
  },
  "is rewritten in place": (path) => writeFileSync(path, linesOf(8)),
  "is rewritten in place with as many bytes": (path) => {
    const text = readFileSync(path, "utf8")
    writeFileSync(path, text.replaceAll('"role":"user"', '"role":"USER"').replaceAll('"type":"text"', '"type":"TEXT"'))
  },
  grows: (path) => appendFileSync(path, linesOf(8)),
}

describe("A file that, at any moment of its conversion,", () => {
  it.each(Object.entries(MOVES))(
    "%s gives the bytes of what it was or is, or of a beginning of that",
    async (_, move) => {
      const { count, before } = await unmoved(7)
      expect(count).toBeGreaterThan(6)
      for (let number = 1; number <= count; number++) {
        const { made, path } = await sessionOf(7)
        const { size } = statSync(path)
        const { storage } = movedAt(made, path, number, () => move(path))
        const got = await bytesOf(storage, path)
        const now = await expected(made, path)
        expect(await bytesOf(storage, path)).toBe(now)
        // What is rewritten before the first read looks as what is written then.
        truncateSync(path, Math.min(size, statSync(path).size))
        expect([before, now, await expected(made, path)]).toContain(got)
      }
    },
  )
})

describe("A file that is rewritten during each of its conversions", () => {
  it("ends with a typed error", async () => {
    const { count } = await unmoved(7)
    const { made, path } = await sessionOf(7)
    let seed = 10
    const { storage } = movedAt(made, path, count, () => writeFileSync(path, linesOf(seed++)), true)
    await expect(storage.stat(path)).rejects.toMatchObject({ code: "SessionChangedError" })
  })
})
