import type { SessionManager } from "@treelog/session-core"
import type { Pool } from "pg"

/** Sessions of 100 folders, of as many pieces each, with summaries as a list leaves them. */
export interface ManySessions {
  readonly sessions: number
  /** Appends of each session; 0 for none, where only lists are measured. */
  readonly pieces: number
}

/** Sessions of one statement. */
const BATCH = 1_000

/** Digits that the messages are parts of. Nothing in them is escaped in JSON. */
const SOURCE =
  "source as materialized (select convert_to(string_agg(md5(n::text), ''), 'UTF8') as digits from generate_series(1, 2000) as n)"

/** Session number n: time-ordered as those that treelog makes. */
const OBJECT = "('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
const CWD = "'/home/dev/project-' || n % 100"

/** The line of an append. Half of them are shorter than 0.5 KB, the mean is 0.6 KB, the longest take 1.6 KB. */
const LINE = `case when k = 0 then convert_to(
    '{"type":"session","version":3,"id":"' || ${OBJECT} || '","timestamp":"2026-03-02T09:00:00.000Z","cwd":"' || ${CWD} || E'"}\\n', 'UTF8')
  else convert_to(
    '{"type":"message","id":"' || lpad(to_hex(k), 8, '0') || '","parentId":' ||
    case when k = 1 then 'null' else '"' || lpad(to_hex(k - 1), 8, '0') || '"' end ||
    ',"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"', 'UTF8') ||
    substring(digits from 1 + (random() * 60000)::integer for (60 * exp(random() * 3.2))::integer) ||
    convert_to('","timestamp":' || 1772442000000 + n * 1000::bigint || E'}}\\n', 'UTF8')
  end`

const PIECES = `with ${SOURCE}
  insert into treelog.piece (tenant, object, start, fence, bytes)
  select '', ${OBJECT}, sum(length(line)) over (partition by n order by k) - length(line), 1, line
  from (
    select n, k, ${LINE} as line
    from source, generate_series($1::bigint, $2::bigint) as n, generate_series(0, $3::integer - 1) as k
  ) as made`

const SESSIONS = `insert into treelog.session (tenant, key, object, size, modified, fence, hidden, folder, id, summary_version)
  select '', 'pg:' || ${CWD} || '/' || ${OBJECT}, ${OBJECT}, coalesce(last.bytes, 400), 1772442000000 + n * 1000, 1, false,
    'pg:' || ${CWD}, ${OBJECT}::text, template.version
  from treelog.summary as template, generate_series($1::bigint, $2::bigint) as n
  left join lateral (
    select start + length(bytes) as bytes from treelog.piece
    where tenant = '' and object = ${OBJECT} order by start desc limit 1
  ) as last on true
  where template.key = $3`

/** From the summary that a list made of one session. */
const SUMMARIES = `insert into treelog.summary (tenant, key, object, size, version, folder, cwd, modified, info, resume)
  select session.tenant, session.key, session.object, session.size, template.version, session.folder, substr(session.folder, 4),
    session.modified, (template.info::jsonb || jsonb_build_object(
      'id', session.id, 'cwd', substr(session.folder, 4), 'modified', session.modified, 'size', session.size))::text,
    template.resume
  from treelog.summary as template, treelog.session
  where template.key = $1 and session.key <> $1`

/** Fills the tables by statements of their own, since sessions one by one would take an hour. */
export async function writeManySessions(
  pool: Pool,
  manager: SessionManager,
  { sessions, pieces }: ManySessions,
): Promise<void> {
  const key = await templateIn(manager)
  const connection = await pool.connect()
  const query = (text: string, values?: unknown[]) => connection.query({ text, ...(values && { values }) })
  try {
    await query("set work_mem = '256MB'")
    await query("begin")
    // What a table is truncated for in the same transaction needs no log.
    await query("truncate treelog.piece")
    for (let from = 1; pieces > 0 && from <= sessions; from += BATCH)
      await query(PIECES, [from, Math.min(sessions, from + BATCH - 1), pieces])
    await query(SESSIONS, [1, sessions, key])
    await query(SUMMARIES, [key])
    await query("delete from treelog.session where key = $1", [key])
    await query("delete from treelog.summary where key = $1", [key])
    await query("commit")
    await query("vacuum (analyze) treelog.piece")
    await query("vacuum (analyze) treelog.session")
    await query("vacuum (analyze) treelog.summary")
    await query("checkpoint")
  } finally {
    connection.release(true)
  }
}

/** A session with one message, and its summary. */
async function templateIn(manager: SessionManager): Promise<string> {
  const session = await manager.create("/home/dev/template")
  session.appendMessage({ role: "user", content: "Which way?", timestamp: 1 })
  await session.close()
  for await (const { path } of manager.listAll()) return path
  throw new Error("The template is not listed.")
}
