import { fromPg, PostgresSessionStorage } from "@treelog/storage-postgres"
import { connectPostgres } from "@treelog/stores"
import { plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { openOptions } from "../../sessions/open-named-store.js"
import { chosenDatabase } from "./chosen-database.js"

/** Removes what killed programs left of sessions that they were storing, more than a day ago. */
export async function cleanStore(context: CommandContext): Promise<ExitCode> {
  const address = chosenDatabase(context, "`treelog store clean`")
  const storage = new PostgresSessionStorage({ client: fromPg(await connectPostgres(address, openOptions(context))) })
  const uploads = await context.hold(storage.removeAbandonedUploads())
  if (context.options.json) await context.printJson({ store: address.name, uploads })
  else await context.log(`${plural(uploads, "abandoned upload")} removed from ${address.name}.`)
  return EXIT.ok
}
