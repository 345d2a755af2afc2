import type { StorageStat } from "../../ports/session-source.js"
import type {
  Lease,
  LeaseOptions,
  SessionPlace,
  SessionStorage,
  SyncSessionStorage,
} from "../../ports/session-storage.js"
import { ok } from "../assert.js"
import { type SourceNeed, type StoredSample, type StoredSessions, sourceShortcuts } from "../session-source/fixture.js"
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
  /** Writes and reads the artifacts of a session. Required if it has `addArtifacts`. */
  readonly companions?: Companions
  /** Makes the lease of the key lapse, as if its holder had not renewed it in time. Required if `leasesExpire`. */
  lapse?(key: string): Promise<void>
  /** Makes the next append (and `leaseAndAppend`) store its bytes, and then fail with StorageError, as if its answer was lost. */
  loseNextAnswer?(): void
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

/** What a test needs: an optional member of the storage, leases that expire, or an option of the candidate. */
export type Need =
  | SourceNeed
  | "addArtifacts"
  | "leasesExpire"
  | "breadcrumbs"
  | "leaseAndAppend"
  | "leaseSync"
  | CandidateOption
type CandidateOption = "processes" | "durable" | "losesAnswers" | "findsNewest"

/** Why a test that needs this does not apply to the candidate; undefined if it does. */
export function reasonToSkip(candidate: SessionStorageCandidate, need: Need): string | undefined {
  const example: SessionStorage & Partial<SyncSessionStorage> = candidate.example
  switch (need) {
    case "processes":
    case "durable":
    case "losesAnswers":
    case "findsNewest":
      return candidate[need] ? undefined : `the option ${need} is not set`
    case "reopen":
      return candidate.durable || candidate.processes ? undefined : "neither the option durable nor processes is set"
    default:
      return example[need] ? undefined : `it has no ${need}`
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
    ok(setup.lapse !== undefined, "setup() gives `lapse` where `leasesExpire` is true")
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
    ok(setup.companions !== undefined, "setup() gives `companions` where the example has `addArtifacts`")
    return setup.companions
  }

  let written: Promise<StoredSessions> | undefined

  function others(): Promise<StoredSessions> {
    written ??= writeSessions()
    return written
  }

  /** Two sessions that are stored, and what writes them. */
  async function writeSessions(): Promise<StoredSessions> {
    const writers = new Map<string, { lease: Lease; stat: StorageStat }>()
    const sessions: StoredSample[] = []
    for (const cwd of ["/home/ada/shop", "/home/bob/shop"]) {
      const somewhere = place(cwd)
      const { key, ...writer } = await session('{"type":"session"}\n', storage.keyFor(somewhere))
      writers.set(key, writer)
      sessions.push({ ...somewhere, key })
    }
    const writerOf = (key: string) => {
      const writer = writers.get(key)
      ok(writer !== undefined, `${key} was written`)
      return writer
    }
    return {
      sessions,
      grow: (key) => writerOf(key).lease.append(bytes("{}\n"), writerOf(key).stat),
      rewrite: (key) => writerOf(key).lease.replace([bytes("{}\n")], { expected: writerOf(key).stat }),
      remove: (key) => writerOf(key).lease.remove(),
      state: () => Promise.all(sessions.map(({ key }) => storage.stat(key))),
    }
  }

  /** Releases all leases, and tears down. Leases that the test has released may fail. */
  async function close(): Promise<void> {
    await Promise.allSettled(leases.map((taken) => taken.release()))
    await setup.teardown()
  }

  const own = {
    place,
    newKey,
    lease,
    tryLease,
    session,
    reopen,
    companions,
    others,
    leaseAndAppend,
    lapse,
    loseNextAnswer,
  }
  return { ...sourceShortcuts(storage), ...own, storage, source: storage, example: candidate.example, close }
}
