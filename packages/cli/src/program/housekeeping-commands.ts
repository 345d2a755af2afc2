// Registers the commands that delete, restore and relocate sessions, and those for the trash.

import { InvalidArgumentError } from "commander"
import { DRY_RUN, groupOf, type MakeCommand, type Runs, SESSION, SINCE_SESSION, UNTIL_SESSION } from "./make-command.js"
import { durationOption, parseSize, positiveInteger } from "./options.js"

const PERMANENT = "delete for good, not to the trash; databases have none"

export function addHousekeepingCommands(command: MakeCommand, run: Runs): void {
  command(
    "delete",
    "Move sessions to the trash, with their artifacts and backups: those that are named; or those that match every option, which are listed, and moved with --apply.",
  )
    .argument("[session...]", SESSION)
    .option(
      "--older-than <duration>",
      "without a message for this long: 90s, 12h, 30d, 8w (default: 1h)",
      durationOption,
    )
    .option("--since <time>", SINCE_SESSION)
    .option("--until <time>", UNTIL_SESSION)
    .option("--keep-last <count>", "keep this many of each project, the newest", positiveInteger)
    .option("--max-size <size>", "the oldest, until the rest is no larger: 500mb, 2gb, or 2gib in units of 1,024", size)
    .option("--empty", "sessions without a message")
    .option("--project <folder>", "sessions of this folder")
    .option("--include-named", "also sessions that have a name")
    .option("--include-labelled", "also sessions with a labelled entry")
    .option("--apply", "with these options: move them to the trash")
    .option("--permanent", PERMANENT)
    .option("-n, --dry-run", DRY_RUN)
    .action(run(async () => (await import("../commands/delete.js")).deleteSessions))
  const trash = groupOf(
    command(
      "trash",
      "List, restore and empty what `delete` moved to the trash. It uses disk space until it is emptied.",
    ),
  )
  command("trash ls", "List the trash of the store, most recently deleted first.", trash).action(
    run(async () => (await import("../commands/trash.js")).listTrash),
  )
  command("trash restore", "Restore sessions from the trash to where they were.", trash)
    .argument(
      "[trashed...]",
      "path, start or end of an id, or name, in the trash; or a time from `treelog trash ls`: everything deleted then",
    )
    .option("--last", "the sessions of the last delete")
    .action(run(async () => (await import("../commands/trash.js")).restore))
  command(
    "trash empty",
    "List what is in the trash, and the backups that repairs and migrations kept; with --apply, remove them for good.",
    trash,
  )
    .option("--older-than <duration>", "deleted at least this long ago: 12h, 30d, 8w (default: 0)", durationOption)
    .option("--apply", "remove it for good")
    .action(run(async () => (await import("../commands/trash.js")).emptyTrash))
  command(
    "relocate",
    "After you renamed or moved a project folder: list its sessions; with --apply, move them to the new path.",
  )
    .requiredOption("--from <folder>", "the old path; includes the folders below it")
    .requiredOption("--to <folder>", "the new path")
    .option("--apply", "move the files; of their bytes only the cwd of the header changes")
    .action(run(async () => (await import("../commands/relocate.js")).relocate))
}

/** @throws InvalidArgumentError for what is not a size */
function size(text: string): number {
  const bytes = parseSize(text)
  if (bytes === undefined) throw new InvalidArgumentError("It must be a size such as 500mb, 2gb, or a number of bytes.")
  return bytes
}
