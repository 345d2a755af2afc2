import { createHash } from "node:crypto"
import {
  isTreelogError,
  MemoryBlobStore,
  type Session,
  type SessionEntry,
  SessionManager,
  TreelogError,
} from "@treelog/session-core"
import { streamBranch } from "@treelog/session-core/adapter"
import { compact } from "@treelog/session-core/compaction"
import { verifySession } from "@treelog/session-core/maintenance"
import fc, { type Scheduler } from "fast-check"
import { testClock } from "../clock.js"
import { messageEntry, testHeader } from "../entries.js"
import { testIds } from "../ids.js"
import { assistantMessage, userMessage } from "../messages.js"
import { bytesOf, sessionText, textOf } from "../session-text.js"
import { ContestedStorage } from "./contested-storage.js"
import { Model } from "./model.js"
import { type Actor, type Failure, type Program, program, type Step } from "./program.js"
import { BLOB_STORE, type ScheduledPortOptions, SESSION_STORAGE, scheduledPort } from "./scheduled-port.js"

const CWD = "/project"
const KEYS = ["first", "second"].map((id) => `memory:${CWD}/${id}`) as [string, string]
const TEXT = "What was said. ".repeat(6)
/** Large enough to be stored as a blob. */
const PICTURE = { type: "image" as const, data: Buffer.alloc(900, 7).toString("base64"), mimeType: "image/png" }

/** Runs the program with every port under the scheduler, and checks the outcome. @throws Error that says what does not hold */
export async function runProgram(program: Program, scheduler: Scheduler): Promise<void> {
  const run = new Run(program, scheduler)
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on("unhandledRejection", note)
  try {
    await run.prepare()
    await run.settle(program.actors.map((actor, index) => run.act(actor, index)))
    await run.settle([run.closeAll()])
    // Node reports an unhandled rejection when the microtasks are done.
    await macrotask()
  } finally {
    process.off("unhandledRejection", note)
  }
  if (unhandled.length > 0) throw new Error(`An unhandled rejection: ${String(unhandled[0])}`, { cause: unhandled[0] })
  await run.check()
}

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

