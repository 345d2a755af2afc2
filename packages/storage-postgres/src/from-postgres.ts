import type { PostgresClient, PostgresRow, PostgresValue } from "./client.js"
import { OFTEN } from "./statements.js"

interface Unsafe {
  unsafe(text: string, values?: PostgresValue[], options?: { prepare?: boolean }): PromiseLike<readonly PostgresRow[]>
}

/** What is used of the `sql` of `postgres` (postgres.js). */
export interface PostgresJs extends Unsafe {
  reserve(): Promise<Unsafe & { release(): void }>
  listen(channel: string, onNotify: (payload: string) => void): Promise<{ unlisten(): Promise<void> }>
}

/**
 * A client that uses a `sql` of `postgres`. If there is no pooler, frequent statements are prepared, as `fromPg` does.
 * @param direct one whose connections do not go through a pooler, to listen for changes; `sql` itself, if there is no pooler
 */
export function fromPostgres(sql: PostgresJs, { direct }: { readonly direct?: PostgresJs } = {}): PostgresClient {
  const queryOn =
    (on: Unsafe) =>
    async (text: string, values: readonly PostgresValue[] = []) =>
      on.unsafe(text, [...values], { prepare: sql === direct && OFTEN.has(text) })
  return {
    query: queryOn(sql),
    // Not `begin` of postgres.js: it sends the first statement before `begin` is answered, which pgbouncer 1.18 tears apart.
    async transaction(work) {
      const connection = await sql.reserve()
      const query = queryOn(connection)
      try {
        await query("begin")
        const result = await work(query)
        await query("commit")
        return result
      } catch (error) {
        // A connection that has ended cannot roll back, and need not: the server does.
        await Promise.allSettled([query("rollback")])
        throw error
      } finally {
        connection.release()
      }
    },
    // It connects and listens again by itself when the connection ends.
    ...(direct && {
      async listen(channel: string, onNotify: (payload: string) => void) {
        const { unlisten } = await direct.listen(channel, onNotify)
        return unlisten
      },
    }),
  }
}
