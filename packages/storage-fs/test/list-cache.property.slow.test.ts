import { appendFile, mkdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type SessionInfo, SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { tries } from "@treelog-internal/test-kit"
import { Random } from "@treelog-internal/test-kit/generator"
import { expect, it } from "vitest"
import { cacheFiles, freshScan, headerLine, listedBy, longAgo, messageLine } from "./list-scene.js"
import { tempDir } from "./store.js"

const RUNS = tries(3)
const STEPS = 60

/** Does things to a store and to the cache of its lists, one after the other, as they come. */
class Story {
  readonly agentDir: string
  readonly cacheDir: string
  readonly random: Random
  readonly done: string[] = []
  readonly #paths: string[] = []
  /** Those that had a byte exchanged. */
  readonly #exchanged = new Set<string>()
  #made = 0

  constructor(agentDir: string, seed: number) {
    this.agentDir = agentDir
    this.cacheDir = join(agentDir, "cache")
    this.random = new Random(seed)
  }

  async step(): Promise<void> {
    const [name, act] = this.random.pick(Object.entries(this.#acts))
    const path = this.#paths.length > 0 ? this.random.pick(this.#paths) : await this.#create()
    this.done.push(name)
    await act(path)
    // Mostly as if time had passed; now and then the next thing is done at the same moment, as far as the clock can tell.
    const isThere = await stat(path).then(
      () => true,
      () => false,
    )
    if (isThere && this.random.chance(0.7)) await touch(path)
    if (this.random.chance(0.3)) await this.expectFresh()
  }

  readonly #acts: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    create: () => this.#create(),
    append: (path) => appendFile(path, this.#lines()),
    "append again": (path) => appendFile(path, this.#lines()),
    "append much": (path) => appendFile(path, this.#lines(40_000)),
    "append half a line": (path) => appendFile(path, messageLine("half", "user").slice(0, this.random.between(1, 150))),
    rename: async (path) => {
      const to = this.#newPath()
      await mkdir(dirname(to), { recursive: true })
      await rename(path, to)
      this.#paths[this.#paths.indexOf(path)] = to
      if (this.#exchanged.has(path)) this.#exchanged.add(to)
      if (this.random.chance(0.5)) await touch(to)
    },
    remove: async (path) => {
      await rm(path)
      this.#paths.splice(this.#paths.indexOf(path), 1)
    },
    "remove a folder": async (path) => {
      if (this.random.chance(0.7)) return
      await rm(dirname(path), { recursive: true })
      for (const gone of this.#paths.filter((other) => dirname(other) === dirname(path)))
        this.#paths.splice(this.#paths.indexOf(gone), 1)
    },
    touch,
    truncate: async (path) => truncate(path, this.random.between(0, (await stat(path)).size)),
    replace: (path) => this.#replace(path),
    "write anew in place": (path) => writeFile(path, this.#session()),
    "write a longer one in place": async (path) => {
      const old = await readFile(path, "utf8")
      await writeFile(path, this.#session() + this.#lines().padEnd(old.length + 1, "\n"))
    },
    "change the title in place": async (path) => {
      const text = await readFile(path, "utf8")
      const slot = `{"type":"title","title":"${this.random.hex(6)}"}\n`
      await writeFile(path, text.startsWith('{"type":"title"') ? slot + text.slice(slot.length) : slot + text)
    },
    "exchange a byte": async (path) => {
      // A byte far from both ends that changes is seen unless something was appended as well since the last list.
      await this.expectFresh()
      const bytes = await readFile(path)
      if (bytes.length > 0) bytes[this.random.between(0, bytes.length - 1)] = this.random.between(0, 255)
      await writeFile(path, bytes)
      this.#exchanged.add(path)
      await this.expectFresh()
    },
    "list and stop": () => this.listAndStop(),
    "damage the cache": () => this.#damageCache(),
  }

  async expectFresh(): Promise<void> {
    const fresh = await freshScan(this.agentDir)
    const another = () => new FileSessionStorage({ agentDir: this.agentDir, terminalId: "u", cacheDir: this.cacheDir })
    const inOrder = fresh.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
    const limit = this.random.between(1, 4)
    // Whoever asks first has the cache as it is.
    for (const storage of [this.random.pick([this.#running, another()]), this.#running, another()]) {
      const manager = new SessionManager({ storage })
      const checks = [
        async () => expect(await listedBy(storage)).toEqual([...inOrder].sort((a, b) => (a.path < b.path ? -1 : 1))),
        async () => expect(await all(manager.listAll({ order: "newest" }))).toEqual(inOrder),
        async () => expect(await all(manager.listAll({ order: "newest", limit }))).toEqual(inOrder.slice(0, limit)),
        async () => {
          const ofProject = inOrder.filter(({ path, error }) => !error && dirname(path).endsWith("--project--"))
          expect(await manager.recent("/project", limit)).toEqual(ofProject.slice(0, limit))
        },
      ]
      const first = this.random.between(0, checks.length - 1)
      for (const check of [...checks.slice(first), ...checks.slice(0, first)]) await check()
    }
  }

  async listAndStop(): Promise<void> {
    let left = this.random.between(1, 3)
    for await (const _ of new SessionManager({ storage: this.#running }).listAll()) if (--left === 0) break
  }

  /** A process that runs all the time; others come and go beside it. */
  get #running(): FileSessionStorage {
    this.#storage ??= new FileSessionStorage({ agentDir: this.agentDir, terminalId: "t", cacheDir: this.cacheDir })
    return this.#storage
  }
  #storage: FileSessionStorage | undefined

  async #create(): Promise<string> {
    const path = this.#newPath()
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, this.random.chance(0.1) ? "garbage\n".repeat(this.random.between(0, 3)) : this.#session())
    await touch(path)
    this.#paths.push(path)
    return path
  }

  async #replace(path: string): Promise<void> {
    await writeFile(`${path}.tmp`, this.#session())
    await rename(`${path}.tmp`, path)
    this.#exchanged.delete(path)
  }

  #newPath(): string {
    const folder =
      this.#paths.length > 0 && this.random.chance(0.7) ? dirname(this.random.pick(this.#paths)) : undefined
    const bucket =
      folder ?? join(this.agentDir, "sessions", this.random.pick(["--project--", "--other--", "--third--"]))
    return join(bucket, `2026-03-07T14-00-00-000Z_s${++this.#made}.jsonl`)
  }

  #session(): string {
    return headerLine(`s${this.random.hex(8)}`) + this.#lines()
  }

  #lines(longest = 900): string {
    const role = () => this.random.pick(["user", "assistant", "toolResult", "custom"])
    return Array.from({ length: this.random.between(1, 4) }, () =>
      messageLine(this.random.hex(8), role(), {
        content: "x".repeat(this.random.between(0, longest)),
        timestamp: Date.UTC(2026, 1, 1) + this.random.between(0, 1e6),
        stopReason: this.random.pick(["stop", "toolUse", "aborted"]),
        isError: false,
      }),
    ).join("")
  }

  async #damageCache(): Promise<void> {
    const files = await cacheFiles(this.cacheDir)
    if (files.length === 0) return
    const path = this.random.pick(files)
    const bytes = await readFile(path)
    const half = bytes.subarray(0, this.random.between(0, bytes.length))
    // A cache that was cut says again what it said before a byte was exchanged, from which a longer session goes on.
    for (const exchanged of this.#paths.filter((other) => this.#exchanged.has(other))) await this.#replace(exchanged)
    bytes[this.random.between(0, bytes.length - 1)] = this.random.between(0, 255)
    await this.random.pick([
      () => rm(path),
      () => writeFile(path, half),
      () => writeFile(path, bytes),
      () => writeFile(path, Buffer.concat([half, half])),
      () => writeFile(path, "[]"),
      () => rm(this.cacheDir, { recursive: true }),
    ])()
    // The running process would not look at the files again.
    this.#storage = undefined
  }
}

async function all(infos: AsyncIterable<SessionInfo>): Promise<SessionInfo[]> {
  const found: SessionInfo[] = []
  for await (const info of infos) found.push(info)
  return found
}

async function touch(path: string): Promise<void> {
  const time = longAgo()
  await utimes(path, time, time)
}

it("the list from the cache is that of a fresh scan, whatever is done to the sessions and to the cache", async () => {
  for (let seed = 0; seed < RUNS; seed++) {
    const story = new Story(await tempDir(), seed)
    try {
      for (let step = 0; step < STEPS; step++) await story.step()
      await story.expectFresh()
    } catch (error) {
      throw new Error(`Seed ${seed}, after ${story.done.join(", ")}`, { cause: error })
    }
  }
})
