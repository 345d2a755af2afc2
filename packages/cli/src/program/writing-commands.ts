// Registers the commands by which sessions come to be and grow.

import { Option } from "commander"
import type { AppendOptions } from "../commands/append.js"
import type { BranchOptions } from "../commands/branch.js"
import type { CompactCommandOptions } from "../commands/compact.js"
import type { ForkOptions } from "../commands/fork/fork-options.js"
import type { NameOptions } from "../commands/name.js"
import type { NewOptions } from "../commands/new.js"
import { ENTRY, INSTRUCTIONS, SESSION, timeoutOption } from "./arguments.js"
import type { MakeCommand, Start } from "./make-command.js"
import { positiveInteger } from "./option-parsers.js"

const ROLES = ["user", "assistant", "system", "developer", "custom"]

export function addGrowingCommands(command: MakeCommand, start: Start): void {
  command("new", "Begin a session, and print its id and path.")
    .option("--name <name>", "what to call it")
    .option("--id <id>", "an id of your own: letters, digits, `.`, `_`, `-`")
    .option("--parent <session>", "the session that it comes from")
    .action(async (own: NewOptions) => {
      const { newSession } = await import("../commands/new.js")
      await start((context) => newSession(context, own))
    })
  command("append", "Append a message where the session stands, and print the id of its entry.")
    .argument("<session>", SESSION)
    .argument("[message]", "the message as JSON; `-` reads it from stdin")
    .addOption(new Option("--role <role>", "who speaks, with --text").choices(ROLES))
    .option("--text <text>", "what is said, with --role")
    .option("--model <provider/id>", "who answered, with --role assistant")
    .option("--custom-type <type>", "which extension speaks, with --role custom (default: note)")
    .action(async (ref: string, json: string | undefined, own: AppendOptions) => {
      const { append } = await import("../commands/append.js")
      await start((context) => append(context, ref, json, own))
    })
  command("branch", "Go back to an entry: what is appended next begins a new branch there.")
    .argument("<session>", SESSION)
    .argument("<entry>", `${ENTRY}; \`root\` means before everything`)
    .option("--summary <text>", "tell the new branch what the one that is left was about")
    .option("--summarize <command>", "let a command tell: it gets a prompt on stdin, and answers on stdout")
    .option("--instructions <text>", INSTRUCTIONS)
    .addOption(timeoutOption())
    .action(async (ref: string, entry: string, own: BranchOptions) => {
      const { branch } = await import("../commands/branch.js")
      await start((context) => branch(context, ref, entry, own))
    })
  command("compact", "Put a summary in the place of all but the newest messages, for the model. Nothing is removed.")
    .argument("<session>", SESSION)
    .option("--summarizer <command>", "what writes the summary: it gets a prompt on stdin, and answers on stdout")
    .option("--summary <file>", "a summary that was written already; `-` reads it from stdin")
    .option("--instructions <text>", INSTRUCTIONS)
    .option("--keep <tokens>", "about how much of the newest messages stays as it is (default: 20000)", positiveInteger)
    .addOption(timeoutOption())
    .option("-n, --dry-run", "say what would be summarized and what kept, and do nothing")
    .option("-v, --verbose", "with --dry-run: print the prompt, too")
    .action(async (ref: string, own: CompactCommandOptions) => {
      const { compactSession } = await import("../commands/compact.js")
      await start((context) => compactSession(context, ref, own))
    })
  command("fork", "Copy a session into a new one, and print its id and path. The source is not touched.")
    .argument("<session>", SESSION)
    .option("--leaf <entry>", "copy only the way to this entry (default: all branches)")
    .option("--before <entry>", "copy only the way to what precedes this message of yours, and print its text")
    .option("-i, --interactive", "choose that message; needs a terminal")
    .option(
      "--to <folder>",
      "the folder that the copy belongs to (default: this one, or with one of these options that of the source)",
    )
    .action(async (ref: string, own: ForkOptions) => {
      const { fork } = await import("../commands/fork.js")
      await start((context) => fork(context, ref, own))
    })
  command("label", "Label an entry; without a text, take its label off.")
    .argument("<session>", SESSION)
    .argument("<entry>", ENTRY)
    .argument("[text]", "the label")
    .action(async (ref: string, entry: string, text: string | undefined) => {
      const { label } = await import("../commands/label.js")
      await start((context) => label(context, ref, entry, text))
    })
  command("name", "Name a session; without a name, print the one that it has.")
    .argument("<session>", SESSION)
    .argument("[name]", "the name")
    .option("--clear", "take the name off")
    .action(async (ref: string, text: string | undefined, own: NameOptions) => {
      const { name } = await import("../commands/name.js")
      await start((context) => name(context, ref, text, own))
    })
}
