import { fromPg, migrate, PostgresSessionStorage } from "@treelog/storage-postgres"
import { connectPostgres } from "@treelog/stores"
import { plural } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore, openOptions } from "../store/chosen-store.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "create and update the tables of a database",
  description: "Create, update and clean up the tables of a store in PostgreSQL.",
  examples: [
    ["treelog store migrate --store postgres://db/agents", "create or update tables"],
    ["treelog list --store postgres://db/agents", "then use it"],
    ["treelog store clean", "remove abandoned uploads"],
  ],
  commands: {
    migrate: {
      summary: "create or update the tables",
      description:
        "Create the tables of a store in PostgreSQL, or update them for this version. Run again, it changes nothing.",
      examples: [
        ["treelog store migrate --store postgres://db/agents", "create or update tables"],
        ["treelog store migrate", "for $TREELOG_STORE"],
      ],
      run: migrateStore,
    },
    clean: {
      summary: "remove abandoned uploads",
      description:
        "Remove what killed programs left in a store in PostgreSQL of sessions that they were storing, after a day.",
      examples: [["treelog store clean --store postgres://db/agents", "remove abandoned uploads"]],
      run: cleanStore,
    },
  },
}

export async function migrateStore(context: CommandContext): Promise<ExitCode> {
  const { name: store, client } = await chosenDatabase(context, "`treelog store migrate`")
  const versions = await context.hold(migrate(client))
  await context.report({ store, versions }, [])
  const state = versions.length === 0 ? "up to date" : `at version ${Math.max(...versions)} now`
  await context.log(`The tables of ${store} are ${state}.`)
  return EXIT.ok
}

export async function cleanStore(context: CommandContext): Promise<ExitCode> {
  const { name: store, client } = await chosenDatabase(context, "`treelog store clean`")
  const uploads = await context.hold(new PostgresSessionStorage({ client }).removeAbandonedUploads())
  await context.report({ store, uploads }, [])
  await context.log(`${plural(uploads, "abandoned upload")} removed from ${store}.`)
  return EXIT.ok
}

/** The database that the options or TREELOG_STORE name. @throws UsageError for files, which need no such command */
async function chosenDatabase(context: CommandContext, command: string) {
  const { name: address } = chosenStore(context)
  if (address.kind === "postgres")
    return { name: address.name, client: fromPg(await connectPostgres(address, openOptions(context))) }
  throw new UsageError(
    `${command} is for databases: name one with --store postgres://host/database, or in TREELOG_STORE.`,
  )
}
