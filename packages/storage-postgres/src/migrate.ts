import { TreelogError } from "@treelog/session-core"
import { assertClient, type PostgresClient } from "./client.js"
import { withStorageErrors } from "./postgres-error.js"
import { BEFORE_MIGRATIONS, MIGRATIONS, recordVersion } from "./schema.js"

/** One migration at a time: an advisory lock of the transaction, which poolers allow. The number has no meaning. */
const LOCK = "select pg_advisory_xact_lock(72871265)"

/**
 * Makes the tables in the schema `treelog`, or migrates them to this version of the package, in one transaction. Several processes may
 * call it at the same moment. The role needs the right to create a schema; a role without it can use tables that another made.
 * @returns the versions that were missing
 * @throws StorageError; InvalidArgumentError for a driver that was not made a client, and when a newer version of this package made the tables
 */
export async function migrate(client: PostgresClient): Promise<readonly number[]> {
  assertClient(client)
  return withStorageErrors("treelog", "migrate", () =>
    client.transaction(async (query) => {
      await query(LOCK)
      for (const statement of BEFORE_MIGRATIONS) await query(statement)
      const rows = await query("select version from treelog.migration")
      const done = new Set(rows.map(({ version }) => Number(version)))
      const newest = Math.max(0, ...done)
      if (newest > MIGRATIONS.length) throw newerSchema(newest)
      const missing = MIGRATIONS.map((_, index) => index + 1).filter((version) => !done.has(version))
      for (const version of missing) {
        for (const statement of MIGRATIONS[version - 1] ?? []) await query(statement)
        await query(recordVersion(version))
      }
      return missing
    }),
  )
}

function newerSchema(version: number): TreelogError<"InvalidArgumentError"> {
  const message = `The tables have version ${version}, which this version of @treelog/storage-postgres does not know. Update the package.`
  return new TreelogError("InvalidArgumentError", message, { argument: "client", value: version })
}
