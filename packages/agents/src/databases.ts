// Copies of the databases of agents, row by row: what `keep` is made of.

export {
  databaseVersion,
  type KeepRowsOptions,
  type KeptRows,
  keepRows,
  type LostRow,
  type RestoredRows,
  type Row,
  removeRows,
  restoreRows,
  type SqliteDatabase,
  type SqliteDriver,
  type SqliteStatement,
  type SqliteValue,
  storeFormerRows,
  textOf,
} from "@treelog-internal/sqlite"
