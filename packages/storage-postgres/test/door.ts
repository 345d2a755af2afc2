// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { PostgresLease } from "../src/postgres-lease.js"
export { PostgresSummaryCache } from "../src/postgres-summary-cache.js"
export { APPEND, LIST } from "../src/statements.js"
