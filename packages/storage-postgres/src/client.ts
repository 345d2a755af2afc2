import { TreelogError } from "@treelog/session-core"

/** A parameter of a statement. Statements cast each, so that a driver need not know its type. */
export type PostgresValue = string | number | boolean | null | Uint8Array

/** A row of a result, by column: `bytea` as bytes, `int8` as a string, number or bigint, null as null. */
export type PostgresRow = Readonly<Record<string, unknown>>

/** Runs one statement with its parameters `$1`, `$2`…, and returns its rows. */
export type PostgresQuery = (text: string, values?: readonly PostgresValue[]) => Promise<readonly PostgresRow[]>

/** What treelog needs of a PostgreSQL driver; `fromPg`, `fromPostgres` and `fromPglite` make one. */
export interface PostgresClient {
  /** On any connection, outside a transaction. Named prepared statements break behind poolers: do not use them there. */
  readonly query: PostgresQuery
  /** Runs the work in a transaction on one connection: commits when it resolves, rolls back when it rejects. */
  transaction<Result>(work: (query: PostgresQuery) => Promise<Result>): Promise<Result>
  /**
   * Listens on a channel until the returned function is called. Needs a direct connection, since a pooler in transaction mode does not
   * deliver notifications. Without this method, watching polls.
   * @param onEnd called if the connection ends before; the storage then listens again
   */
  listen?(channel: string, onNotify: (payload: string) => void, onEnd: () => void): Promise<() => Promise<void>>
}

/** Without this, every call of a pool that was passed as it is would fail as if the server did. @throws InvalidArgumentError */
export function assertClient(client: PostgresClient): void {
  if (typeof client?.query === "function" && typeof client.transaction === "function") return
  const message = "The client has no `query` and `transaction`: make it of your driver, as by fromPg(pool)."
  // A pool may hold a password, and is not repeated.
  throw new TreelogError("InvalidArgumentError", message, { argument: "client", value: undefined })
}
