// What the SQLite databases of treelog share: the driver, a file that several processes write and that is replaced when it is damaged,
// a database that is read without writing, and the faults of SQLite.
export { DatabaseFile } from "./database-file.js"
export type { DriverFault } from "./driver/better-sqlite3-driver.js"
export { chooseDriver, includedDriver } from "./driver/choose-driver.js"
export type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "./driver/sqlite-driver.js"
export { retryBusy } from "./retry-busy.js"
export { ForeignDatabase, PATIENCE } from "./snapshot/foreign-database.js"
export { foreignTables } from "./snapshot/foreign-tables.js"
export { type DatabaseCopy, openCopy } from "./snapshot/open-copy.js"
export { CACHE, inTransaction, pragma, prepareToWrite, SqliteConnection, waitForLocks } from "./sqlite-connection.js"
export { isBusy, isDamaged, isDamagedIndex, sqliteCode, toStorageError } from "./sqlite-fault.js"
export { textHash } from "./text-hash.js"
