import { TreelogError } from "@treelog/session-core"
import {
  type Chunks,
  type Lease,
  type LeaseOptions,
  randomIds,
  type StorageStat,
  sessionExists,
} from "@treelog/session-core/adapter"
import type { PostgresQuery, PostgresRow } from "./client.js"
import type { Database } from "./database.js"
import type { Holding } from "./heartbeat.js"
import { folderOfKey, idOfKey } from "./keys.js"
import { leaseLost, unexpectedState, uploadRemoved } from "./session-errors.js"
import { statIn } from "./stat.js"
import {
  APPEND,
  APPEND_MANY,
  CHECK_LEASE,
  CREATE,
  DROP,
  LOCK_LEASE,
  LOCK_SESSION,
  LOOK,
  PIECE_BYTES,
  RELEASE_LEASE,
  REMOVE,
  REMOVE_UPLOAD,
  RENAME,
  STAT,
} from "./statements.js"
import { type Upload, uploadAll } from "./upload.js"

/** What a lease needs of its storage. */
export interface LeaseHost {
  readonly database: Database
  /** Takes a key without waiting. @throws SessionBusyError */
  take(key: string, query?: PostgresQuery): Promise<Holding>
  /** Stops the renewal. */
  forget(holding: Holding): void
  /** Whether the lease cannot have lapsed yet, by the clock of this process. */
  isFresh(holding: Holding): boolean
  changed(key: string): void
  readRange(key: string, offset: number, length: number, identity: string): Promise<Uint8Array>
  /** Called after the release of an exclusive lease that appended. */
  released(key: string, access: LeaseOptions["access"], appends: number): Promise<void>
}

/**
 * The right to write one session: a row with an owner and an expiry. Every method verifies it in the statement or transaction that
 * writes, by the server's clock. Each of these is atomic and durable once answered, so a crash anywhere leaves either all or nothing.
 * If only the answer is lost, the next append finds out whether its bytes are stored.
 */
export class PostgresLease implements Lease {
  readonly #host: LeaseHost
  readonly #access: LeaseOptions["access"]
  #holding: Holding
  #isReleased = false
  #appends = 0

  constructor(host: LeaseHost, holding: Holding, access: LeaseOptions["access"]) {
    this.#host = host
    this.#holding = holding
    this.#access = access
  }

  get key(): string {
    return this.#holding.key
  }

