// Without the parts that need vitest, for programs.
export { embeddedBinaries } from "./embedded-binaries.js"
export { type LosingProxy, losingProxy } from "./losing-proxy.js"
export { freePort, type PostgresServer, type StartedPostgres, startPostgres } from "./start-postgres.js"
