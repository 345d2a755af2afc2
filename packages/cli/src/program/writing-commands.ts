// Registers the commands that create sessions and add to them.

import { Option } from "commander"
import { ENTRY, INSTRUCTIONS, type MakeCommand, type Runs, SESSION, timeoutOption } from "./make-command.js"
import { positiveInteger } from "./options.js"

const ROLES = ["user", "assistant", "system", "developer", "custom"]

export function addWritingCommands(command: MakeCommand, run: Runs): void {
  command("new", "Create a session, and print its id and path.")
    .option("--name <name>", "name of the session")
    .option("--id <id>", "an id of your own: letters, digits, `.`, `_`, `-`")
    .option("--parent <session>", "the session that it was started from")
    .action(run(async () => (await import("../commands/new.js")).newSession))
  command("append", "Append a message to the current branch, and print the id of its entry.")
    .argument("<session>", SESSION)
    .argument("[message]", "the message as JSON; `-` reads it from stdin")
    .addOption(new Option("--role <role>", "role of the message, with --text").choices(ROLES))
    .option("--text <text>", "text of the message, with --role")
    .option("--model <provider/id>", "the model that answered, with --role assistant")
    .option("--custom-type <type>", "type of a custom message, with --role custom (default: note)")
    .action(run(async () => (await import("../commands/append.js")).append))
  command("branch", "Go back to an entry: the next append starts a new branch there.")
    .argument("<session>", SESSION)
    .argument("<entry>", `${ENTRY}; \`root\` means before the first entry`)
    .option("--summary <text>", "summary of the branch that you leave, for the new one")
    .option(
      "--summarize <command>",
      "summarize with this command: it reads a prompt on stdin, and writes the summary to stdout",
    )
    .option("--instructions <text>", INSTRUCTIONS)
    .addOption(timeoutOption())
    .action(run(async () => (await import("../commands/branch.js")).branch))
  command("compact", "Summarize all but the newest messages, so that the model gets less context. No entry is removed.")
    .argument("<session>", SESSION)
    .option(
      "--summarizer <command>",
      "summarize with this command: it reads a prompt on stdin, and writes the summary to stdout",
    )
    .option("--summary <file>", "use the summary in this file; `-` reads it from stdin")
    .option("--instructions <text>", INSTRUCTIONS)
    .option("--keep <tokens>", "keep about this many tokens of the newest messages (default: 20000)", positiveInteger)
    .addOption(timeoutOption())
    .option("-n, --dry-run", "print what would be summarized and what kept, and change nothing")
    .option("-v, --verbose", "with --dry-run: also print the prompt")
    .action(run(async () => (await import("../commands/compact.js")).compactSession))
  command("fork", "Copy a session to a new one, and print its id and path. The source does not change.")
    .argument("<session>", SESSION)
    .option("--leaf <entry>", "copy only the path to this entry (default: all branches)")
    .option("--before <entry>", "copy only the path up to this user message, without it, and print its text")
    .option("-i, --interactive", "choose that message in the tree; needs a terminal")
    .option(
      "--to <folder>",
      "project folder of the copy (default: this folder; with --leaf, --before or -i the folder of the source)",
    )
    .action(run(async () => (await import("../commands/fork.js")).fork))
  command("label", "Label an entry; without a text, remove its label.")
    .argument("<session>", SESSION)
    .argument("<entry>", ENTRY)
    .argument("[text]", "the label")
    .action(run(async () => (await import("../commands/label.js")).label))
  command("name", "Name a session; without a name, print its name.")
    .argument("<session>", SESSION)
    .argument("[name]", "the name")
    .option("--clear", "remove the name")
    .action(run(async () => (await import("../commands/name.js")).name))
}
