// Registers the commands that bring sessions to others and back, and the one that looks for secrets in them.

import { Option } from "commander"
import type { ExportOptions } from "../export/export-options.js"
import { NEWEST_OR, SESSION } from "./arguments.js"
import type { MakeCommand, Start } from "./make-command.js"

/** As `FORMATS` has them, which is not loaded for that. */
const FORMATS = ["md", "text", "jsonl", "json", "html"]

export function addSharingCommands(command: MakeCommand, start: Start): void {
  command("export", "Write a session as a document, or as it is, without its secrets. The session is not touched.")
    .argument("[session]", NEWEST_OR)
    .addOption(new Option("--format <format>", "of what form (default: md, or as the file is named)").choices(FORMATS))
    .option("--leaf <entry>", "the branch that ends here (default of md and text: the one that the session stands on)")
    .option("--all-branches", "every branch, in the order of the file (default of jsonl, json and html)")
    .option("--no-tools", "without tool calls and their results")
    .option("--no-thinking", "without thinking")
    .option("--inline-images", "with the images that lie in blobs; html always has them")
    .option("--no-redact", "with its secrets, and with lines that cannot be read")
    .option("-o, --output <file>", "write to this file; `-` is stdout, the default")
    .option("--force", "put it in the place of a file that is there")
    .action(async (ref: string | undefined, own: ExportOptions) => {
      const { exportSession } = await import("../commands/export.js")
      await start((context) => exportSession(context, ref, own))
    })
  command("import", "Take a session from a file into the store, with its ids, labels and branches.")
    .argument("<file>", "a session: what `export --format jsonl` wrote, or any other program's file")
    .action(async (file: string) => {
      const { importSession } = await import("../commands/import.js")
      await start((context) => importSession(context, file))
    })
  command("scan", "Say where secrets stand in a session, and of what kind they are. Never prints one. Changes nothing.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .action(async (ref: string | undefined) => {
      const { scan } = await import("../commands/scan.js")
      await start((context) => scan(context, ref))
    })
}
