export * from "./server.js"
export { type TestDatabase, testDatabase } from "./test-database.js"
