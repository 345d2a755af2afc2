import type {
  Lease,
  LeaseOptions,
  SessionPlace,
  SessionStorage,
  StorageStat,
  StorageSupports,
} from "../../ports/session-storage.js"
import { equal, ok } from "../assert.js"
import { type TestsOf, testsWhere } from "../suite.js"
import { bytes } from "./samples.js"

/** A storage to test. */
export interface SessionStorageCandidate {
  /** The name of the suite in the results. */
  readonly name: string
  /**
   * The `supports` of the storage. Tests are registered before the first storage is made, so it is needed
   * here too; the first test compares it with the storage. Tests that do not apply are skipped, with the reason.
   */
  readonly supports: StorageSupports
  /** Makes a new, empty storage. Called once for each test. */
  setup(): Promise<SessionStorageSetup>
  /** The working directory of the suite's sessions. Default `/home/user/project`. */
  readonly cwd?: string
}

/** A new storage for one test, and operations that the port does not have. */
export interface SessionStorageSetup {
  readonly storage: SessionStorage
  /** Opens a second, independent storage over the same data and for the same terminal. Required if `durable` or `processes`. */
  reopen?(): Promise<SessionStorage>
  /** Writes and reads the artifacts of a session. Required if `artifacts`. */
  readonly companions?: Companions
  /** Called after each test, when the suite's leases are released. */
  teardown(): Promise<void>
}

/** Access to the artifacts of a session, by file name. */
export interface Companions {
  write(key: string, name: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none with that name. */
  read(key: string, name: string): Promise<Uint8Array | undefined>
}

/** The input of a test: a new storage, with shortcuts to fill and check it. */
export type Fixture = Awaited<ReturnType<typeof openFixture>>

export type Tests = TestsOf<Fixture, keyof StorageSupports>

export const where = testsWhere<Fixture, keyof StorageSupports>

export async function openFixture(candidate: SessionStorageCandidate) {
  const setup = await candidate.setup()
  const { storage } = setup
  const leases: Lease[] = []
  let places = 0

  /** A place that is different from all earlier ones of this test. */
  function place(cwd = candidate.cwd ?? "/home/user/project"): SessionPlace {
    const number = String(++places).padStart(12, "0")
    return { cwd, id: `01890a5d-ac96-774b-bcce-${number}`, timestamp: "2026-03-07T14:00:00.000Z" }
  }

  /** A key without a stored object. */
  const newKey = (): string => storage.keyFor(place())

  async function lease(key = newKey(), options: Partial<LeaseOptions> = {}, of = storage): Promise<Lease> {
    const taken = await of.lease(key, { access: "exclusive", waitMs: 0, ...options })
    leases.push(taken)
    return taken
  }

  /** Tries to take a lease without waiting; the test expects that this fails. */
  const tryLease = (key: string, of = storage): Promise<Lease> => of.lease(key, { access: "exclusive", waitMs: 0 })

  /** A stored session, with the lease that wrote it. */
  async function session(content: string, at?: string): Promise<{ key: string; lease: Lease; stat: StorageStat }> {
    const writer = await lease(at)
    return { key: writer.key, lease: writer, stat: await writer.create([bytes(content)]) }
  }

  async function reopen(): Promise<SessionStorage> {
    ok(setup.reopen !== undefined, "setup() gives `reopen` where `durable` or `processes` is supported")
    return setup.reopen()
  }

  function companions(): Companions {
    ok(setup.companions !== undefined, "setup() gives `companions` where `artifacts` is supported")
    return setup.companions
  }

  /** The keys that the storage lists, sorted. */
  async function listed(cwd?: string): Promise<string[]> {
    const keys: string[] = []
    for await (const name of storage.list({ cwd })) keys.push(name.key)
    return keys.sort()
  }

  /** The bytes under a key; undefined when there are none. */
  async function stored(key: string, of = storage): Promise<Uint8Array | undefined> {
    const stat = await of.stat(key)
    return stat && of.readRange(key, 0, stat.size + 1)
  }

  /** Asserts that exactly these bytes are stored under the key. */
  async function holds(key: string, content: string | Uint8Array, of = storage): Promise<void> {
    const expected = typeof content === "string" ? bytes(content) : content
    equal((await of.stat(key))?.size, expected.length, `the stored size of ${key}`)
    equal(await stored(key, of), expected, `what is stored under ${key}`)
  }

  async function holdsNothing(key: string): Promise<void> {
    equal(await storage.stat(key), undefined, `the stat of ${key}`)
    ok(!(await listed()).includes(key), `${key} is not listed`)
  }

  /** Releases all leases, and tears down. Leases that the test has released may fail. */
  async function close(): Promise<void> {
    await Promise.allSettled(leases.map((taken) => taken.release()))
    await setup.teardown()
  }

  const { supports } = candidate
  const shortcuts = { place, newKey, lease, tryLease, session, reopen, companions, listed, stored, holds, holdsNothing }
  return { storage, supports, ...shortcuts, close }
}