  async create(chunks: Chunks): Promise<StorageStat> {
    return this.#do("create", async (purpose) => {
      const upload = await this.#upload("create", chunks)
      const [row] = await this.#host.database.query(purpose, CREATE, this.#created(upload))
      if (row?.modified != null) return statOf(upload, row)
      await this.#discard(upload)
      if (row?.fence == null) throw leaseLost(this.key, "create")
      throw statIn(await this.#host.database.query(purpose, STAT, [this.key]))
        ? sessionExists(this.key)
        : uploadRemoved(this.key, "create")
    })
  }

  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    return this.#do("append", async (purpose) => {
      const own = new Uint8Array(bytes)
      const values = [...this.#mine, expected.identity, expected.size, own]
      const [row] = await this.#host.database.query(purpose, own.length > PIECE_BYTES ? APPEND_MANY : APPEND, values)
      this.#appends += 1
      if (row) return { identity: expected.identity, size: Number(row.size), modified: Number(row.modified) }
      return this.#storedBefore(own, expected)
    })
  }

  async sync(): Promise<void> {
    this.#assertNotReleased("sync")
    // What was written is durable. This only reports a lost lease, and needs no round trip while it cannot have lapsed.
    if (this.#host.isFresh(this.#holding)) return
    const [row] = await this.#host.database.query({ key: this.key, operation: "sync" }, CHECK_LEASE, this.#mine)
    if (!row) throw leaseLost(this.key, "sync")
  }

  async replace(
    chunks: Chunks,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }> {
    return this.#do("replace", async (purpose) => {
      const upload = await this.#upload("replace", chunks)
      try {
        return await this.#host.database.transaction(purpose, async (query) => {
          await this.#lock(query, "replace")
          const found = statIn(await query(LOCK_SESSION, [this.key]))
          assertUnchanged(this.key, found, expected)
          const kept = keepAs === undefined ? undefined : await this.#hide(query, keepAs)
          if (kept === undefined) await query(DROP, [this.key])
          const [row] = await query(CREATE, this.#created(upload))
          if (row?.modified == null) throw uploadRemoved(this.key, "replace")
          return { stat: statOf(upload, row), ...(kept !== undefined && { kept }) }
        })
      } catch (error) {
        await this.#discard(upload)
        throw error
      }
    })
  }

  async move(to: string): Promise<void> {
    await this.#do("move", async (purpose) => {
      const from = this.#holding
      const taken = await this.#host.database.transaction(purpose, async (query) => {
        await this.#lock(query, "move")
        const taking = await this.#host.take(to, query)
        if (!statIn(await query(LOCK_SESSION, [from.key])))
          throw new TreelogError("SessionNotFoundError", `Nothing is stored under ${from.key}`, { ref: from.key })
        const there = statIn(await query(LOCK_SESSION, [to]))
        if (there && there.size > 0) throw sessionExists(to)
        if (there) await query(DROP, [to])
        await query(RENAME, [from.key, to, folderOfKey(to), idOfKey(to), taking.fence, false])
        await query(RELEASE_LEASE, [from.key, from.owner])
        return taking
      })
      this.#host.forget(from)
      this.#holding = taken
      this.#host.changed(from.key)
    })
  }

  async remove(): Promise<void> {
    await this.#do("remove", async (purpose) => {
      const [row] = await this.#host.database.query(purpose, REMOVE, this.#mine)
      if (row?.fence == null) throw leaseLost(this.key, "remove")
    })
  }

  async release(): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#host.forget(this.#holding)
    await this.#host.database.query({ key: this.key, operation: "release" }, RELEASE_LEASE, this.#mine)
    await this.#host.released(this.key, this.#access, this.#appends)
  }

  /** The values that identify the lease. */
  get #mine(): [key: string, owner: string] {
    return [this.key, this.#holding.owner]
  }

  async #do<Result>(operation: string, work: (purpose: { key: string; operation: string }) => Promise<Result>) {
    this.#assertNotReleased(operation)
    const result = await work({ key: this.key, operation })
    this.#host.changed(this.key)
    return result
  }

  #assertNotReleased(operation: string): void {
    if (!this.#isReleased) return
    const data = { key: this.key, operation, errno: undefined }
    throw new TreelogError("StorageError", `The lease of ${this.key} was released: it cannot ${operation}`, data)
  }

  async #lock(query: PostgresQuery, operation: string): Promise<void> {
    const [row] = await query(LOCK_LEASE, this.#mine)
    if (!row) throw leaseLost(this.key, operation)
  }

  #upload(operation: string, chunks: Chunks): Promise<Upload> {
    return uploadAll(this.#host.database, { key: this.key, operation }, chunks, randomIds.sessionId(Date.now()))
  }

  #created({ object, size, last, isStored }: Upload) {
    return [...this.#mine, object, size, folderOfKey(this.key), idOfKey(this.key), isStored, last]
  }

  /** Removes the pieces of an upload that became no session. */
  async #discard({ object, isStored }: Upload): Promise<void> {
    // The first error is what the caller needs; what cannot be removed now, `removeAbandonedUploads` removes.
    if (isStored)
      await Promise.allSettled([
        this.#host.database.query({ key: this.key, operation: "removeUpload" }, REMOVE_UPLOAD, [object]),
      ])
  }

  /**
   * Finds out why an append was refused. If the bytes are at the offset, and this lease wrote them, then it is stored already: only
   * the answer was lost.
   */
  async #storedBefore(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    const values = [...this.#mine, expected.identity, expected.size]
    const [row = {}] = await this.#host.database.query({ key: this.key, operation: "append" }, LOOK, values)
    if (row.held == null) throw leaseLost(this.key, "append")
    const found = statIn([row])
    if (found && found.identity === expected.identity && row.at != null && Number(row.at) === Number(row.held)) {
      const stored = await this.#host.readRange(this.key, expected.size, bytes.length, expected.identity)
      if (bytes.length > 0 && isSame(stored, bytes)) return found
    }
    throw unexpectedState(this.key, found, expected)
  }

  /** Renames the session to the key with the suffix, and a number if that is taken. Returns the name. */
  async #hide(query: PostgresQuery, suffix: string): Promise<string> {
    let name = this.key + suffix
    for (let number = 2; statIn(await query(STAT, [name])); number++) name = `${this.key}${suffix}.${number}`
    await query(RENAME, [this.key, name, folderOfKey(this.key), idOfKey(this.key), null, true])
    return name
  }
}

function statOf({ object, size }: Upload, { modified }: PostgresRow): StorageStat {
  return { identity: object, size, modified: Number(modified) }
}

function assertUnchanged(key: string, found: StorageStat | undefined, expected: StorageStat): void {
  if (found?.identity !== expected.identity || found.size !== expected.size) throw unexpectedState(key, found, expected)
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
