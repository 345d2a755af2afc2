import type {
  CachedSummary,
  FoundSession,
  ListFilter,
  StorageStat,
  SummaryCache,
  SummaryState,
} from "@treelog/session-core/adapter"
import type { PostgresRow } from "./client.js"
import type { Database, Purpose } from "./database.js"
import { foldersOf } from "./folders.js"
import { isText, nameOf } from "./keys.js"
import { statIn } from "./stat.js"

const COLUMNS = `select session.key, session.object::text, session.size, session.modified, summary.size as read,
    summary.version, summary.cwd, summary.modified as newest, summary.info, summary.resume`

const ALL = `${COLUMNS}
  from treelog.session left join treelog.summary
    on summary.tenant = session.tenant and summary.key = session.key and summary.object = session.object
  where session.tenant = $1`

/** Values: a key, a number. The next sessions after the key. */
const SCAN = `${ALL} and not hidden and session.key > $2 order by session.key limit $3::integer`

/** Values: a key, a number, a folder. The next sessions of the folder after the key. */
const SCAN_FOLDER = SCAN.replace("order by", "and session.folder = $4 order by")

/** Values: a key. */
const FIND = `${ALL} and session.key = $2`

/**
 * Values: a version, how many sessions without a current summary of it, how many of the others, a JSON array of folders. One
 * statement, and so one moment: whatever is written at the same time, each session is in one of the two parts.
 */
const NEWEST = newest("", "", "")
const NEWEST_IN_FOLDERS = newest(
  "and session.folder = any(array(select json_array_elements_text($5::text::json)))",
  "json_array_elements_text($5::text::json) as wanted (folder) cross join lateral",
  "and summary.folder = wanted.folder",
)

/** The summaries are read in the order of their index. Without `offset 0`, PostgreSQL expects too few rows of the join, and sorts them all. */
function newest(ofUnread: string, folders: string, ofSummaries: string): string {
  return `with unread as (
    ${ALL} and not hidden ${ofUnread} and (summary_version < $2::integer or summary_version > $2::integer) limit $3::integer
  ),
  newest as (
    select current.* from ${folders} (
      ${COLUMNS}
      from treelog.summary cross join lateral (
        select * from treelog.session
        where tenant = $1 and key = summary.key and object = summary.object and not hidden and summary_version = $2::integer
        offset 0
      ) as session
      where summary.tenant = $1 ${ofSummaries} order by summary.modified desc, summary.key limit $4::integer
    ) as current
    order by newest desc, key limit $4::integer
  )
  select *, true as is_unread from unread union all select *, false from newest`
}

/**
 * Values: a JSON array of rows. The session is marked if it is still what was read. If it has grown, the summary helps the next reader,
 * unless another has read more; a session that was moved, replaced or removed gets none. Locked in order, so that two lists can save at once.
 */
const PUT = `with put as (
    select * from json_to_recordset($2::text::json) as put (key text, object uuid, size bigint, version integer, cwd text,
      modified double precision, info text, resume text)
  ),
  stored as (
    select session.key, session.folder, session.size = put.size as is_current
    from treelog.session join put on put.key = session.key and put.object = session.object
    where tenant = $1 and (session.size = put.size or session.size > put.size and summary_version = 0)
    order by session.key for no key update of session
  ),
  marked as (
    update treelog.session set summary_version = put.version from put join stored on stored.key = put.key
    where tenant = $1 and session.key = put.key and is_current
  )
  insert into treelog.summary (tenant, key, object, size, version, folder, cwd, modified, info, resume)
  select $1, put.key, object, size, version, folder, cwd, modified, info, resume from put join stored on stored.key = put.key
  on conflict (tenant, key) do update set object = excluded.object, size = excluded.size, version = excluded.version,
    folder = excluded.folder, cwd = excluded.cwd, modified = excluded.modified, info = excluded.info, resume = excluded.resume`

/** Sessions of a page. */
const PAGE = 1000

/** Where more sessions than this have no current summary, or are requested, they are scanned in pages. */
const MANY = 1000

/** How many summaries are saved in one statement. */
const BATCH = 500

const SCANNING: Purpose = { key: "sessions", operation: "list" }

