import type { SqliteDatabase } from "@treelog-internal/sqlite"

/**
 * The columns of the table `history` of a file. Ours has those of FORMAT.md, section 10; those of other programs differ.
 */
export interface HistoryShape {
  readonly columns: ReadonlySet<string>
  /** Whether a prompt has at most one row, so that adding it again moves the row (omp). */
  readonly unique: boolean
}

export function historyShape(db: SqliteDatabase): HistoryShape {
  const columns = db.prepare("SELECT name FROM pragma_table_info('history')").all<{ name: string }>()
  const unique = db.prepare(`
    SELECT 1 FROM pragma_index_list('history') AS list WHERE list."unique" = 1 AND list.partial = 0
      AND (SELECT group_concat(name) FROM pragma_index_info(list.name)) = 'prompt'`)
  return { columns: new Set(columns.map(({ name }) => name)), unique: unique.get() !== undefined }
}
