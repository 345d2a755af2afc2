import { mkdir, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { CodexStorage } from "@treelog/agents/codex"
import { isTreelogError, SessionManager } from "@treelog/session-core"
import { type FsPort, nodeFs } from "@treelog-internal/fs"
import { tries } from "@treelog-internal/test-kit"
import { generateCodexHome, zstdFrame } from "@treelog-internal/test-kit/codex"
import fc from "fast-check"
import { decompress } from "fzstd"
import { expect, it } from "vitest"
import { TestHome } from "../home.js"

// While treelog reads, Codex compresses rollouts, restores them, moves them to its archive and takes them out of it. Each step of that
// happens between two calls of the file system, wherever a generated program puts it.

/** What Codex does with one of the files: so many calls after the last thing it did, and which file. */
interface Move {
  readonly after: number
  readonly file: number
  readonly isArchiving: boolean
}

const COMPRESSING = fc.record({ after: fc.nat(12), file: fc.nat(), isArchiving: fc.constant(false) })
/** Further apart than the calls of one search for files: nobody archives a thread and takes it out again within that time. */
const ARCHIVING = fc.record({ after: fc.integer({ min: 20, max: 40 }), file: fc.nat(), isArchiving: fc.constant(true) })
const MOVES = fc.array(fc.oneof(COMPRESSING, ARCHIVING), { maxLength: 12 })

/** Codex at work: each step leaves the rollout somewhere, as a whole. */
class MovingFiles {
  readonly #dir: string
  readonly #moves: Move[]
  #waiting: (() => Promise<void>)[] = []
  #wait = 0

  constructor(dir: string, moves: readonly Move[]) {
    this.#dir = dir
    this.#moves = [...moves]
  }

  /** Node's file system, with a step before a call now and then. */
  get fs(): FsPort {
    return new Proxy(nodeFs, {
      get: (target, name: keyof FsPort) => {
        const call = target[name] as (...args: unknown[]) => unknown
        if (typeof call !== "function" || name.endsWith("Sync") || name === "watch") return call
        return async (...args: unknown[]) => {
          await this.#tick()
          return call.apply(target, args)
        }
      },
    })
  }

  async #tick(): Promise<void> {
    const step = this.#waiting.shift()
    if (step) return step()
    const move = this.#moves[0]
    if (!move || this.#wait++ < move.after) return
    this.#wait = 0
    this.#moves.shift()
    const files = (await readdir(this.#dir, { recursive: true })).filter((name) => /\.jsonl(\.zst)?$/.test(name)).sort()
    const path = join(this.#dir, files[move.file % files.length] ?? "")
    if (move.isArchiving) await this.#archive(path)
    else await this.#recode(path)
  }

  /** Writes the other form under another name, renames it, and only then removes the first one. */
  async #recode(path: string): Promise<void> {
    const bytes = await readFile(path)
    const isCompressed = path.endsWith(".zst")
    const other = isCompressed ? path.slice(0, -4) : `${path}.zst`
    await writeFile(`${other}.tmp`, isCompressed ? decompress(bytes) : zstdFrame(bytes))
    await rename(`${other}.tmp`, other)
    this.#waiting = [() => unlink(path)]
  }

  async #archive(path: string): Promise<void> {
    const name = basename(path)
    const day = name.slice(8, 18).replaceAll("-", "/")
    const isArchived = path.startsWith(join(this.#dir, "archived_sessions"))
    const to = join(this.#dir, isArchived ? `sessions/${day}` : "archived_sessions", name)
    await mkdir(dirname(to), { recursive: true })
    await rename(path, to)
  }
}

/** All that a list shows of the sessions, by their ids. */
async function listed(storage: CodexStorage): Promise<Map<string, string>> {
  const firsts = new Map<string, string>()
  for await (const { id, path, firstMessage, error } of new SessionManager({ storage }).listAll()) {
    expect(error, path).toBeUndefined()
    firsts.set(id, firstMessage)
  }
  return firsts
}

async function textAt(storage: CodexStorage, key: string): Promise<string> {
  for (;;) {
    const stat = await storage.statContent(key)
    expect(stat, key).toBeDefined()
    try {
      return new TextDecoder().decode(await storage.readRange(key, 0, stat?.size ?? 0, stat?.identity))
    } catch (error) {
      // Whoever reads a session that was replaced meanwhile stats it again.
      if (!isTreelogError(error, "SessionChangedError")) throw error
    }
  }
}

it("reads every session whole, wherever Codex moves its files meanwhile", async () => {
  const shapes = fc.record({ seed: fc.nat(500), rollouts: fc.integer({ min: 1, max: 8 }) })
  const property = fc.asyncProperty(shapes, MOVES, async (shape, moves) => {
    const home = await TestHome.make(generateCodexHome(shape))
    try {
      const still = new CodexStorage({ dir: home.dir, cacheDir: null, env: {} })
      const keys: string[] = []
      for await (const { key } of still.list()) keys.push(key)
      const expected = await listed(still)
      const texts = await Promise.all(keys.map((key) => textAt(still, key)))
      const { fs } = new MovingFiles(home.dir, moves)
      const storage = new CodexStorage({ dir: home.dir, cacheDir: null, env: {}, fs })
      expect(await listed(storage)).toEqual(expected)
      for (const [index, key] of keys.entries())
        expect(unmarked(await textAt(storage, key))).toBe(unmarked(texts[index]))
      expect(await listed(storage)).toEqual(expected)
    } finally {
      await home.remove()
    }
  })
  await fc.assert(property, { numRuns: tries(3) })
})

/** Where a rollout is says whether it is archived. */
function unmarked(text: string | undefined): string | undefined {
  return text?.replace('"archived":true,', "")
}