/** The summaries of listed sessions, in a table of their own: appends do not change it. */
export class PostgresSummaryCache implements SummaryCache {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  readonly #waiting = new Map<string, object>()

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  async *scan(filter: ListFilter = {}): AsyncGenerator<readonly FoundSession[]> {
    for (const folder of (await foldersOf(this.#database, filter)) ?? [undefined])
      for await (const rows of pages(this.#database, folder === undefined ? SCAN : SCAN_FOLDER, PAGE, {
        folder,
        ...filter,
      }))
        yield rows.map(found)
  }

  async newest(filter: ListFilter, limit: number, version: number): ReturnType<NonNullable<SummaryCache["newest"]>> {
    filter.signal?.throwIfAborted()
    if (limit > MANY) return undefined
    const folders = await foldersOf(this.#database, filter)
    const values = [version, MANY + 1, limit, ...(folders ? [JSON.stringify(folders)] : [])]
    const rows = await this.#database.query(SCANNING, folders ? NEWEST_IN_FOLDERS : NEWEST, values)
    const current = rows.filter((row) => row.is_unread === false)
    if (rows.length - current.length > MANY) return undefined
    return { sessions: rows.map(found), leftOut: current.length < limit ? undefined : lastPlace(current) }
  }

  async find(key: string): Promise<FoundSession | undefined> {
    const [row] = await this.#database.query({ key, operation: "stat" }, FIND, [key])
    return row && found(row)
  }

  put(key: string, { identity, size }: StorageStat, { version, cwd, modified, info, resume }: SummaryState): void {
    // PostgreSQL cannot store every text. Such a folder does not exist, and its session is read again at each listing.
    if (cwd !== undefined && !isText(cwd)) return
    const texts = { info: JSON.stringify(info), resume: JSON.stringify(resume) }
    this.#waiting.set(key, { key, object: identity, size, version, cwd, modified: String(modified), ...texts })
  }

  async flush(): Promise<void> {
    const rows = [...this.#waiting.values()]
    this.#waiting.clear()
    try {
      for (let at = 0; at < rows.length; at += BATCH) {
        const values = [JSON.stringify(rows.slice(at, at + BATCH))]
        await this.#database.query({ key: "summaries", operation: "put" }, PUT, values)
      }
    } catch (error) {
      // Without them, the next listing reads these sessions again.
      this.#onError(error)
    }
  }
}

/** The place of the last row, the newest first; of one time, by key. */
function lastPlace(
  rows: readonly PostgresRow[],
): NonNullable<Awaited<ReturnType<NonNullable<SummaryCache["newest"]>>>>["leftOut"] {
  const places = rows.map(({ newest, key }) => ({ modified: Number(newest), key: String(key) }))
  return places.sort((a, b) => b.modified - a.modified || (a.key < b.key ? -1 : 1)).at(-1)
}

/** Pages of rows in the order of their keys. The statement takes a key and a number, and a folder if there is one. */
export async function* pages(
  database: Database,
  text: string,
  size: number,
  { folder, signal }: { folder: string | undefined; signal?: AbortSignal | undefined },
): AsyncGenerator<readonly PostgresRow[]> {
  let key = ""
  let rows: readonly PostgresRow[]
  do {
    signal?.throwIfAborted()
    rows = await database.query(SCANNING, text, [key, size, ...(folder === undefined ? [] : [folder])])
    if (rows.length > 0) yield rows
    key = String(rows.at(-1)?.key)
  } while (rows.length === size)
}

function found(row: PostgresRow): FoundSession {
  const stat = statIn([row])
  const cached = stat && row.info != null && Number(row.read) <= stat.size ? cachedIn(row, stat) : undefined
  return { ...nameOf(String(row.key)), ...(stat && { stat }), ...(cached && { cached }) }
}

/** `info` and `resume` are parsed when they are read. */
function cachedIn({ read, version, cwd, newest, info, resume }: PostgresRow, stat: StorageStat): CachedSummary {
  let parsed: { readonly kind?: SummaryState["kind"] } | undefined
  const state: SummaryState = {
    version: Number(version),
    cwd: cwd == null ? undefined : String(cwd),
    modified: Number(newest),
    get info() {
      parsed ??= JSON.parse(String(info)) as object
      return parsed
    },
    get kind() {
      return (state.info as typeof parsed)?.kind
    },
    get resume() {
      return JSON.parse(String(resume)) as object
    },
  }
  return { state, isCurrent: Number(read) === stat.size }
}
