import type { SessionManager } from "@treelog/session-core"
import type { PostgresSessionStorage } from "@treelog/storage-postgres"
import { Pool } from "pg"
import { serverIn } from "../data/postgres.js"
import { claudeStore } from "./postgres-claude.js"
import { ompStore } from "./postgres-omp.js"
import type { PostgresStore } from "./postgres-store.js"
import { treelogStore } from "./postgres-treelog.js"

const STORES = { treelog: treelogStore, omp: ompStore, claude: claudeStore }

export type StoreName = keyof typeof STORES

export async function openStore(name: StoreName, folder: string): Promise<PostgresStore> {
  const store = STORES[name](poolOf(folder))
  await store.migrate()
  return store
}

/** As many connections as a case has writers. */
export function poolOf(folder: string): Pool {
  const pool = new Pool({ ...serverIn(folder), max: 8 })
  // The server of a case may stop before the connections that filled it are closed. What fails is reported by its statement.
  pool.on("error", () => {})
  return pool
}

/** treelog on the server of the case, as its users have it. */
export async function loadTreelogOnPostgres(
  folder: string,
): Promise<{ storage: PostgresSessionStorage; sessions: SessionManager }> {
  const [core, postgres] = await Promise.all([import("@treelog/session-core"), import("@treelog/storage-postgres")])
  const pool = poolOf(folder)
  const client = postgres.fromPg(pool, { direct: pool })
  await postgres.migrate(client)
  const storage = new postgres.PostgresSessionStorage({ client })
  return { storage, sessions: new core.SessionManager({ storage }) }
}