class Run {
  readonly #writesSync: boolean
  readonly #storage: ContestedStorage
  readonly #blobs = new MemoryBlobStore({
    digest: { sha256: async (bytes) => createHash("sha256").update(bytes).digest("hex") },
  })
  readonly #scheduler: Scheduler
  readonly #model: Model
  readonly #managers: readonly SessionManager[]
  /** The sessions that were opened, and what was appended to each. */
  readonly #sessions = new Map<Session, Set<string>>()
  readonly #failure: Failure | null
  readonly #calls = new Map<string, number>()
  #entries = 0
  #isFailing = false

  constructor({ writesSync, actors, failure }: Program, scheduler: Scheduler) {
    this.#writesSync = writesSync
    this.#storage = new ContestedStorage({ writesSync, onRemove: (key) => this.#model.removed(key) })
    this.#scheduler = scheduler
    this.#failure = failure
    const steps = actors.flatMap((actor) => actor.steps.map((step) => step.do))
    const isDisturbed = steps.some((name) => ["delete", "foreign replace", "foreign remove"].includes(name))
    this.#model = new Model(isDisturbed || failure !== null)
    this.#managers = actors.map((_, index) => {
      const options = this.#port(`actor ${index}`)
      return new SessionManager({
        storage: scheduledPort(this.#storage, SESSION_STORAGE, options),
        blobs: scheduledPort(this.#blobs, BLOB_STORE, options),
        clock: testClock(),
        ids: testIds(index + 1),
        anyFile: true,
      })
    })
  }

  async prepare(): Promise<void> {
    for (const [index, key] of KEYS.entries()) {
      const lease = await this.#storage.lease(key, { access: "exclusive", waitMs: 0 })
      const root = messageEntry("root", null, userMessage("root ".repeat(20)))
      await lease.create([bytesOf(sessionText(testHeader({ id: index === 0 ? "first" : "second" }), root))])
      await lease.release()
      this.#model.appended("root")
      this.#model.acknowledged(key, ["root"])
    }
    this.#isFailing = true
  }

  /** Lets the scheduler continue until all are done. @throws Error when nothing continues and something is not done */
  async settle(work: readonly Promise<void>[]): Promise<void> {
    let isDone = false
    const all = Promise.all(work).finally(() => {
      isDone = true
    })
    void Promise.allSettled([all])
    for (let quiet = 0; !isDone; ) {
      await macrotask()
      if (isDone) break
      quiet = this.#scheduler.count() > 0 ? 0 : quiet + 1
      if (quiet > 2 && this.#storage.endWaits()) quiet = 0
      else if (quiet > 5) throw new Error(`Something never settles: ${this.#model.underWay.join(", ")}.`)
      if (this.#scheduler.count() > 0) await this.#scheduler.waitOne()
    }
    await all
  }

  async act({ access, writesThrough, steps }: Actor, index: number): Promise<void> {
    const name = `actor ${index}`
    if (access === "none") {
      for (const step of steps) await this.#model.step(`${name}: ${step.do}`, () => this.#foreign(step, name))
      return
    }
    const manager = this.#managers[index] as SessionManager
    let session: Session | undefined
    const open = async (): Promise<void> => {
      session = undefined
      const persist = writesThrough && this.#writesSync ? "append" : "message"
      session = this.#keep(await manager.open(KEYS[0], { access, persist, cwd: CWD }))
    }
    const running: Promise<unknown>[] = []
    for (const step of steps) {
      const now = session
      const work = this.#model.step(`${name}: ${step.do}`, async () => {
        if (step.do === "delete") return manager.delete(KEYS[0])
        if (!now || step.do === "reopen") {
          if (now) await this.#flushed(now, () => now.close())
          return open()
        }
        const next = await this.#do(step, now, manager)
        if (next) session = this.#keep(next)
      })
      // The rejection is handled by the step, even if later.
      void Promise.allSettled([work])
      if (step.waits || !now) await work
      else running.push(work)
    }
    await Promise.all(running)
  }

  async #foreign({ do: what }: Step, name: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), `${name} (without a lease): ${what}`)
    const [key] = KEYS
    if (what === "foreign append") {
      const id = this.#newId()
      const lineAfter = (text: string) => messageEntry(id, idsOf(text).at(-1) ?? null, userMessage(id))
      this.#model.appended(id)
      if (await this.#storage.foreignAppend(key, lineAfter)) this.#model.acknowledged(key, [id])
    } else if (what === "foreign replace") await this.#storage.foreignReplace(key)
    else await this.#storage.foreignRemove(key)
  }

  /** @returns the session that takes the place of this one */
  async #do({ do: what, choice }: Step, session: Session, manager: SessionManager): Promise<Session | undefined> {
    const entries = session.getEntries()
    const chosen = entries[Math.max(0, entries.length - 1 - choice)]?.id
    // One that was removed and opened again has no entries.
    if (chosen === undefined && ["branch", "copy branch", "stream branch"].includes(what)) return undefined
    switch (what) {
      case "append":
        this.#appended(session, session.appendMessage(choice % 2 === 0 ? userMessage(TEXT) : assistantMessage(TEXT)))
        return undefined
      case "append image":
        this.#appended(session, session.appendMessage(userMessage("", { content: [PICTURE] })))
        return undefined
      case "flush":
        await this.#flushed(session, () => session.flush())
        return undefined
      case "flush sync":
        if (this.#writesSync) await this.#flushed(session, async () => session.flushSync())
        return undefined
      case "branch":
        session.branch(chosen as string)
        return undefined
      case "copy branch":
        await this.#copyBranch(session, chosen as string, manager)
        return undefined
      case "stream branch":
        await this.#streamBranch(session, chosen as string)
        return undefined
      case "compact":
        await this.#compact(session)
        return undefined
      case "refresh":
        this.#model.isOnce(
          "refresh",
          (await session.refresh()).map(({ id }) => id),
        )
        return undefined
      case "watch":
        await this.#watch(session, choice)
        return undefined
      case "retry":
        await this.#flushed(session, () => session.retry({ recreate: choice % 2 === 0 }))
        return undefined
      case "save as":
        await this.#saveAs(session)
        return undefined
      case "switch":
        return this.#flushed(session, () =>
          session.setSessionFile(session.getSessionFile() === KEYS[0] ? KEYS[1] : KEYS[0]),
        )
      case "new":
        return this.#flushed(session, () => session.newSession())
      default:
        throw new Error(`An actor with a session does no ${what}.`)
    }
  }

  async #compact(session: Session): Promise<void> {
    const settings = { keepRecentTokens: 20 }
    const outcome = await compact(session, ({ kind }) => this.#summary(kind), { settings })
    if (outcome.status === "compacted") this.#appended(session, outcome.entryId)
  }

  async #summary(kind: string): Promise<{ text: string }> {
    await this.#scheduler.schedule(Promise.resolve(), `summary of ${kind}`)
    return { text: "What was said." }
  }

  /** What `work` acknowledges: all that was appended to the session before. */
  async #flushed<T>(session: Session, work: () => Promise<T>): Promise<T> {
    const own = this.#sessions.get(session)
    const ids = session.getEntries().flatMap(({ id }) => (own?.has(id) ? [id] : []))
    const result = await work()
    // It may have been saved elsewhere meanwhile: then all of it is there.
    this.#model.acknowledged(session.getSessionFile() as string, ids)
    return result
  }

  async #copyBranch(session: Session, leafId: string, manager: SessionManager): Promise<void> {
    const expected = session.getBranch(leafId).map(({ id }) => id)
    const copy = this.#keep(await session.createBranchedSession(leafId))
    this.#model.equals(
      "the branch in memory",
      copy.getBranch().map(({ id }) => id),
      expected,
    )
    const key = copy.getSessionFile() as string
    await copy.close()
    this.#model.equals("the stored branch", await this.#storedIds(key), expected)
    this.#model.equals("the faults of the stored branch", (await verifySession(manager, key)).diagnostics, [])
  }

  async #saveAs(session: Session): Promise<void> {
    const key = `memory:${CWD}/saved-${this.#newId()}`
    const ids = session.getEntries().map(({ id }) => id)
    await session.saveAs(key)
    this.#model.acknowledged(key, ids)
  }

  async #streamBranch(session: Session, leafId: string): Promise<void> {
    const expected = session.getBranch(leafId).map(({ id }) => id)
    let text = ""
    for await (const piece of streamBranch(session, leafId)) text += textOf(piece)
    this.#model.equals("the streamed branch", idsOf(text), expected)
  }

  async #watch(session: Session, choice: number): Promise<void> {
    const abort = new AbortController()
    const watch = session.watch(abort.signal)
    const seen: string[] = []
    const isLoop = choice % 2 === 0
    const first = isLoop ? firstOf(watch) : watch.next().then(({ value }) => value)
    void Promise.allSettled([first])
    await this.#scheduler.schedule(Promise.resolve(), "the watch ends")
    // A loop is left with its first entry, or aborted; what waits is aborted, or left while it waits.
    if (isLoop || choice % 3 === 0) abort.abort()
    else await watch.return(undefined)
    const entry = await first
    if (entry) seen.push(entry.id)
    for await (const { id } of watch) seen.push(id)
    this.#model.isOnce("a watch", seen)
  }

  #keep(session: Session): Session {
    this.#sessions.set(session, new Set())
    return session
  }

  #appended(session: Session, id: string): void {
    this.#model.appended(id)
    this.#sessions.get(session)?.add(id)
  }

  #newId(): string {
    this.#entries += 1
    return `f${this.#entries.toString(16).padStart(7, "0")}`
  }

  #port(owner: string): ScheduledPortOptions {
    return { scheduler: this.#scheduler, owner, onCall: (method) => this.#failWhenDue(method) }
  }

  #failWhenDue(method: string): void {
    if (!this.#isFailing || this.#failure?.method !== method) return
    const number = this.#calls.get(method) ?? 0
    this.#calls.set(method, number + 1)
    if (number !== this.#failure.number) return
    const data = { key: KEYS[0], operation: method, errno: "EIO" }
    throw new TreelogError("StorageError", `${method} failed as the program says.`, data)
  }

  /** Gives all sessions back, writing what can be written. */
  async closeAll(): Promise<void> {
    for (const session of this.#sessions.keys()) {
      await this.#model.step("the end: close", async () => {
        try {
          await this.#flushed(session, () => session.close())
        } catch (error) {
          if (!isTreelogError(error, "PersistError")) throw error
          await this.#model.step("the end: retry", () => this.#flushed(session, () => session.retry()))
          await session.discard()
          throw error
        }
      })
    }
  }

  async check(): Promise<void> {
    this.#isFailing = false
    this.#model.equals("the leases that are held at the end", [...this.#storage.held.keys()], [])
    const manager = new SessionManager({ storage: this.#storage, blobs: this.#blobs })
    for await (const { key } of this.#storage.list()) {
      this.#model.check(key, await this.#storedIds(key))
      const { diagnostics } = await verifySession(manager, key)
      this.#model.equals(`the faults of ${key}`, diagnostics, [])
    }
  }

  async #storedIds(key: string): Promise<string[]> {
    const stat = await this.#storage.stat(key)
    return stat ? idsOf(textOf(await this.#storage.readRange(key, 0, stat.size))) : []
  }
}

async function firstOf(entries: AsyncIterable<SessionEntry>): Promise<SessionEntry | undefined> {
  for await (const entry of entries) return entry
  return undefined
}

/** The ids of the entries of a session, in the order of its lines. */
function idsOf(text: string): string[] {
  const [, ...lines] = text.trimEnd().split("\n")
  return lines.map((line) => (JSON.parse(line) as { id: string }).id)
}

/**
 * Runs so many random programs, each in a random order.
 * @returns the program that broke something, with the order of its calls, made as small as it gets; undefined where none did
 */
export async function tryOrders(options: {
  count: number
  seed: number
  progress: (done: number) => void
}): Promise<string | undefined> {
  let done = 0
  const inAnyOrder = fc.asyncProperty(program, fc.scheduler(), async (steps, scheduler) => {
    await runProgram(steps, scheduler)
    done += 1
    options.progress(done)
  })
  const result = await fc.check(inAnyOrder, { numRuns: options.count, seed: options.seed })
  return result.failed ? `${String(result.errorInstance)}\n${await fc.asyncDefaultReportMessage(result)}` : undefined
}
