import { SqliteConnection, type SqliteDatabase } from "@treelog-internal/sqlite"
import type { HistoryShape } from "../schema/history-shape.js"
import { KeptPrompts } from "../search/kept-prompts.js"

export type FileState = Pick<Connection, "access" | "shape">

/** An open history database. */
export class Connection extends SqliteConnection {
  /** `"read"` if it was opened for reading, or the schema of the file is newer than this library. */
  readonly access: "write" | "read"
  readonly shape: HistoryShape
  readonly prompts: KeptPrompts

  constructor(db: SqliteDatabase, path: string, { access, shape }: FileState) {
    super(db, path)
    this.access = access
    this.shape = shape
    this.prompts = new KeptPrompts(this, shape)
  }
}
