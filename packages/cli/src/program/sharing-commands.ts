// Registers export, import, bundle, and the scan for secrets.

import { Option } from "commander"
import { DRY_RUN, type MakeCommand, NEWEST_OR, type Runs, SESSION } from "./make-command.js"

/** The keys of `FORMATS`, which is not loaded here. */
const FORMATS = ["md", "text", "jsonl", "json", "html"]

const STORE = "treelog, pi, xcsh or omp; a folder that contains `sessions`; or postgres://host/database"

const IMPORT_NOTES = `
From an agent, what is said, tool calls, results, thinking, images and
compactions go over; the system prompt, the tools and permissions do not. So
the context is what was said, not byte for byte what the model saw. The source
is stored beside the session, compressed, with transcripts of sub-agents.
Entries that were added here stay: what is new becomes a branch beside them.`

export function addSharingCommands(command: MakeCommand, run: Runs): void {
  command(
    "export",
    "Write a session as a document or as JSON Lines, with its secrets redacted. The session does not change.",
  )
    .argument("[session]", NEWEST_OR)
    .addOption(new Option("--format <format>", "output format (default: md, or by the file name)").choices(FORMATS))
    .option("--leaf <entry>", "the branch that ends at this entry (default of md and text: the current branch)")
    .option("--all-branches", "every branch, in file order (default of jsonl, json and html)")
    .option("--no-tools", "leave out tool calls and their results")
    .option("--no-thinking", "leave out thinking")
    .option("--inline-images", "include the images from blobs; html always does")
    .addOption(
      new Option("--images <where>", "of md: leave images out, or write them as files beside the document")
        .choices(["none", "files"])
        .conflicts("inlineImages"),
    )
    .option("--no-redact", "keep secrets, and lines that cannot be read")
    .option("-o, --output <file>", "write to this file; `-` is stdout, the default")
    .option("--force", "overwrite an existing file")
    .action(run(async () => (await import("../commands/export.js")).exportStored))
  command(
    "import",
    "Store sessions from a file, a bundle, an agent or another store. What is there already is continued, never overwritten. Run again, it adds what is new.",
  )
    .argument("[session...]", `a session file of any program, or a bundle (\`-\` is stdin); with --from: ${SESSION}`)
    .option("--from <store>", `an agent, such as claude-code or opencode; or another store, byte for byte: ${STORE}`)
    .option("--to <store>", "the store they go to (default: where new sessions go)")
    .option("--project <folder>", "with --from an agent: the sessions of this folder")
    .option("--from-blobs <place>", "where the blobs of --from are: a folder, or s3://bucket/prefix")
    .option("--to-blobs <place>", "where the blobs of --to go")
    .addOption(
      new Option("--map <from=to>", "with a bundle: what a folder is called here; repeatable").argParser(collected),
    )
    .option("-n, --dry-run", DRY_RUN)
    .addHelpText("after", IMPORT_NOTES)
    .action(run(async () => (await import("../commands/import.js")).importInto))
  command(
    "bundle",
    "Write sessions, with their artifacts, sub-agents and blobs, into one archive for another machine. The history of prompts is not part of it.",
  )
    .argument("[session...]", `${SESSION} (default: @last; or --project, or --all)`)
    .requiredOption("-o, --output <file>", "write to this file; `-` is stdout")
    .option("--project", "every session of this folder")
    .option("--redact", "redact secrets; otherwise they are only counted")
    .option("--force", "overwrite an existing file")
    .action(run(async () => (await import("../commands/bundle.js")).bundle))
  command("scan", "Find secrets in a session: print where and of what kind, never the secret. Changes nothing.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .action(run(async () => (await import("../commands/scan.js")).scan))
}

function collected(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}
