import type { StorageStat } from "@treelog/session-core/adapter"
import { isLeftAlone } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { IndexFile } from "./open-index.js"
import { SourceRows } from "./tables/source-rows.js"
import { storableText } from "./tables/storable-text.js"
import { storedJson } from "./tables/stored-json.js"

interface ResultRow {
  readonly basis: string
  readonly value: string
}

/** What is known of a session in one state. */
export interface SessionResult {
  /** The result of that state; undefined if it is not known. */
  readonly known: unknown
  /**
   * Keeps a result, unless the session changed while it was read, or so shortly before that a change need not show.
   * @param value plain JSON
   * @param stat the state of the session after it was read
   * @returns whether it is kept
   * @throws IndexUnavailableError, StorageError
   */
  keep(value: unknown, stat: StorageStat): Promise<boolean>
}

/** Results of one kind, each derived from a whole session. */
export class SessionResults {
  readonly #file: IndexFile
  readonly #now: () => number
  readonly #source: string
  readonly #kind: string
  readonly #version: string

  constructor(
    file: IndexFile,
    now: () => number,
    { source, kind, version }: { readonly source: string; readonly kind: string; readonly version: string },
  ) {
    this.#file = file
    this.#now = now
    this.#source = source
    this.#kind = kind
    this.#version = version
  }

  /**
   * The result of a session. To be asked before the session is read.
   * @param stat the state of the session now
   * @throws IndexUnavailableError without SQLite or after `close`; StorageError
   */
  async of(key: string, stat: StorageStat): Promise<SessionResult> {
    const mayKeep = isLeftAlone(stat, this.#now())
    const basis = this.#basisOf(stat)
    return {
      known: await this.#read(key, basis),
      keep: async (value, after) => {
        if (!mayKeep || this.#basisOf(after) !== basis) return false
        await this.#write(key, basis, JSON.stringify(value))
        return true
      },
    }
  }

  /** Removes the results of all other sessions. @throws as `of` */
  retain(keys: ReadonlySet<string>): Promise<void> {
    const stored = new Set([...keys].map(storableText))
    return this.#file.use("update", (connection) =>
      connection.transaction(() => {
        const source = this.#numberIn(connection)
        const find = connection.sql("SELECT key FROM result WHERE source = ? AND kind = ?")
        const remove = connection.sql("DELETE FROM result WHERE source = ? AND key = ? AND kind = ?")
        for (const { key } of find.all<{ key: string }>(source, this.#kind))
          if (!stored.has(key)) remove.run(source, key, this.#kind)
      }),
    )
  }

  #read(key: string, basis: string): Promise<unknown> {
    return this.#file.use("read", (connection) => {
      const find = connection.sql("SELECT basis, value FROM result WHERE source = ? AND key = ? AND kind = ?")
      const row = find.get<ResultRow>(this.#numberIn(connection), storableText(key), this.#kind)
      return row?.basis === basis ? storedJson(row.value) : undefined
    })
  }

  #write(key: string, basis: string, value: string): Promise<unknown> {
    return this.#file.use("update", (connection) =>
      connection
        .sql("INSERT OR REPLACE INTO result(source, key, kind, basis, value) VALUES (?, ?, ?, ?, ?)")
        .run(this.#numberIn(connection), storableText(key), this.#kind, basis, value),
    )
  }

  #numberIn(connection: SqliteConnection): number {
    return new SourceRows(connection).numberOf(this.#source)
  }

  #basisOf({ size, modified, identity }: StorageStat): string {
    return storableText(`${this.#version} ${size} ${modified} ${identity}`)
  }
}
