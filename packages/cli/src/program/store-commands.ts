// Registers the commands for settings, and for the tables of a database.

import { groupOf, type MakeCommand, type Runs } from "./make-command.js"

export function addStoreCommands(command: MakeCommand, run: Runs): void {
  addConfigCommands(command, run)
  const store = groupOf(command("store", "Create, update and clean up the tables of a store in PostgreSQL."))
  command(
    "store migrate",
    "Create the tables of a store in PostgreSQL, or update them for this version. Run again, it changes nothing.",
    store,
  ).action(run(async () => (await import("../commands/store.js")).migrateStore))
  command(
    "store clean",
    "Remove what killed programs left in a store in PostgreSQL of sessions that they were storing, after a day.",
    store,
  ).action(run(async () => (await import("../commands/store.js")).cleanStore))
}

function addConfigCommands(command: MakeCommand, run: Runs): void {
  const config = groupOf(
    command("config", "Print and change settings: which store new sessions go to, your prices, and further agents."),
  )
  command("config get", "Print the settings, or one of them.", config)
    .argument("[setting]", "store, prices or agents")
    .action(run(async () => (await import("../commands/config.js")).getConfig))
  command("config set", "Change a setting.", config)
    .argument("<setting>", "store, prices or agents")
    .argument(
      "<value>",
      "of store what --store takes, of prices a file, of agents files that define some, with commas between them: they are run",
    )
    .action(run(async () => (await import("../commands/config.js")).setConfig))
  command("config unset", "Remove a setting.", config)
    .argument("<setting>", "store, prices or agents")
    .action(run(async () => (await import("../commands/config.js")).unsetConfig))
}
