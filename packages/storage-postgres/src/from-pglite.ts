import type { PostgresClient, PostgresRow, PostgresValue } from "./client.js"

interface Queryable {
  query(text: string, values?: PostgresValue[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** What is used of a `PGlite`. */
export interface PgliteDatabase extends Queryable {
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
}

/** A client that uses a `PGlite`, which is PostgreSQL inside this process, for this process alone. */
export function fromPglite(database: PgliteDatabase): PostgresClient {
  const queryOn =
    (on: Queryable) =>
    async (text: string, values: readonly PostgresValue[] = []) =>
      (await on.query(text, [...values])).rows as readonly PostgresRow[]
  return {
    query: queryOn(database),
    transaction: (work) => database.transaction((on) => work(queryOn(on))),
    listen: (channel, onNotify) => database.listen(channel, onNotify),
  }
}
