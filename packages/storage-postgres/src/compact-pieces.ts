import type { PostgresQuery } from "./client.js"
import type { Database } from "./database.js"
import { statIn } from "./stat.js"
import { LOCK_SESSION, PIECE_BYTES } from "./statements.js"

/** Smaller pieces are joined with their neighbours. Bytes. */
const SMALL = PIECE_BYTES / 4

/** Values: an object. */
const LIST_PIECES =
  "select start, length(bytes) as length from treelog.piece where tenant = $1 and object = $2::uuid order by start"

/**
 * Values: an object, from, to. One statement, so that a reader sees either the old pieces or the new one. The fence is that of no
 * lease: whether an append was stored before is decided by its own piece.
 */
const JOIN = `with old as (
    delete from treelog.piece where tenant = $1 and object = $2::uuid and start >= $3::bigint and start < $4::bigint
    returning start, bytes
  )
  insert into treelog.piece (tenant, object, start, fence, bytes)
  select $1, $2::uuid, min(start), 0, string_agg(bytes, ''::bytea order by start) from old`

interface Run {
  readonly from: number
  to: number
  pieces: number
}

/**
 * Joins the small pieces of a session, so that it takes fewer rows, and is compressed. The bytes stay the same, so no lease is needed:
 * each join is one short transaction that locks the row of the session, for which an append waits.
 * @returns how many pieces fewer there are
 */
export async function compactPieces(database: Database, key: string): Promise<number> {
  const purpose = { key, operation: "compactPieces" }
  const lock = async (query: PostgresQuery) => statIn(await query(LOCK_SESSION, [key]))?.identity
  const plan = await database.transaction(purpose, async (query) => {
    const object = await lock(query)
    return object === undefined ? undefined : { object, runs: runsOf(await query(LIST_PIECES, [object])) }
  })
  if (!plan) return 0
  let saved = 0
  for (const { from, to, pieces } of plan.runs)
    await database.transaction(purpose, async (query) => {
      // It may have been replaced meanwhile: then its pieces are gone.
      if ((await lock(query)) !== plan.object) return
      await query(JOIN, [plan.object, from, to])
      saved += pieces - 1
    })
  return saved
}

/** The neighbours to join: each run has at most `PIECE_BYTES`, and at least two pieces. */
function runsOf(rows: readonly { readonly start?: unknown; readonly length?: unknown }[]): readonly Run[] {
  const runs: Run[] = []
  for (const row of rows) {
    const [from, length] = [Number(row.start), Number(row.length)]
    const run = runs.at(-1)
    if (run && run.to === from && length < SMALL && run.to + length - run.from <= PIECE_BYTES) {
      run.to += length
      run.pieces += 1
    } else if (length < SMALL) runs.push({ from, to: from + length, pieces: 1 })
  }
  return runs.filter(({ pieces }) => pieces > 1)
}
