import type { Pool } from "pg"
import type { PostgresStore } from "./postgres-store.js"

/** The design of the SQL storage of omp 18.3.4: each file is one text, and an append makes a longer one of it. */
export function ompStore(pool: Pool): PostgresStore {
  const query = async (text: string, values: unknown[] = []) => (await pool.query({ text, values })).rows
  const put = (id: string, text: string, onConflict: string) =>
    query(
      `insert into session_file (path, content, mtime_ms) values ($1, $2, $3)
      on conflict (path) do update set content = ${onConflict}, mtime_ms = excluded.mtime_ms`,
      [id, text, Date.now()],
    )
  return {
    migrate: async () =>
      void (await query(
        "create table if not exists session_file (path text primary key, content text not null, mtime_ms bigint not null)",
      )),
    create: async (id, lines) => void (await put(id, lines.join(""), "excluded.content")),
    writer: async (id) => async (lines) =>
      void (await put(id, lines.join(""), "session_file.content || excluded.content")),
    async count(id) {
      const [row] = await query("select content from session_file where path = $1", [id])
      return String(row?.content).split("\n").length - 1
    },
    async tail(id, bytes) {
      const [row] = await query(
        `select substring(convert_to(content, 'UTF8') from greatest(1, octet_length(content) - $2 + 1)) as tail
        from session_file where path = $1`,
        [id, bytes],
      )
      return row?.tail
    },
    /** It reads the index of all files when it starts, and sorts it in memory. */
    async newest(count) {
      const rows = await query("select path, mtime_ms, octet_length(content) as byte_len from session_file")
      return rows
        .sort((a, b) => Number(b.mtime_ms) - Number(a.mtime_ms))
        .slice(0, count)
        .map(({ path }) => String(path))
    },
  }
}
