// Registers the commands that clean up, and those of the trash.

import { InvalidArgumentError } from "commander"
import type { PruneCommandOptions } from "../commands/prune.js"
import type { RelocateCommandOptions } from "../commands/relocate.js"
import type { RestoreOptions } from "../commands/restore.js"
import type { EmptyOptions } from "../commands/trash-empty.js"
import { DRY_RUN, SESSION } from "./arguments.js"
import type { MakeCommand, Start } from "./make-command.js"
import { durationOption, parseSize, positiveInteger } from "./option-parsers.js"
import type { ChangeCommandOptions } from "./options.js"

export function addHousekeepingCommands(command: MakeCommand, start: Start): void {
  command("delete", "Move sessions to the trash, with their artifacts and backups. `treelog restore` gives them back.")
    .argument("<session...>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (refs: string[], own: ChangeCommandOptions) => {
      const { deleteSessions } = await import("../commands/delete.js")
      await start((context) => deleteSessions(context, refs, own))
    })
  command(
    "prune",
    "Say which sessions of a folder may go, and with --apply move them to the trash. Of several options, all have to fit.",
  )
    .option(
      "--older-than <duration>",
      "without a message for so long: 90s, 12h, 30d, 8w; where it is not given, what was active within the last hour stays",
      durationOption,
    )
    .option("--keep-last <count>", "but so many of each project, the newest", positiveInteger)
    .option(
      "--max-size <size>",
      "the oldest, until the rest takes no more: 500mb, 2gb; 1 KB is 1,000 bytes, 1 KiB 1,024",
      size,
    )
    .option("--empty", "those without a message")
    .option("--project <folder>", "those of this folder")
    .option("--include-named", "also those that have a name")
    .option("--include-labelled", "also those with a labelled entry")
    .option("--apply", "do it")
    .action(async (own: PruneCommandOptions) => {
      const { prune } = await import("../commands/prune.js")
      await start((context) => prune(context, own))
    })
  command("restore", "Put sessions in the trash back where they were.")
    .argument(
      "[trashed...]",
      "path, start or end of an id, or name, in the trash; or a time of `treelog trash ls`: all that went with it",
    )
    .option("--last", "what went to the trash last, together")
    .option("--list", "only show what is in the trash")
    .action(async (refs: string[], own: RestoreOptions) => {
      const { restore } = await import("../commands/restore.js")
      await start((context) => restore(context, refs, own))
    })
  const trash = command("trash", "What `delete` and `prune` took away. It takes room until it is emptied.")
    .configureHelp({ subcommandTerm: (one) => one.name() })
    .helpCommand(false)
    .usage("<command> [options]")
  command("trash ls", "List what is in the trash of the store, what went there last first.", trash).action(async () => {
    const { listTrash } = await import("../commands/trash-ls.js")
    await start(listTrash)
  })
  command("trash empty", "Say what is in the trash, and with --apply remove it for good.", trash)
    .option("--older-than <duration>", "what went there so long ago: 12h, 30d, 8w (default: 0)", durationOption)
    .option("--apply", "remove it for good")
    .action(async (own: EmptyOptions) => {
      const { emptyTrash } = await import("../commands/trash-empty.js")
      await start((context) => emptyTrash(context, own))
    })
  command(
    "relocate",
    "Tell sessions that their folder, or one above it, has another name: say which, and with --apply do it.",
  )
    .requiredOption("--from <folder>", "the old name; what is of a folder below it moves, too")
    .requiredOption("--to <folder>", "the new name")
    .option("--apply", "do it: each file moves, and of its bytes only the header's cwd changes")
    .action(async (own: RelocateCommandOptions) => {
      const { relocate } = await import("../commands/relocate.js")
      await start((context) => relocate(context, own))
    })
}

/** @throws InvalidArgumentError for what is no size */
function size(text: string): number {
  const bytes = parseSize(text)
  if (bytes === undefined) throw new InvalidArgumentError("It must be a size such as 500mb, 2gb, or a number of bytes.")
  return bytes
}
