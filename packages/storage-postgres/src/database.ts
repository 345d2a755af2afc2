import type { PostgresClient, PostgresQuery, PostgresRow, PostgresValue } from "./client.js"
import { withStorageErrors } from "./postgres-error.js"

/** What a statement is run for: both are for errors. */
export interface Purpose {
  readonly key: string
  readonly operation: string
}

/** The rows of one tenant. `$1` of every statement is the tenant; the values are `$2`, `$3`… */
export class Database {
  readonly #client: PostgresClient
  readonly #tenant: string
  readonly #usesRowLevelSecurity: boolean

  constructor(client: PostgresClient, tenant: string, usesRowLevelSecurity: boolean) {
    this.#client = client
    this.#tenant = tenant
    this.#usesRowLevelSecurity = usesRowLevelSecurity
  }

  get tenant(): string {
    return this.#tenant
  }

  /** @throws StorageError */
  query(
    { key, operation }: Purpose,
    text: string,
    values: readonly PostgresValue[] = [],
  ): Promise<readonly PostgresRow[]> {
    const all = [this.#tenant, ...values]
    return withStorageErrors(key, operation, () =>
      this.#usesRowLevelSecurity ? this.#asTenant((query) => query(text, all)) : this.#client.query(text, all),
    )
  }

  /** Runs the work in a transaction. @throws StorageError, and the TreelogErrors of the work */
  transaction<Result>({ key, operation }: Purpose, work: (query: PostgresQuery) => Promise<Result>): Promise<Result> {
    const withTenant = (query: PostgresQuery) => work((text, values = []) => query(text, [this.#tenant, ...values]))
    return withStorageErrors(key, operation, () =>
      this.#usesRowLevelSecurity ? this.#asTenant(withTenant) : this.#client.transaction(withTenant),
    )
  }

  /** Row-level security compares this setting, which ends with the transaction: the next user of the connection does not inherit it. */
  #asTenant<Result>(work: (query: PostgresQuery) => Promise<Result>): Promise<Result> {
    return this.#client.transaction(async (query) => {
      await query("select set_config('treelog.tenant', $1::text, true)", [this.#tenant])
      return work(query)
    })
  }
}
