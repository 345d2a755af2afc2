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
import { foldersOf, nameOf } from "./keys.js"
import { statIn } from "./stat.js"

const COLUMNS = `select session.key, session.object::text, session.size, session.modified, summary.size as read,
    summary.version, summary.cwd, summary.modified as newest, summary.info, summary.resume
  from treelog.session left join treelog.summary
    on summary.tenant = session.tenant and summary.key = session.key and summary.object = session.object
  where session.tenant = $1`

/** Values: a key, a number. The next sessions after the key. */
const SCAN = `${COLUMNS} and not hidden and session.key > $2 order by session.key limit $3::integer`

/** Values: a key, a number, a folder. The same in the folder. */
const SCAN_FOLDER = SCAN.replace("order by", "and folder = $4 order by")

/** Values: a key. */
const FIND = `${COLUMNS} and session.key = $2`

/** Values: a JSON array of rows. */
const PUT = `insert into treelog.summary (tenant, key, object, size, version, cwd, modified, info, resume)
  select $1, key, object, size, version, cwd, modified, info, resume
  from json_to_recordset($2::text::json) as put
    (key text, object uuid, size bigint, version integer, cwd text, modified bigint, info text, resume text)
  on conflict (tenant, key) do update set object = excluded.object, size = excluded.size, version = excluded.version,
    cwd = excluded.cwd, modified = excluded.modified, info = excluded.info, resume = excluded.resume`

/** Sessions of a page. */
const PAGE = 1000

/** So many summaries are saved in one statement. */
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
    for (const folder of foldersOf(filter) ?? [undefined])
      for await (const rows of pages(this.#database, folder === undefined ? SCAN : SCAN_FOLDER, PAGE, {
        folder,
        ...filter,
      }))
        yield rows.map(found)
  }

  async find(key: string): Promise<FoundSession | undefined> {
    const [row] = await this.#database.query({ key, operation: "stat" }, FIND, [key])
    return row && found(row)
  }

  put(key: string, { identity, size }: StorageStat, { version, cwd, modified, info, resume }: SummaryState): void {
    // PostgreSQL stores no NUL. Such a folder does not exist, and its session is read again at each listing.
    if (cwd?.includes("\0")) return
    const texts = { info: JSON.stringify(info), resume: JSON.stringify(resume) }
    this.#waiting.set(key, { key, object: identity, size, version, cwd, modified: Math.round(modified), ...texts })
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
  const state: SummaryState = {
    version: Number(version),
    cwd: cwd == null ? undefined : String(cwd),
    modified: Number(newest),
    get info() {
      return JSON.parse(String(info)) as object
    },
    get resume() {
      return JSON.parse(String(resume)) as object
    },
  }
  return { state, isCurrent: Number(read) === stat.size }
}
