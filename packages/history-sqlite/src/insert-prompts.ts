import type { Connection } from "./database/connection.js"
import type { ImportedPrompt } from "./prompt.js"
import { secondsOf } from "./search/row.js"

/**
 * Stores prompts in the running transaction. One statement for all of them: each statement that fires triggers makes FTS5 flush its
 * buffer.
 */
export function insertPrompts(connection: Connection, prompts: readonly ImportedPrompt[]): void {
  const rows = prompts.map(({ text, createdAt, cwd, sessionId }) => [
    text,
    secondsOf(createdAt),
    cwd ?? null,
    sessionId ?? null,
  ])
  connection.sql(insertion(connection)).run(JSON.stringify(rows))
}

function insertion({ shape }: Connection): string {
  const insert = `
    INSERT INTO history(prompt, created_at, cwd, session_id)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true`
  if (!shape.unique) return insert
  const count = shape.columns.has("use_count") ? ", use_count = use_count + 1" : ""
  return `${insert} ON CONFLICT(prompt) DO UPDATE SET
    created_at = excluded.created_at, cwd = excluded.cwd, session_id = excluded.session_id${count}
    WHERE excluded.created_at >= created_at`
}
