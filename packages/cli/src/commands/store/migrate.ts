import { fromPg, migrate } from "@treelog/storage-postgres"
import { connectPostgres } from "@treelog/stores"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { openOptions } from "../../sessions/open-named-store.js"
import { chosenDatabase } from "./chosen-database.js"

/** Creates or updates the tables of a database. Run again, it changes nothing. */
export async function migrateStore(context: CommandContext): Promise<ExitCode> {
  const address = chosenDatabase(context, "`treelog store migrate`")
  const versions = await context.hold(migrate(fromPg(await connectPostgres(address, openOptions(context)))))
  if (context.options.json) await context.printJson({ store: address.name, versions })
  else if (versions.length === 0) await context.log(`The tables of ${address.name} are up to date.`)
  else await context.log(`The tables of ${address.name} are at version ${Math.max(...versions)} now.`)
  return EXIT.ok
}
