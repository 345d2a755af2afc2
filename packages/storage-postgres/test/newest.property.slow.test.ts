import { randomUUID } from "node:crypto"
import { type SessionInfo, SessionManager } from "@treelog/session-core"
import { compareRecency } from "@treelog/session-core/adapter"
import { moveSession } from "@treelog/session-core/maintenance"
import fc from "fast-check"
import { expect, test } from "vitest"
import { allOf, bytes, EXCLUSIVE, scene } from "./scene.js"

const { storage, sent, rows } = scene()

const FOLDERS = ["/home/user/one", "/home/user/two"] as const

const who = fc.nat(20)
const step = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), who, folder: fc.constantFrom(...FOLDERS), time: fc.nat(20) }),
  fc.record({ kind: fc.constant("create empty" as const), folder: fc.constantFrom(...FOLDERS) }),
  fc.record({ kind: fc.constant("append" as const), who, time: fc.nat(20) }),
  fc.record({ kind: fc.constant("damage" as const), who }),
  fc.record({ kind: fc.constant("remove" as const), who }),
  fc.record({ kind: fc.constant("rename" as const), who }),
  fc.record({ kind: fc.constant("move" as const), who, folder: fc.constantFrom(...FOLDERS) }),
  fc.record({ kind: fc.constant("list" as const), limit: fc.integer({ min: 1, max: 4 }) }),
  // Two processes at once.
  fc.record({ kind: fc.constant("list and append" as const), who, time: fc.nat(20) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let tenants = 0

/** Sessions that one process writes and another lists. */
class Story {
  readonly #tenant = `story ${++tenants}`
  readonly #writer = this.#manager()
  readonly lister = this.#manager()
  readonly #ids: string[] = []

  #manager() {
    return new SessionManager({ storage: storage({ tenant: this.#tenant }) })
  }

  #ref(at: number) {
    const id = this.#ids[at % Math.max(1, this.#ids.length)]
    return id === undefined ? undefined : { id }
  }

  async do(step: Step): Promise<void> {
    if (step.kind === "create") {
      const session = await this.#writer.create(step.folder)
      session.appendMessage({ role: "user", content: "one", timestamp: step.time })
      await session.close()
      this.#ids.push(session.getSessionId())
      return
    }
    if (step.kind === "create empty") {
      await this.#createEmpty(step.folder)
      return
    }
    if (step.kind === "list") return void (await newest(this.lister, step.limit))
    const ref = this.#ref(step.who)
    if (!ref) return
    if (step.kind === "append") await this.#append(ref, step.time)
    else if (step.kind === "remove") {
      await this.#writer.delete(ref)
      this.#ids.splice(this.#ids.indexOf(ref.id), 1)
    } else if (step.kind === "rename") {
      const session = await this.#writer.open(ref)
      session.appendSessionInfo("renamed")
      await session.close()
    } else if (step.kind === "move") await moveSession(this.#writer, ref, step.folder)
    else if (step.kind === "damage") await this.#damage(await this.#writer.resolve(ref))
    else await Promise.all([newest(this.lister, 2), this.#append(ref, step.time)])
  }

  /** One of another agent, in which nobody said anything. */
  async #createEmpty(cwd: string): Promise<void> {
    const store = storage({ tenant: this.#tenant })
    const header = { type: "session", version: 3, id: randomUUID(), timestamp: new Date(30).toISOString(), cwd }
    const lease = await store.lease(store.keyFor(header), EXCLUSIVE)
    await lease.create([bytes(`${JSON.stringify({ ...header, source: { agent: "codex" } })}\n`)])
    await lease.release()
    this.#ids.push(header.id)
  }

  async #append(ref: { id: string }, timestamp: number): Promise<void> {
    const session = await this.#writer.open(ref, { access: "shared" })
    session.appendMessage({ role: "user", content: "more", timestamp })
    await session.close()
  }

  /** What stands there is no session any more, and is listed with its error. */
  async #damage(key: string): Promise<void> {
    const store = storage({ tenant: this.#tenant })
    const lease = await store.lease(key, EXCLUSIVE)
    const expected = await store.stat(key)
    if (expected) await lease.replace([bytes("garbage\n")], { expected })
    await lease.release()
    // It cannot be opened by its id any more.
    this.#ids.splice(
      this.#ids.findIndex((id) => key.endsWith(id)),
      1,
    )
  }

  async expectCuts(): Promise<void> {
    for (const cwd of [undefined, ...FOLDERS]) {
      const all = await allOf(this.#list(cwd))
      const inOrder = all.sort(inListOrder)
      for (const limit of [1, 2, 5, 100]) {
        expect(await allOf(this.#list(cwd, limit))).toEqual(inOrder.slice(0, limit))
        if (cwd !== undefined)
          expect(await this.lister.recent(cwd, limit)).toEqual(inOrder.filter(({ error }) => !error).slice(0, limit))
      }
    }
  }

  #list(cwd: string | undefined, limit?: number): AsyncIterable<SessionInfo> {
    const options = limit === undefined ? {} : ({ order: "newest", limit } as const)
    return cwd === undefined ? this.lister.listAll(options) : this.lister.list(cwd, options)
  }
}

/** Those in which nobody said anything come last, whatever their time. */
const inListOrder = (a: SessionInfo, b: SessionInfo) => compareRecency(a, b) || (a.path < b.path ? -1 : 1)

const newest = (manager: SessionManager, limit: number) => allOf(manager.listAll({ order: "newest", limit }))

test("a list that is cut is the beginning of the whole list, whatever others do to the sessions in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const story = new Story()
      for (let time = 0; time < 6; time++)
        await story.do({ kind: "create", who: 0, folder: FOLDERS[time % 2 ? 1 : 0], time })
      await newest(story.lister, 1)
      for (const each of steps) await story.do(each)
      // The cut one comes first here, while sessions are still unread; below, the whole list has read them.
      const before = await newest(story.lister, 1)
      const all = (await allOf(story.lister.listAll())).sort(inListOrder)
      expect(before).toEqual(all.slice(0, 1))
      await story.expectCuts()
    }),
    { numRuns: 40 },
  )
})

/** @returns the version of the summaries that the core makes */
async function summaryVersion(): Promise<number> {
  const tenant = "version"
  const manager = new SessionManager({ storage: storage({ tenant }) })
  const session = await manager.create("/one")
  session.appendMessage({ role: "user", content: "one", timestamp: 1 })
  await session.close()
  await newest(manager, 1)
  const [{ version } = { version: 0 }] = await rows("select version from treelog.summary where tenant = $1", [tenant])
  return version
}

test("the newest of many sessions are found by the index, in one statement", async () => {
  const tenant = "many"
  const version = await summaryVersion()
  await rows(
    `insert into treelog.session (tenant, key, object, size, modified, fence, hidden, folder, id, summary_version)
    select $1, 'pg:/many/' || n, object, 10, n, 1, false, 'pg:/many', n, ${version}
    from generate_series(1, 3000) as n, gen_random_uuid() as object`,
    [tenant],
  )
  await rows(
    `insert into treelog.summary (tenant, key, object, size, version, folder, cwd, modified, info, resume)
    select tenant, key, object, size, ${version}, folder, '/many', modified, json_build_object('id', id, 'modified', modified), '{}'
    from treelog.session where tenant = $1`,
    [tenant],
  )
  const manager = new SessionManager({ storage: storage({ tenant }) })
  sent()
  const found = await newest(manager, 20)
  expect(found.map(({ modified }) => modified)).toEqual(Array.from({ length: 20 }, (_, at) => 3000 - at))
  expect(sent()).toHaveLength(1)
  // Two of one time, of which the answer has one.
  await rows(
    "update treelog.summary set modified = 2980, info = json_build_object('id', key, 'modified', 2980) where tenant = $1 and modified = 2981",
    [tenant],
  )
  expect((await newest(manager, 20)).at(-1)?.path).toBe("pg:/many/2980")
  expect(sent()).toHaveLength(1)
})
