// Registers the commands for the tables of a database.

import { helpLayout } from "./help-texts.js"
import type { MakeCommand, Start } from "./make-command.js"

export function addStoreCommands(command: MakeCommand, start: Start): void {
  const store = command("store", "Create, update and clean up the tables of a store in PostgreSQL.")
    .configureHelp(helpLayout)
    .helpCommand(false)
    .usage("<command> [options]")
  command(
    "store migrate",
    "Create the tables of a store in PostgreSQL, or update them for this version. Run again, it changes nothing.",
    store,
  ).action(async () => {
    const { migrateStore } = await import("../commands/store/migrate.js")
    await start(migrateStore)
  })
  command(
    "store clean",
    "Remove what killed programs left in a store in PostgreSQL of sessions that they were storing, after a day.",
    store,
  ).action(async () => {
    const { cleanStore } = await import("../commands/store/clean.js")
    await start(cleanStore)
  })
}
