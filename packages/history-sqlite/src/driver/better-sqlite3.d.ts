// The part of better-sqlite3 that we use (sqlite-driver.ts). Declared here, so that its types are no dependency of
// ours.
declare module "better-sqlite3" {
  const driver: import("./sqlite-driver.js").SqliteDriver
  export = driver
}
