// Registers the commands for settings, and for the tables of a database.

import { helpLayout } from "./help-texts.js"
import type { MakeCommand, Start } from "./make-command.js"

export function addStoreCommands(command: MakeCommand, start: Start): void {
  addConfigCommands(command, start)
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

function addConfigCommands(command: MakeCommand, start: Start): void {
  const config = command("config", "Print and change settings: which store new sessions go to.")
    .configureHelp(helpLayout)
    .helpCommand(false)
    .usage("<command> [options]")
  command("config get", "Print the settings, or one of them.", config)
    .argument("[setting]", "store")
    .action(async (key: string | undefined) => {
      const { getConfig } = await import("../commands/config.js")
      await start((context) => getConfig(context, key))
    })
  command("config set", "Change a setting.", config)
    .argument("<setting>", "store")
    .argument("<value>", "what --store takes")
    .action(async (key: string, value: string) => {
      const { setConfig } = await import("../commands/config.js")
      await start((context) => setConfig(context, key, value))
    })
  command("config unset", "Remove a setting.", config)
    .argument("<setting>", "store")
    .action(async (key: string) => {
      const { unsetConfig } = await import("../commands/config.js")
      await start((context) => unsetConfig(context, key))
    })
}
