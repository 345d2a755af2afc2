import { isTreelogError } from "../../errors.js"
import { byteText } from "../../log/byte-text.js"
import type { Lease, SessionPlace, SessionStorage } from "../../ports/session-storage.js"
import type { SessionRef } from "../../session/listing/resolve-ref.js"
import type { Session } from "../../session/session.js"
import { SessionManager } from "../../session/session-manager.js"
import { equal, ok } from "../assert.js"
import type { Fixture, Tests } from "./fixture.js"

// What is moved or removed is another's doing, so it happens between two calls of the opener: in turn before each of its calls.

const ACCESS = ["exclusive", "shared"] as const
type Access = (typeof ACCESS)[number]

/** What happens to a session under its lease. */
type Event = (lease: Lease, to: string) => Promise<void>

const move: Event = (lease, to) => lease.move(to)
const remove: Event = (lease) => lease.remove()
const moveAndBack: Event = async (lease, to) => {
  const from = lease.key
  await lease.move(to)
  await lease.move(from)
}

export const openTests: Tests = {
  "by its id is found where it was moved": (fixture) =>
    beforeEachCall(
      fixture,
      move,
      ({ id }) => ({ id }),
      (session) => ok(session !== undefined, "the session is found"),
    ),

  "by its id is found when it was moved to and fro": (fixture) =>
    beforeEachCall(
      fixture,
      moveAndBack,
      ({ id }) => ({ id }),
      (session) => ok(session !== undefined, "the session is found"),
    ),

  "by its key is opened, or not found": (fixture) =>
    beforeEachCall(fixture, move, (place) => fixture.storage.keyFor(place)),

  "by its id is opened, or not found where it was removed": (fixture) =>
    beforeEachCall(fixture, remove, ({ id }) => ({ id })),

  "by its key is opened, or not found where it was removed": (fixture) =>
    beforeEachCall(fixture, remove, (place) => fixture.storage.keyFor(place)),

  "is not made where its holder removed it meanwhile": async (fixture) => {
    for (const access of ACCESS) {
      const { key, lease } = await fixture.session("{}\n")
      const opening = new SessionManager({ storage: fixture.storage, anyFile: true }).open(key, {
        access,
        busyTimeoutMs: 5_000,
      })
      const [outcome] = await Promise.allSettled([opening, lease.remove().then(() => lease.release())])
      ok(outcome.status === "rejected", `opening as ${access} fails`)
      const { code } = outcome.reason as { code?: string }
      ok(code === "SessionNotFoundError" || code === "SessionBusyError", `${access} fails with ${code}`)
      await fixture.holdsNothing(key)
    }
  },
}

/** Opens a session again and again, while `event` happens before another call of the storage each time. */
async function beforeEachCall(
  fixture: Fixture,
  event: Event,
  refOf: (place: SessionPlace) => SessionRef,
  check: (session: Session | undefined) => void = () => {},
): Promise<void> {
  for (const access of ACCESS)
    for (let call = 1; await happensAt(fixture, call, event, { access, refOf, check }); call++);
}

/** Whether the opener made so many calls. */
async function happensAt(
  fixture: Fixture,
  call: number,
  event: Event,
  {
    access,
    refOf,
    check,
  }: { access: Access; refOf: (place: SessionPlace) => SessionRef; check: (session: Session | undefined) => void },
): Promise<boolean> {
  const { storage } = fixture
  const place = fixture.place()
  const key = storage.keyFor(place)
  const to = storage.keyFor({ ...place, cwd: `${place.cwd}/elsewhere` })
  const header = { type: "session", version: 3, ...place }
  await (await fixture.session(`${JSON.stringify(header)}\n`, key)).lease.release()
  const other = new OtherProcess(call, async () => {
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
    await event(lease, to)
    await lease.release()
  })
  const sessions = new SessionManager({ storage: other.beside(storage), anyFile: true })
  const session = await sessions.open(refOf(place), { access, busyTimeoutMs: 0 }).catch((error) => {
    if (!isTreelogError(error, "SessionNotFoundError")) throw error
    return undefined
  })
  check(session)
  session?.appendMessage({ role: "user", content: "acknowledged", timestamp: 1 })
  const closed = await Promise.allSettled([session?.close()])
  if (closed[0].status === "rejected") await session?.discard()
  await holdsOne(fixture, place, session !== undefined && closed[0].status === "fulfilled")
  return other.hasCome
}

/** At most one session with the id is stored, with its own header; what was acknowledged is in it. */
async function holdsOne(fixture: Fixture, { id, cwd }: SessionPlace, isAcknowledged: boolean): Promise<void> {
  const keys = await fixture.found(id)
  ok(keys.length <= 1, `there is one session ${id}: ${keys}`)
  const [key] = keys
  const text = key === undefined ? "" : await storedText(fixture, key)
  ok(!isAcknowledged || text.includes("acknowledged"), `what was acknowledged is stored in ${key}: ${text}`)
  const [header] = text.split("\n")
  if (header) equal(pick(JSON.parse(header)), { id, cwd }, "the header")
  for (const other of await fixture.listed()) {
    const [line] = (await storedText(fixture, other)).split("\n")
    equal(JSON.parse(line ?? "").cwd, cwd, `the folder of ${other}`)
  }
}

/** What the suite stores has only characters of ASCII. */
async function storedText({ stored }: Fixture, key: string): Promise<string> {
  return byteText((await stored(key)) ?? new Uint8Array())
}

const pick = ({ id, cwd }: { id?: unknown; cwd?: unknown }) => ({ id, cwd })

/** Does something once, before another caller's call number `at` of a storage. */
class OtherProcess {
  hasCome = false
  #calls = 0
  readonly #at: number
  readonly #work: () => Promise<void>

  constructor(at: number, work: () => Promise<void>) {
    this.#at = at
    this.#work = work
  }

  /** The storage with asynchronous methods only, before whose calls the other one works. */
  beside(storage: SessionStorage): SessionStorage {
    return new Proxy(storage, {
      get: (target, name) => {
        if (name === "leaseSync" || name === "statSync" || name === "openRangesSync") return undefined
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== "function") return value
        const method = value.bind(target)
        if (name === "find" || name === "list") return (...given: unknown[]) => this.#each(() => method(...given))
        if (!ASYNCHRONOUS.some((one) => one === name)) return method
        return async (...given: unknown[]) => {
          await this.#come()
          return method(...given)
        }
      },
    })
  }

  async *#each<T>(names: () => AsyncIterable<T>): AsyncGenerator<T> {
    await this.#come()
    for await (const name of names()) {
      yield name
      await this.#come()
    }
  }

  async #come(): Promise<void> {
    if (++this.#calls !== this.#at) return
    this.hasCome = true
    try {
      await this.#work()
    } catch (error) {
      // The opener has it by now.
      if (!isTreelogError(error, "SessionBusyError")) throw error
    }
  }
}

const ASYNCHRONOUS = ["stat", "lease", "readRange", "openRanges"]
