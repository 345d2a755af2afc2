import type { Lease, LeaseOptions, SessionPlace, SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { equal, ok } from "../assert.js"
import { bytes } from "./bytes.js"
import type { Companions, SessionStorageSetup } from "./candidate.js"

/** The input of a test: a new storage, with shortcuts to fill and check it. Leases are released after the test. */
export class Fixture {
  readonly storage: SessionStorage
  readonly #setup: SessionStorageSetup
  readonly #cwd: string
  readonly #leases: Lease[] = []
  #places = 0

  constructor(setup: SessionStorageSetup, cwd: string) {
    this.storage = setup.storage
    this.#setup = setup
    this.#cwd = cwd
  }

  // Arrow functions, so that tests can destructure the ones they use.

  /** A place that is different from all earlier ones of this test. */
  readonly place = (cwd = this.#cwd): SessionPlace => {
    const number = String(++this.#places).padStart(12, "0")
    return { cwd, id: `01890a5d-ac96-774b-bcce-${number}`, timestamp: "2026-03-07T14:00:00.000Z" }
  }

  /** A key without a stored object. */
  readonly newKey = (): string => this.storage.keyFor(this.place())

  readonly lease = async (
    key = this.newKey(),
    options: Partial<LeaseOptions> = {},
    storage = this.storage,
  ): Promise<Lease> => {
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0, ...options })
    this.#leases.push(lease)
    return lease
  }

  /** A stored session, with the lease that wrote it. */
  readonly session = async (
    content: string,
    key?: string,
  ): Promise<{ key: string; lease: Lease; stat: StorageStat }> => {
    const lease = await this.lease(key)
    const stat = await lease.create([bytes(content)])
    return { key: lease.key, lease, stat }
  }

  readonly reopen = async (): Promise<SessionStorage> => {
    ok(this.#setup.reopen !== undefined, "setup() gives `reopen` where `durable` or `processes` is supported")
    return this.#setup.reopen()
  }

  readonly companions = (): Companions => {
    ok(this.#setup.companions !== undefined, "setup() gives `companions` where `artifacts` is supported")
    return this.#setup.companions
  }

  /** The keys that the storage lists, sorted. */
  readonly listed = async (cwd?: string): Promise<string[]> => {
    const keys: string[] = []
    for await (const name of this.storage.list({ cwd })) keys.push(name.key)
    return keys.sort()
  }

  /** The bytes under a key; undefined when there are none. */
  readonly stored = async (key: string, storage = this.storage): Promise<Uint8Array | undefined> => {
    const stat = await storage.stat(key)
    return stat && storage.readRange(key, 0, stat.size + 1)
  }

  /** Asserts that exactly these bytes are stored under the key. */
  readonly holds = async (key: string, content: string | Uint8Array, storage = this.storage): Promise<void> => {
    const expected = typeof content === "string" ? bytes(content) : content
    equal((await storage.stat(key))?.size, expected.length, `the stored size of ${key}`)
    equal(await this.stored(key, storage), expected, `what is stored under ${key}`)
  }

  readonly holdsNothing = async (key: string): Promise<void> => {
    equal(await this.storage.stat(key), undefined, `the stat of ${key}`)
    ok(!(await this.listed()).includes(key), `${key} is not listed`)
  }

  /** Releases all leases. Those that the test has released may fail. */
  readonly releaseAll = async (): Promise<void> => {
    await Promise.allSettled(this.#leases.map((lease) => lease.release()))
  }
}
