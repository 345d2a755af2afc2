export { embeddedBinaries } from "./embedded-binaries.js"
export { freePort, type PostgresServer, type StartedPostgres, startPostgres } from "./start-postgres.js"
export { type TestDatabase, testDatabase } from "./test-database.js"
