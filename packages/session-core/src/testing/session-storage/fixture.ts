import type {
  Lease,
  LeaseOptions,
  SessionPlace,
  SessionStorage,
  StorageStat,
  StoredName,
} from "../../ports/session-storage.js"
import { equal, ok } from "../assert.js"
import { type TestsOf, testsWhere } from "../suite.js"
import { bytes } from "./samples.js"

/** A storage to test. */
export interface SessionStorageCandidate {
  /** The name of the suite in the results. */
  readonly name: string
  /**
   * A storage of this kind. Tests are registered before `setup` makes the first one: those that need an optional member or a capability
   * that this one does not have are skipped, with the reason. It is not called.
   */
  readonly example: SessionStorage
  /** Whether leases exclude other processes, not only other callers of this object. Default false. */
  readonly processes?: boolean
  /** Whether written bytes survive the process once `sync` has resolved. Default false. */
  readonly durable?: boolean
  /** Whether `setup` gives `loseNextAnswer`. Without it, the tests of lost answers are skipped. */
  readonly losesAnswers?: boolean
  /** Whether the `summaries` of the storage have `newest`. Without it, its tests are skipped. */
  readonly findsNewest?: boolean
  /** Makes a new storage: an empty one, or, unless `writes`, one with the sessions of `others`. Called once for each test. */
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
  /** Sessions that are stored, since the suite cannot write them. Required unless `writes`. */
  readonly others?: StoredSessions
  /** Makes the lease of the key lapse, as if its holder had not renewed it in time. Required if `expires`. */
  lapse?(key: string): Promise<void>
  /** Makes the next append (and `leaseAndAppend`) store its bytes, and then fail with StorageError, as if its answer was lost. */
  loseNextAnswer?(): void
  /** Called after each test, when the suite's leases are released. */
  teardown(): Promise<void>
}

/** The sessions of a storage that can only be read, and the program that writes them. */
export interface StoredSessions {
  /** At least two, of two folders. */
  readonly sessions: readonly StoredSample[]
  /** Continues the session: what was stored is the beginning of what is stored then. */
  grow(key: string): Promise<void>
  /** Changes what was stored. */
  rewrite(key: string): Promise<void>
  remove(key: string): Promise<void>
  /** What is stored where the program keeps its sessions, to be compared: names, sizes and times. */
  state(): Promise<unknown>
}

/** A session that is stored from the start. */
export interface StoredSample {
  readonly key: string
  readonly id: string
  readonly cwd: string
}

/** Access to the artifacts of a session, by file name. */
export interface Companions {
  write(key: string, name: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none with that name. */
  read(key: string, name: string): Promise<Uint8Array | undefined>
}

/** The input of a test: a new storage, with shortcuts to fill and check it. */
export type Fixture = Awaited<ReturnType<typeof openFixture>>

/** What a test needs: a capability of the storage, one of its optional members, or an option of the candidate. */
export type Need = Capability | OptionalMember | CandidateOption | "readOnly"
type Capability = keyof SessionStorage["supports"]
type OptionalMember = "watch" | "breadcrumbs" | "openRanges" | "leaseAndAppend" | "leaseSync"
type CandidateOption = "processes" | "durable" | "losesAnswers" | "findsNewest"

/** Why a test that needs this does not apply to the candidate; undefined if it does. */
export function reasonToSkip(candidate: SessionStorageCandidate, need: Need): string | undefined {
  const { supports } = candidate.example
  switch (need) {
    case "readOnly":
      return supports.writes ? "supports.writes is true" : undefined
    case "writes":
    case "artifacts":
    case "expires":
      return supports[need] ? undefined : `supports.${need} is false`
    case "processes":
    case "durable":
    case "losesAnswers":
    case "findsNewest":
      return candidate[need] ? undefined : `the option ${need} is not set`
    default:
      return candidate.example[need] ? undefined : `it has no ${need}`
  }
}

export type Tests = TestsOf<Fixture, Need>

export const where = testsWhere<Fixture, Need>

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
    ok(setup.reopen !== undefined, "setup() gives `reopen` where the candidate is `durable` or has `processes`")
    return setup.reopen()
  }

  async function lapse(key: string): Promise<void> {
    ok(setup.lapse !== undefined, "setup() gives `lapse` where `expires` is supported")
    await setup.lapse(key)
  }

  function loseNextAnswer(): void {
    ok(setup.loseNextAnswer !== undefined, "setup() gives `loseNextAnswer` where the candidate has `losesAnswers`")
    setup.loseNextAnswer()
  }

  /** Appends under a lease of its own, in one step. The test applies only where the storage supports it. */
  async function leaseAndAppend(key: string, content: string, expected: StorageStat, waitMs = 0): Promise<StorageStat> {
    ok(storage.leaseAndAppend !== undefined, "the storage has `leaseAndAppend`, as the example has")
    return storage.leaseAndAppend(key, { access: "shared", waitMs }, bytes(content), expected)
  }

  function companions(): Companions {
    ok(setup.companions !== undefined, "setup() gives `companions` where `artifacts` is supported")
    return setup.companions
  }

  function others(): StoredSessions {
    ok(setup.others !== undefined, "setup() gives `others` where `writes` is not supported")
    return setup.others
  }

  /** The keys that the storage lists, sorted. */
  const listed = (cwd?: string, project?: string): Promise<string[]> => keysOf(storage.list({ cwd, project }))

  /** The keys that the storage finds for an id, sorted; without those whose id it does not know. */
  const found = (id: string): Promise<string[]> => keysOf(storage.find(id), (name) => name.id === id)

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

  const shortcuts = {
    place,
    newKey,
    lease,
    tryLease,
    session,
    reopen,
    companions,
    others,
    listed,
    found,
    stored,
    holds,
  }
  const faults = { lapse, loseNextAnswer }
  return { storage, example: candidate.example, ...shortcuts, holdsNothing, leaseAndAppend, ...faults, close }
}

async function keysOf(names: AsyncIterable<StoredName>, fits = (_: StoredName) => true): Promise<string[]> {
  const keys: string[] = []
  for await (const name of names) if (fits(name)) keys.push(name.key)
  return keys.sort()
}
