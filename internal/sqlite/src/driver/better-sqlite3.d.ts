// The part of better-sqlite3 that this package and tests use. Declared here to avoid a dependency on its types.
declare module "better-sqlite3" {
  type Driver = import("./sqlite-driver.js").SqliteDatabase

  interface Database extends Driver {
    readonly inTransaction: boolean
    /** The first column of the first row. */
    pragma(pragma: string, options: { simple: true }): unknown
    /** Allows to write to the tables of an index. */
    unsafeMode(): unknown
  }

  const Database: new (database: string | Buffer, options?: { timeout?: number }) => Database
  export = Database
}
