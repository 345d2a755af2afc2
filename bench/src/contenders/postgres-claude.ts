import type { Pool } from "pg"
import type { PostgresStore } from "./postgres-store.js"

const PROJECT = "-home-dev-shop"

/** Parameters of a statement. PostgreSQL takes 65,535. */
const BATCH = 1_000

/** The schema and the statements of the PostgreSQL example of the Claude Agent SDK: a row of jsonb for each entry. */
export function claudeStore(pool: Pool): PostgresStore {
  const query = async (text: string, values: unknown[] = []) => (await pool.query({ text, values })).rows
  const append = async (id: string, lines: readonly string[]) => {
    const rows = lines.map((_, index) => `($1, $2, $3, $${index + 4}::jsonb)`)
    await query(`insert into session_entry (project_key, session_id, subpath, entry) values ${rows.join(",")}`, [
      PROJECT,
      id,
      null,
      ...lines,
    ])
  }
  return {
    async migrate() {
      await query(`create table if not exists session_entry (id bigserial primary key, project_key text not null,
        session_id text not null, subpath text, entry jsonb not null, created_at timestamptz not null default now())`)
      await query(
        "create index if not exists session_entry_key on session_entry (project_key, session_id, subpath, id)",
      )
    },
    async create(id, lines) {
      for (let at = 0; at < lines.length; at += BATCH) await append(id, lines.slice(at, at + BATCH))
    },
    writer: async (id) => (lines) => append(id, lines),
    async count(id) {
      const [row] = await query(
        `select count(entry) as lines from session_entry
        where project_key = $1 and session_id = $2 and subpath is not distinct from $3`,
        [PROJECT, id, null],
      )
      return Number(row?.lines)
    },
    async newest(count) {
      const rows = await query(
        `select session_id, max(created_at) as mtime from session_entry where project_key = $1 and subpath is null
        group by session_id order by mtime desc`,
        [PROJECT],
      )
      return rows.slice(0, count).map(({ session_id }) => String(session_id))
    },
  }
}
