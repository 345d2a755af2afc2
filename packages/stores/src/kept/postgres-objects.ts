import { fromPg, type PostgresValue } from "@treelog/storage-postgres"
import { storageError } from "@treelog-internal/fs"
import type { OpenOptions } from "../open-options.js"
import { connectPool } from "../open-postgres.js"
import type { PostgresAddress } from "../server-address.js"
import type { RemoteObjects } from "./remote-objects.js"

/** Two processes that make it at a time: the second one waits. The number has no meaning. */
const TABLE = [
  "select pg_advisory_xact_lock(72871266)",
  "create schema if not exists treelog_kept",
  'create table if not exists treelog_kept.object (name text collate "C" primary key, bytes bytea not null)',
]

/**
 * A table of a database for the copies of `keep`, beside the sessions that it may have.
 * @throws InvalidArgumentError without the driver, StorageError where the server cannot be reached or refuses
 */
export async function postgresObjects(
  address: PostgresAddress,
  options: Pick<OpenOptions, "env" | "onWarning" | "onOpen" | "signal">,
): Promise<RemoteObjects> {
  const client = fromPg(await connectPool(address, options))
  const failed = (error: unknown): never => {
    throw storageError(address.name, "use", undefined, error)
  }
  await client
    .transaction(async (query) => {
      for (const statement of TABLE) await query(statement)
    })
    .catch(failed)
  const query = (text: string, ...values: PostgresValue[]) => client.query(text, values).catch(failed)
  return {
    name: address.name,
    async *list(folder) {
      const rows = await query("select name from treelog_kept.object where starts_with(name, $1::text)", folder)
      for (const { name } of rows) yield String(name).slice(folder.length)
    },
    async read(name) {
      const [row] = await query("select bytes from treelog_kept.object where name = $1::text", name)
      return row?.bytes as Uint8Array | undefined
    },
    async write(name, bytes) {
      const text = `insert into treelog_kept.object (name, bytes) values ($1::text, $2::bytea)
        on conflict (name) do update set bytes = excluded.bytes`
      await query(text, name, bytes)
    },
    async remove(name) {
      await query("delete from treelog_kept.object where name = $1::text", name)
    },
  }
}
