import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { type Clock, type SessionStorage, TreelogError } from "@treelog/session-core"
import type {
  Lease,
  LeaseOptions,
  ListFilter,
  SessionArtifact,
  SessionPlace,
  StorageStat,
  StoredName,
  SummaryCache,
} from "@treelog/session-core/adapter"
import { Changes } from "./changes.js"
import { assertClient, type PostgresClient, type PostgresQuery, type PostgresRow } from "./client.js"
import { compactPieces } from "./compact-pieces.js"
import { Database } from "./database.js"
import { foldersOf } from "./folders.js"
import { Heartbeat, type Holding } from "./heartbeat.js"
import { assertText, folderOfKey, isKey, keyOf, nameOf } from "./keys.js"
import { type LeaseHost, PostgresLease } from "./postgres-lease.js"
import { PostgresSummaryCache, pages } from "./postgres-summary-cache.js"
import { unexpectedState } from "./session-errors.js"
import { statIn } from "./stat.js"
import {
  FIND,
  LEASE_AND_APPEND,
  LEASE_AND_APPEND_MANY,
  LIST,
  LIST_FOLDER,
  PIECE_BYTES,
  READ_RANGE,
  REMOVE_UPLOADS,
  STAT,
  TAKE_LEASE,
} from "./statements.js"

/** Options of a `PostgresSessionStorage`. */
export interface PostgresSessionStorageOptions {
  /** The driver: see `fromPg`, `fromPostgres` and `fromPglite`. */
  readonly client: PostgresClient
  /** Whose sessions these are. Every statement is limited to them. Default `""`, which `rowLevelSecurity` does not allow. */
  readonly tenant?: string | undefined
  /** Sets `treelog.tenant` in each transaction, for the policies of `rowLevelSecuritySql()`. Default false. */
  readonly rowLevelSecurity?: boolean | undefined
  /**
   * How long a lease lasts that its holder does not renew, as when its process was killed. Milliseconds, default 30,000. It is renewed
   * three times in that time.
   */
  readonly leaseMs?: number | undefined
  /** Whether writes notify watchers in other processes, at most five times a second. Default true; without, they poll. */
  readonly notify?: boolean | undefined
  /** Called with errors that no caller gets: of renewals of leases, notifications, the cache of summaries, and of joining pieces when a
   * session is closed. None of them loses data. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** By which this process knows that a lease cannot have lapsed yet. For tests; by default a clock that is never set. */
  readonly clock?: Clock | undefined
}

/** Keys of a page. */
const PAGE = 5_000

/** A lease that made so many appends joins their pieces when it is released. */
const MANY_APPENDS = 32

/** A lease that another holds is requested again after pauses that grow from one to the other. Milliseconds. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [5, 250]

/**
 * Stores sessions in PostgreSQL, for agents on more than one machine. Run `migrate(client)` before. Keys have the form
 * `pg:<working directory>/<session id>`, or `pg:@<project>/<session id>`.
 */
export class PostgresSessionStorage implements SessionStorage {
  readonly leasesExpire = true
  readonly addArtifacts = undefined
  readonly breadcrumbs = undefined
  /** The cached summaries of sessions, in the database: all processes share them. */
  readonly summaries: SummaryCache
  readonly #database: Database
  readonly #heartbeat: Heartbeat
  readonly #changes: Changes
  readonly #leaseMs: number
  readonly #notify: boolean
  readonly #host: LeaseHost

  /** @throws InvalidArgumentError */
  constructor({
    client,
    tenant = "",
    rowLevelSecurity = false,
    leaseMs = 30_000,
    notify = true,
    onError = () => {},
    clock = { now: () => performance.now() },
  }: PostgresSessionStorageOptions) {
    assertClient(client)
    if (!(leaseMs >= 100 && leaseMs <= 86_400_000)) {
      const message = "`leaseMs` is a time from 100 milliseconds to a day."
      throw new TreelogError("InvalidArgumentError", message, { argument: "leaseMs", value: leaseMs })
    }
    if (rowLevelSecurity && tenant === "") {
      const message = "Row-level security needs a `tenant`: the server takes an empty one for none."
      throw new TreelogError("InvalidArgumentError", message, { argument: "tenant", value: tenant })
    }
    this.#database = new Database(client, assertText(tenant), rowLevelSecurity)
    this.#heartbeat = new Heartbeat(this.#database, leaseMs, () => clock.now(), onError)
    this.#changes = new Changes(this.#database, client, onError)
    this.#leaseMs = leaseMs
    this.#notify = notify
    this.summaries = new PostgresSummaryCache(this.#database, onError)
    this.#host = {
      database: this.#database,
      take: (key, query) => this.#take(key, query),
      forget: (holding) => this.#heartbeat.delete(holding),
      isFresh: (holding) => this.#heartbeat.isFresh(holding),
      changed: (key) => this.#changed(key),
      readRange: (key, offset, length, identity) => this.readRange(key, offset, length, identity),
      released: async (key, access, appends) => {
        if (access === "exclusive" && appends >= MANY_APPENDS) await this.compactPieces(key).catch(onError)
      },
    }
  }

  keyFor(place: SessionPlace): string {
    return keyOf(place)
  }

  keyFromRef(ref: string): string | undefined {
    return isKey(ref) ? ref : undefined
  }

  isInside(key: string): boolean {
    return isKey(key)
  }

  folderOf(key: string): string {
    return folderOfKey(key)
  }

