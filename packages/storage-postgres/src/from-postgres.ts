import type { PostgresClient, PostgresRow, PostgresValue } from "./client.js"

interface Unsafe {
  unsafe(text: string, values?: PostgresValue[], options?: { prepare?: boolean }): PromiseLike<readonly PostgresRow[]>
}

/** What is used of the `sql` of `postgres` (postgres.js). */
export interface PostgresJs extends Unsafe {
  begin<Result>(work: (sql: Unsafe) => Promise<Result>): Promise<unknown>
  listen(channel: string, onNotify: (payload: string) => void): Promise<{ unlisten(): Promise<void> }>
}

/**
 * A client that uses a `sql` of `postgres`.
 * @param direct one whose connections do not go through a pooler, to listen for changes; `sql` itself, if there is no pooler
 */
export function fromPostgres(sql: PostgresJs, { direct }: { readonly direct?: PostgresJs } = {}): PostgresClient {
  const queryOn =
    (on: Unsafe) =>
    async (text: string, values: readonly PostgresValue[] = []) =>
      on.unsafe(text, [...values], { prepare: false })
  return {
    query: queryOn(sql),
    transaction: <Result>(work: (query: PostgresClient["query"]) => Promise<Result>) =>
      sql.begin((on) => work(queryOn(on))) as Promise<Result>,
    // It connects and listens again by itself when the connection ends.
    ...(direct && {
      async listen(channel: string, onNotify: (payload: string) => void) {
        const { unlisten } = await direct.listen(channel, onNotify)
        return unlisten
      },
    }),
  }
}
