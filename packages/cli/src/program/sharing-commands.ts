// Registers export, import, copy, bundle, unbundle, and the scan for secrets.

import { Option } from "commander"
import type { BundleCommandOptions } from "../commands/bundle.js"
import type { CopyCommandOptions } from "../commands/copy.js"
import type { ExportOptions } from "../commands/export.js"
import type { AgentImportOptions } from "../commands/import/from-agent.js"
import type { UnbundleCommandOptions } from "../commands/unbundle.js"
import { DRY_RUN, type MakeCommand, NEWEST_OR, SESSION, type Start, startInStoreOf } from "./make-command.js"

/** The keys of `FORMATS`, which is not loaded here. */
const FORMATS = ["md", "text", "jsonl", "json", "html"]

const STORE = "treelog, pi, xcsh or omp; a folder that contains `sessions`; or postgres://host/database"

const IMPORT_NOTES = `
From an agent, what is said, tool calls, results, thinking, images and
compactions go over; the system prompt, the tools and permissions do not. So
the context is what was said, not byte for byte what the model saw. The source
is stored beside the session, compressed, with transcripts of sub-agents.
Entries that were added here stay: what is new becomes a branch beside them.`

export function addSharingCommands(command: MakeCommand, start: Start): void {
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
    .option("--no-redact", "keep secrets, and lines that cannot be read")
    .option("-o, --output <file>", "write to this file; `-` is stdout, the default")
    .option("--force", "overwrite an existing file")
    .action(async (ref: string | undefined, own: ExportOptions) => {
      const { exportStored } = await import("../commands/export.js")
      await startInStoreOf(start)(ref, (context, found) => exportStored(context, found, own))
    })
  command(
    "import",
    "Import a session file, or sessions of Claude Code or Codex, into the store. Run again, it adds what is new.",
  )
    .argument("[session]", "a session file, of treelog or another program; with --from, a session of the agent")
    .option("--from <agent>", "claude-code or codex: one session, or several with --all or --project")
    .option("--project <folder>", "with --from: the sessions of this folder")
    .option("--to <store>", "with --from: the store they go to (default: the one the command works on)")
    .option("-n, --dry-run", "with --from: print what would be converted, and change nothing")
    .addHelpText("after", IMPORT_NOTES)
    .action(async (ref: string | undefined, own: AgentImportOptions) => {
      const { importSession } = await import("../commands/import.js")
      await start((context) => importSession(context, ref, own))
    })
  command(
    "copy",
    "Copy sessions byte for byte from one store to another, with their blobs. Run again, it copies what is new.",
  )
    .argument("[sessions...]", `${SESSION}; or --all`)
    .requiredOption("--from <store>", STORE)
    .option("--to <store>", "the same (default: $TREELOG_STORE)")
    .option("--from-blobs <place>", "where the blobs of --from are: a folder, or s3://bucket/prefix")
    .option("--to-blobs <place>", "where the blobs of --to go")
    .option("-n, --dry-run", DRY_RUN)
    .action(async (refs: string[], own: CopyCommandOptions) => {
      const { copy } = await import("../commands/copy.js")
      await start((context) => copy(context, refs, own))
    })
  command(
    "bundle",
    "Write sessions, with their artifacts, sub-agents and blobs, into one archive for another machine. The history of prompts is not part of it.",
  )
    .argument("[sessions...]", `${SESSION} (default: @last; or --project, or --all)`)
    .requiredOption("-o, --output <file>", "write to this file; `-` is stdout")
    .option("--project", "every session of this folder")
    .option("--redact", "redact secrets; otherwise they are only counted")
    .option("--force", "overwrite an existing file")
    .action(async (refs: string[], own: BundleCommandOptions) => {
      const { bundle } = await import("../commands/bundle.js")
      await start((context) => bundle(context, refs, own))
    })
  command(
    "unbundle",
    "Verify a bundle, then store its sessions. What is there already is continued, never overwritten. Run again, it changes nothing.",
  )
    .argument("<file>", "a file from `bundle`; `-` is stdin")
    .addOption(new Option("--map <from=to>", "what a folder is called here; repeatable").argParser(collected))
    .option("-n, --dry-run", DRY_RUN)
    .action(async (file: string, own: UnbundleCommandOptions) => {
      const { unbundle } = await import("../commands/unbundle.js")
      await start((context) => unbundle(context, file, own))
    })
  command("scan", "Find secrets in a session: print where and of what kind, never the secret. Changes nothing.")
    .argument("[session]", `${SESSION} (default: @last; with --all every session)`)
    .action(async (ref: string | undefined) => {
      const { scan } = await import("../commands/scan.js")
      await start((context) => scan(context, ref))
    })
}

function collected(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}
