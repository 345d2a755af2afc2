import { SqliteConnection, type SqliteDatabase } from "@treelog-internal/sqlite"
import type { HistoryShape } from "../schema/history-shape.js"

export type FileState = Pick<Connection, "access" | "isIndexed" | "shape">

/** An open history database. */
export class Connection extends SqliteConnection {
  /** `"read"` if it was opened for reading, or the schema of the file is newer than this library. */
  readonly access: "write" | "read"
  /** Whether the file has the indexes of this version of the library. */
  readonly isIndexed: boolean
  readonly shape: HistoryShape

  constructor(db: SqliteDatabase, path: string, { access, isIndexed, shape }: FileState) {
    super(db, path)
    this.access = access
    this.isIndexed = isIndexed
    this.shape = shape
  }

  /** The same database, for reading without its damaged indexes. */
  withoutIndexes(): Connection {
    return new Connection(this.db, this.path, { access: "read", isIndexed: false, shape: this.shape })
  }
}
