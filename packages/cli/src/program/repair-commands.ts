// Registers the commands that check, repair and rewrite sessions, and those for blobs.

import { DRY_RUN, groupOf, type MakeCommand, onEveryStore, type Runs, SESSION } from "./make-command.js"
import { durationOption } from "./options.js"

interface RepairOptions {
  readonly migrate?: boolean
}

export function addRepairCommands(command: MakeCommand, run: Runs): void {
  command("verify", "Check a session, and list every fault with its line and byte offset. Changes no session.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .option("--fix-orphans", "with --all: remove orphaned locks and temporary files of killed commands")
    .action(run(async () => (await import("../commands/verify.js")).verify))
  command(
    "repair",
    "Repair a damaged session; with --migrate, bring it to the current version. Keeps a backup beside it, until `treelog trash empty`. No message is dropped.",
  )
    .argument("[session]", `${SESSION}; with --migrate, --all means every session`)
    .option("--migrate", "bring the session to the current version of the format instead")
    .option("-n, --dry-run", DRY_RUN)
    .action(
      run(async (_: string | undefined, { migrate }: RepairOptions) =>
        migrate ? (await import("../commands/migrate.js")).migrate : (await import("../commands/repair.js")).repair,
      ),
    )
  const blobs = groupOf(
    command("blobs", "Manage blobs: images and very long texts stored outside of sessions, each once."),
  )
  command(
    "blobs slim",
    "Move the images and very long texts of a session to blobs, once these read as they were.",
    blobs,
  )
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(run(async () => (await import("../commands/slim.js")).slim))
  command(
    "blobs inflate",
    "Move images and long texts from blobs back into a session, for programs that do not read blobs.",
    blobs,
  )
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(run(async () => (await import("../commands/slim.js")).inflate))
  command("blobs ls", "List the blobs of a store.", blobs).action(
    run(async () => onEveryStore((await import("../commands/blobs.js")).listBlobs)),
  )
  command("blobs verify", "Read every blob, and list those whose bytes do not match their hash.", blobs).action(
    run(async () => onEveryStore((await import("../commands/blobs.js")).verifyStoredBlobs)),
  )
  command("blobs gc", "List the blobs that no session references; with --apply, remove them.", blobs)
    .option("--apply", "move them to the trash of the blobs, until the next --apply")
    .option("--grace <duration>", "keep blobs newer than this: 90s, 30m, 12h, 2w (default: 1d)", durationOption)
    .option("--root <path...>", "also keep what these reference: folders, or session files")
    .option("--allow-unparsable", "continue when a line of a session cannot be read")
    .option("--undo", "restore what the last --apply removed")
    .action(run(async () => onEveryStore((await import("../commands/blobs-gc.js")).collectBlobs)))
}