  async stat(key: string): Promise<StorageStat | undefined> {
    return statIn(await this.#database.query({ key, operation: "stat" }, STAT, [key]))
  }

  async *list(filter: ListFilter = {}): AsyncGenerator<StoredName> {
    filter.signal?.throwIfAborted()
    for (const folder of (await foldersOf(this.#database, filter)) ?? [undefined])
      for await (const rows of pages(this.#database, folder === undefined ? LIST : LIST_FOLDER, PAGE, {
        folder,
        ...filter,
      }))
        for (const row of rows) {
          filter.signal?.throwIfAborted()
          yield nameOf(String(row.key))
        }
  }

  /** The stored sessions with this id, by an index. */
  async *find(id: string, { signal }: Pick<ListFilter, "signal"> = {}): AsyncGenerator<StoredName> {
    signal?.throwIfAborted()
    for (const row of await this.#database.query({ key: id, operation: "find" }, FIND, [id]))
      yield nameOf(String(row.key))
  }

  async readRange(key: string, offset: number, length: number, identity?: string): Promise<Uint8Array> {
    const values = [key, offset, offset + length]
    const [row] = await this.#database.query({ key, operation: "readRange" }, READ_RANGE, values)
    if (!row) throw new TreelogError("SessionNotFoundError", `Nothing is stored under ${key}`, { ref: key })
    if (identity !== undefined && row.object !== identity) {
      const found = { identity: String(row.object), size: 0, modified: 0 }
      throw unexpectedState(key, found, { ...found, identity })
    }
    const bytes = row.bytes as Uint8Array | null
    return bytes ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : new Uint8Array()
  }

  async lease(key: string, options: LeaseOptions): Promise<Lease> {
    assertText(key)
    const holding = await untilFree(options.waitMs, () => this.#take(key))
    return new PostgresLease(this.#host, holding, options.access)
  }

  /**
   * Takes the lease, appends, and releases it, in one statement.
   * @throws SessionBusyError, SessionChangedError, StorageError
   */
  async leaseAndAppend(
    key: string,
    { waitMs }: LeaseOptions,
    bytes: Uint8Array,
    expected: StorageStat,
  ): Promise<StorageStat> {
    const own = new Uint8Array(bytes)
    const purpose = { key, operation: "append" }
    const values = [key, process.pid, hostname(), expected.identity, expected.size, own]
    const text = own.length > PIECE_BYTES ? LEASE_AND_APPEND_MANY : LEASE_AND_APPEND
    const row = await untilFree(waitMs, async () => assertTaken(key, await this.#database.query(purpose, text, values)))
    if (row.size == null) throw unexpectedState(key, await this.stat(key), expected)
    this.#changed(key)
    return { identity: expected.identity, size: Number(row.size), modified: Number(row.modified) }
  }

  async *artifacts(): AsyncGenerator<SessionArtifact> {}

  async *parts(): AsyncGenerator<StoredName> {}

  watch(key: string, signal: AbortSignal): AsyncIterable<void> {
    return this.#changes.watch(key, signal, async () => JSON.stringify(await this.stat(key)) ?? "")
  }

  /**
   * Joins the small pieces in which the appends of a session are stored to pieces of up to 256 KB, which are compressed. Readers and
   * writers do not notice. It runs when an exclusive session that appended often is closed; shared ones need this call.
   * @returns how many pieces fewer there are
   * @throws StorageError
   */
  compactPieces(key: string): Promise<number> {
    return compactPieces(this.#database, key)
  }

  /**
   * Removes what was stored of new sessions whose programs were killed before they were complete.
   * @param olderThanMs spares those that may still be in progress. Milliseconds, default a day.
   * @returns how many there were
   * @throws StorageError
   */
  async removeAbandonedUploads({ olderThanMs = 86_400_000 }: { readonly olderThanMs?: number } = {}): Promise<number> {
    const purpose = { key: "uploads", operation: "remove" }
    return (await this.#database.query(purpose, REMOVE_UPLOADS, [olderThanMs])).length
  }

  async #take(key: string, query?: PostgresQuery): Promise<Holding> {
    const owner = randomUUID()
    const freshUntil = this.#heartbeat.deadline()
    const values = [key, owner, process.pid, hostname(), this.#leaseMs]
    const run = query ?? ((text, params) => this.#database.query({ key, operation: "lease" }, text, params))
    const row = assertTaken(key, await run(TAKE_LEASE, values))
    const holding = { key, owner, fence: Number(row.fence), freshUntil }
    this.#heartbeat.add(holding)
    return holding
  }

  #changed(key: string): void {
    if (this.#notify) this.#changes.notify(key)
  }
}

/** The row of a statement that takes a lease. @throws SessionBusyError when another holds it */
function assertTaken(key: string, [row = {}]: readonly PostgresRow[]): PostgresRow {
  if (row.fence != null) return row
  const since = new Date(row.since == null ? Date.now() : Number(row.since)).toISOString()
  const [pid, host] = [Number(row.pid ?? 0), String(row.host ?? "unknown")]
  const message = `The session ${key} is held for writing by process ${pid} on ${host} since ${since}`
  throw new TreelogError("SessionBusyError", message, { key, pid, host, since })
}

/** Tries again while it is busy and there is time. */
async function untilFree<Result>(waitMs: number, attempt: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + waitMs
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
    try {
      return await attempt()
    } catch (error) {
      const left = end - performance.now()
      if (!(error instanceof TreelogError && error.code === "SessionBusyError") || left <= 0) throw error
      // A random part, so that those who wait do not all ask in the same moment.
      await sleep(Math.min(left, pause * (0.5 + Math.random())))
    }
  }
}
