import {
  type FileQuery,
  type FileUse,
  fitsTime,
  hitPartOf,
  inFaces,
  oldestFirst,
  requireQuery,
} from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { IndexFile } from "../open-index.js"
import type { EntryIdentity, EntryPlace } from "../tables/copies.js"
import { SessionRows } from "../tables/session-rows.js"
import { fittingSessions, isCounted, pathsThatFit, sessionsWithCopy } from "./session-filter.js"

interface UseRow extends EntryIdentity, EntryPlace {
  readonly at: number
  readonly path: number
  readonly change: number
  readonly copies: number
}

/** The uses of a file, the newest first. */
export async function fileUses(file: IndexFile, query: FileQuery): Promise<FileUse[]> {
  const limit = requireQuery(query)
  const found = await file.use("files", (connection) => findUses(connection, query, limit))
  const named = await inFaces(found, ({ copies }) => copies, query)
  return named.map(({ session, part, facts, time, path, isChange }) => ({
    ...{ session, entryId: facts.id, time, path, isChange },
    ...(part && { part }),
  }))
}

function findUses(connection: SqliteConnection, query: FileQuery, limit: number) {
  const sessions = new SessionRows(connection)
  const fitting = fittingSessions(connection, sessions, query)
  const paths = pathsThatFit(connection, query.path)
  const find = connection.sql(`
    SELECT file_use.*, entry.id, entry.stamp, entry.time, entry.content, entry.response, entry.copies
    FROM file_use CROSS JOIN entry ON entry.session = file_use.session AND entry.n = file_use.n
    WHERE file_use.path IN (SELECT value FROM json_each(?)) AND file_use.change >= ?`)
  const uses = find
    .all<UseRow>(JSON.stringify([...paths.keys()]), query.isChanged ? 1 : 0)
    .filter((row) => fitting === undefined || fitting.has(row.session))
    .filter((row) => fitsTime(query, row.time) && isCounted(connection, sessions, row, fitting))
    .flatMap((row) => {
      const state = sessions.get(row.session)
      return state === undefined ? [] : [{ row, session: sessions.owner(state), part: hitPartOf(state.session) }]
    })
    .sort(
      ({ row: a, ...of }, { row: b, session }) =>
        b.time - a.time || oldestFirst(of.session, session) || a.n - b.n || a.at - b.at,
    )
  return uses.slice(0, limit).map(({ row, session, part }) => ({
    ...{ session, part, facts: row, time: row.time },
    path: paths.get(row.path) ?? "",
    isChange: row.change === 1,
    copies: query.faceOf ? sessionsWithCopy(connection, sessions, row, fitting) : [],
  }))
}
