import type { FsPort } from "@treelog-internal/fs"
import type { SqliteValue } from "@treelog-internal/sqlite"

/** A change of an agent's files, which can be undone. */
export type Change =
  /** A file or a folder gets another name, never that of another. */
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  /** A file gets other bytes. */
  | { readonly kind: "rewrite"; readonly path: string; readonly edit: Edit }
  | DocumentChange
  /** Rows of a table in a SQLite database get other values. */
  | RowChange

/** Strings of a JSON document get other values: they alone, also when that is undone after the agent has written the document anew. */
export interface DocumentChange {
  readonly kind: "document"
  readonly path: string
  readonly at: readonly Member[]
  /** The new values by the former ones. */
  readonly strings: Readonly<Record<string, string>>
}

/** A member of a record, by the names on the way to it; `*` stands for each item of a list, and `{}`, as the last one, for the names of an object. */
export type Member = readonly string[]

/** The bytes of a file from now on. */
export type Edit = (fs: FsPort, path: string) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface RowChange {
  readonly kind: "row"
  /** Of the database. */
  readonly path: string
  readonly table: string
  readonly id: Columns
  readonly set: Columns
}

export type Columns = Readonly<Record<string, SqliteValue>>

/** What a change does, for a plan. */
export function changeText(change: Change): string {
  if (change.kind === "move") return `move ${change.from} to ${change.to}`
  if (change.kind === "rewrite" || change.kind === "document") return `rewrite ${change.path}`
  const named = Object.entries(change.id).map(([name, value]) => `${name} ${value}`)
  return `set ${Object.keys(change.set).join(", ")} of ${named.join(", ")} in ${change.path} (${change.table})`
}
