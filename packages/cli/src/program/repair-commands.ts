// Registers the commands that check and mend what is stored, and those of the blobs.

import type { GcOptions } from "../commands/blobs-gc.js"
import type { VerifyCommandOptions } from "../commands/verify.js"
import { DRY_RUN, SESSION } from "./arguments.js"
import type { MakeCommand, Start } from "./make-command.js"
import { durationOption } from "./option-parsers.js"
import type { ChangeCommandOptions } from "./options.js"

export function addRepairCommands(command: MakeCommand, start: Start): void {
  command("verify", "Name every fault of a session, with line and byte offset. Changes no session.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .option("--fix-orphans", "with --all: remove the locks and temporary files of killed commands")
    .action(async (ref: string | undefined, own: VerifyCommandOptions) => {
      const { verify } = await import("../commands/verify.js")
      await start((context) => verify(context, ref, own))
    })
  command("repair", "Mend a session. It is kept as it was, with the list of changes, beside it. No message is dropped.")
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { repair } = await import("../commands/repair.js")
      await start((context) => repair(context, ref, own))
    })
  command("migrate", "Bring sessions to the current version. Each is kept as it was, beside it.")
    .argument("[session]", `${SESSION}; without one, --all means every session`)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string | undefined, own: ChangeCommandOptions) => {
      const { migrate } = await import("../commands/migrate.js")
      await start((context) => migrate(context, ref, own))
    })
  command("slim", "Move the images and very long texts of a session to its blobs. It is kept as it was, beside it.")
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { slim } = await import("../commands/slim.js")
      await start((context) => slim(context, ref, own))
    })
  command("inflate", "Put images and long texts back into a session, for programs that know no blobs.")
    .argument("<session>", SESSION)
    .option("-n, --dry-run", DRY_RUN)
    .action(async (ref: string, own: ChangeCommandOptions) => {
      const { inflate } = await import("../commands/slim.js")
      await start((context) => inflate(context, ref, own))
    })
  const blobs = command("blobs", "Images and very long texts that were moved out of sessions, each kept once.")
    .configureHelp({ subcommandTerm: (one) => one.name() })
    .helpCommand(false)
    .usage("<command> [options]")
  command("blobs ls", "List the blobs of a store.", blobs).action(async () => {
    const { listBlobs } = await import("../commands/blobs-ls.js")
    await start(listBlobs)
  })
  command("blobs verify", "Read every blob, and name those that are not what was stored.", blobs).action(async () => {
    const { verifyStoredBlobs } = await import("../commands/blobs-verify.js")
    await start(verifyStoredBlobs)
  })
  command("blobs gc", "Say which blobs no session names, and with --apply take them away.", blobs)
    .option("--apply", "move them to the trash, where they stay until the next --apply")
    .option(
      "--grace <duration>",
      "spare what was put within this time: 90s, 30m, 12h, 2w (default: 1d)",
      durationOption,
    )
    .option("--root <path...>", "spare what is named here too: folders, or files of sessions")
    .option("--allow-unparsable", "go on where a line of a session cannot be read")
    .option("--undo", "give back what the last --apply took")
    .action(async (own: GcOptions) => {
      const { collectBlobs } = await import("../commands/blobs-gc.js")
      await start((context) => collectBlobs(context, own))
    })
}
