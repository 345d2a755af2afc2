/** The error for rows that were damaged on the disk, and that SQLite can read: as SQLite's own. @param what the rows */
export function damagedTables(what: string): Error {
  return Object.assign(new Error(`The ${what} of the index are damaged.`), { code: "SQLITE_CORRUPT" })
}
