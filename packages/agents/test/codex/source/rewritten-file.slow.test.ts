import { appendFileSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CodexStorage } from "@treelog/agents/codex"
import { isTreelogError } from "@treelog/session-core"
import { type FsPort, nodeFs } from "@treelog-internal/fs"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { describe, expect, it, onTestFinished } from "vitest"
import { TestHome } from "../home.js"

/** Several blocks long. */
const [LONG, OTHER] = [1, 2].map((seed) => generateCodexHome({ seed, rollouts: 1, turns: 60 })[0])

/** A file system that changes the file before the read with this number. */
function movedAt(path: string, number: number, move: () => void) {
  let reads = 0
  const openSync = (...args: Parameters<FsPort["openSync"]>): ReturnType<FsPort["openSync"]> => {
    const file = nodeFs.openSync(...args)
    if (args[0] !== path) return file
    return new Proxy(file, {
      get: (target, name: keyof typeof file) => {
        const member = target[name]
        if (typeof member !== "function") return member
        return (...of: never[]) => {
          if (name === "readSync" && ++reads === number) move()
          return (member as (...of: never[]) => unknown).apply(target, of)
        }
      },
    })
  }
  return { fs: Object.assign(Object.create(nodeFs), { openSync }) as FsPort, reads: () => reads }
}

async function textAt(home: TestHome, key: string, fs?: FsPort): Promise<string> {
  const storage = new CodexStorage({ dir: home.dir, cacheDir: null, env: {}, fs })
  for (;;) {
    const { size = 0, identity = "" } = (await storage.statContent(key)) ?? {}
    try {
      return Buffer.from(await storage.readRange(key, 0, size, identity)).toString()
    } catch (error) {
      if (!isTreelogError(error, "SessionChangedError")) throw error
    }
  }
}

async function homeWithRollout() {
  const home = await TestHome.make(LONG ? [LONG] : [])
  onTestFinished(() => home.remove())
  const path = join(home.dir, LONG?.name ?? "")
  // So that a change in the same moment has another time.
  utimesSync(path, 1, 1)
  return { home, path }
}

const MOVES: Readonly<Record<string, (path: string) => void>> = {
  "is cut": (path) => truncateSync(path, readFileSync(path).lastIndexOf("\n", 300_000) + 1),
  "is rewritten": (path) => writeFileSync(path, OTHER?.text ?? ""),
  "is rewritten with as many bytes": (path) =>
    writeFileSync(path, readFileSync(path, "utf8").replaceAll('"input_text"', '"INPUT_text"')),
  grows: (path) => appendFileSync(path, readFileSync(path, "utf8").split("\n").slice(-4).join("\n")),
}

describe("A rollout that, at any moment of its conversion,", () => {
  it.each(Object.entries(MOVES))("%s gives the bytes of what it was or is", async (_, move) => {
    const { home, path } = await homeWithRollout()
    const { fs, reads } = movedAt(path, 0, () => {})
    const before = await textAt(home, path, fs)
    expect(statSync(path).size).toBeGreaterThan(600_000)
    expect(reads()).toBeGreaterThan(3)
    for (let number = 1; number <= reads(); number++) {
      const again = await homeWithRollout()
      const got = await textAt(again.home, again.path, movedAt(again.path, number, () => move(again.path)).fs)
      expect([before, await textAt(again.home, again.path)]).toContain(got)
    }
  })
})
