// The part of better-sqlite3 that this package uses (sqlite-driver.ts). Declared here to avoid a dependency on its types.
declare module "better-sqlite3" {
  const driver: import("./sqlite-driver.js").SqliteDriver
  export = driver
}
