import type { PostgresAddress } from "@treelog/stores"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { chosenStore } from "../../sessions/chosen-store.js"

/** The database that the options or TREELOG_STORE name. @throws UsageError for files, which need no such command */
export function chosenDatabase(context: CommandContext, command: string): PostgresAddress {
  const { name } = chosenStore(context)
  if (name.kind === "postgres") return name
  throw new UsageError(
    `${command} is for databases: name one with --store postgres://host/database, or in TREELOG_STORE.`,
  )
}
