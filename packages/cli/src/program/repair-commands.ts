// Registers the commands that check, repair and rewrite sessions, and those for blobs.

import type { GcOptions } from "../commands/blobs-gc.js"
import type { VerifyCommandOptions } from "../commands/verify.js"
import { UsageError } from "../errors/usage-error.js"
import { helpLayout } from "./help-texts.js"
import { DRY_RUN, type MakeCommand, onEveryStore, SESSION, type Start, startInStoreOf } from "./make-command.js"
import { type ChangeCommandOptions, durationOption } from "./options.js"

interface RepairOptions extends ChangeCommandOptions {
  readonly migrate?: boolean
}

export function addRepairCommands(command: MakeCommand, start: Start): void {
  const startIn = startInStoreOf(start)
  command("verify", "Check a session, and list every fault with its line and byte offset. Changes no session.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .option("--fix-orphans", "with --all: remove orphaned locks and temporary files of killed commands")
    .action(async (ref: string | undefined, own: VerifyCommandOptions) => {
      const { verify } = await import("../commands/verify.js")
      await start((context) => verify(context, ref, own))
    })
  command(
    "repair",
    "Repair a damaged session; with --migrate, bring it to the current version. Keeps a backup beside it, until `treelog trash empty`. No message is dropped.",
  )
    .argument("[session]", `${SESSION}; with --migrate, --all means every session`)
    .option("--migrate", "bring the session to the current version of the format instead")
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string | undefined, { migrate: isMigration, ...own }: RepairOptions) => {
      if (isMigration) {
        const { migrate } = await import("../commands/migrate.js")
        if (ref === undefined) await start((context) => migrate(context, ref, own))
        else await startIn(ref, (context, found) => migrate(context, found, own))
        return
      }
      if (ref === undefined)
        throw new UsageError("Name a session to repair; `treelog verify --all` finds those with damage.")
      const { repair } = await import("../commands/repair.js")
      await startIn(ref, (context, found) => repair(context, found, own))
    })
  const blobs = command("blobs", "Manage blobs: images and very long texts stored outside of sessions, each once.")
    .configureHelp(helpLayout)
    .helpCommand(false)
    .usage("<command> [options]")
  command(
    "blobs slim",
    "Move the images and very long texts of a session to blobs, once these read as they were.",
    blobs,
  )
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { slim } = await import("../commands/slim.js")
      await startIn(ref, (context, found) => slim(context, found, own))
    })
  command(
    "blobs inflate",
    "Move images and long texts from blobs back into a session, for programs that do not read blobs.",
    blobs,
  )
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { inflate } = await import("../commands/slim.js")
      await startIn(ref, (context, found) => inflate(context, found, own))
    })
  command("blobs ls", "List the blobs of a store.", blobs).action(async () => {
    const { listBlobs } = await import("../commands/blobs-ls.js")
    await start(onEveryStore(listBlobs))
  })
  command("blobs verify", "Read every blob, and list those whose bytes do not match their hash.", blobs).action(
    async () => {
      const { verifyStoredBlobs } = await import("../commands/blobs-verify.js")
      await start(onEveryStore(verifyStoredBlobs))
    },
  )
  command("blobs gc", "List the blobs that no session references; with --apply, remove them.", blobs)
    .option("--apply", "move them to the trash of the blobs, until the next --apply")
    .option("--grace <duration>", "keep blobs newer than this: 90s, 30m, 12h, 2w (default: 1d)", durationOption)
    .option("--root <path...>", "also keep what these reference: folders, or session files")
    .option("--allow-unparsable", "continue when a line of a session cannot be read")
    .option("--undo", "restore what the last --apply removed")
    .action(async (own: GcOptions) => {
      const { collectBlobs } = await import("../commands/blobs-gc.js")
      await start(onEveryStore((context) => collectBlobs(context, own)))
    })
}
