import { resolve } from "node:path"
import { type CopiedSession, importSession } from "@treelog/session-core/maintenance"
import { FileSessionStorage } from "@treelog/storage-fs"
import { agentOfFile, agentStoreNamed, isTrajectory } from "@treelog/stores"
import { absoluteFolder, fileChunks, isFolder, nodeFs, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import { cleanLine, plural } from "@treelog-internal/text"
import { type CommandDefinition, DRY_RUN, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, flagOf, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { openMachine } from "../sessions/open-library.js"
import { type BlobPlace, folderPlace, placeNamed, placeOfEnvironment } from "../store/blob-place.js"
import { chosenStore } from "../store/chosen-store.js"
import { blobsFolder, commandSessions, managerWith, requireWritable, storedBlobs } from "../store/command-sessions.js"
import { printFailure } from "../store/stored-keys.js"
import { artifactsFailure, leftSentence } from "../transfer/copy-report.js"
import { importAgentFile, importFromAgent, importTrajectory, storedFields } from "../transfer/from-agent.js"
import { isWritten, writtenAgents } from "../transfer/to-agent.js"
import { copy } from "./import/copy.js"
import { importForAgent } from "./import/for-agent.js"
import { unbundle } from "./import/unbundle.js"

const IMPORT_NOTES = `From an agent, what is said, tool calls, results, thinking, images and
compactions go over; the system prompt, the tools and permissions do not. So
the context is what was said, not byte for byte what the model saw. The source
is stored beside the session, compressed, with transcripts of sub-agents.
Entries that were added here stay: what is new becomes a branch beside them.

For an agent (--to), the branch that a session stands on is written as one that
it lists and goes on with. Calls get the names of its tools. Lines below each
session count what is as it was, and what became of the rest. Such a copy is
removed by \`treelog delete --permanent\`, unless the agent went on in it.`

export const command: CommandDefinition = {
  job: "share",
  summary: "store sessions of a file, a bundle, an agent or another store",
  description:
    "Store sessions from a file, a bundle, an agent or another store. What is there already is continued, never overwritten. Run again, it adds what is new.",
  examples: [
    ["treelog import talk.jsonl", "where its header says"],
    ["treelog import run.json", "a trajectory (ATIF)"],
    ["treelog import sessions.tar.gz", "what `bundle` wrote"],
    ["treelog import all.tgz --map /home/me=/Users/me", "in other folders"],
    ["treelog import --from claude-code --all", "every session of Claude Code"],
    ["treelog import --from codex 0a1b --to pi", "one of Codex, into pi"],
    ["treelog import 0a1b --to codex", "one of any agent, for Codex"],
    ["treelog import --from pi --to ~/backup --all", "a copy of pi's store"],
  ],
  arguments: [["[session...]", `a session file of any program, or a bundle (\`-\` is stdin); with --from: ${SESSION}`]],
  options: [
    [
      "--from <store>",
      "an agent, such as claude-code or opencode; or another store, byte for byte: treelog, pi, xcsh or omp; a folder that contains `sessions`; or postgres://host/database",
    ],
    [
      "--to <store>",
      "the store they go to (default: where new sessions go), or claude-code, codex, copilot, gemini, opencode or qwen",
    ],
    ["--leaf <entry>", "with --to an agent: the copy ends with this entry"],
    ["--from-summary", "with --to an agent: the copy begins with the last summary"],
    ["--all-branches", "with --to an agent: the other branches become sessions, too"],
    ["--project <folder>", "with --from an agent: the sessions of this folder"],
    ["--from-blobs <place>", "where the blobs of --from are: a folder, or s3://bucket/prefix"],
    ["--to-blobs <place>", "where the blobs of --to go"],
    ["--map <from=to>", "with a bundle: what a folder is called here; repeatable", { isRepeatable: true }],
    ["-n, --dry-run", DRY_RUN],
  ],
  notes: IMPORT_NOTES,
  run: importInto,
}

interface ImportCommandOptions {
  readonly from?: string
  readonly to?: string
  readonly project?: string
  readonly fromBlobs?: string
  readonly toBlobs?: string
  readonly map?: readonly string[]
  readonly leaf?: string
  readonly fromSummary?: boolean
  readonly allBranches?: boolean
  readonly dryRun?: boolean
}

/** Which options go with which source. */
const TAKES = {
  written: ["from", "to", "leaf", "fromSummary", "allBranches", "dryRun"],
  agent: ["from", "to", "project", "dryRun"],
  store: ["from", "to", "fromBlobs", "toBlobs", "dryRun"],
  bundle: ["map", "dryRun"],
  file: [],
} as const satisfies Readonly<Record<string, readonly (keyof ImportCommandOptions)[]>>

export async function importInto(
  context: CommandContext,
  refs: readonly string[],
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const { from, to } = options
  context.finishUnread()
  const target = to === undefined ? undefined : agentStoreNamed(context.io, to)
  // A whole session is in the store of its own agent.
  const isThere = from === to && [options.leaf, options.fromSummary, options.allBranches].every((what) => !what)
  if (target && isWritten(target.agent) && !isThere) {
    requireFitting(options, "written", `--to ${target.agent}`)
    return importForAgent(context, target, refs, options)
  }
  if (to !== undefined && from === undefined)
    throw new UsageError(
      `Without --from, --to takes an agent that sessions are written for: ${writtenAgents().join(", ")}.`,
    )
  const [ref, ...others] = refs
  const agent = from === undefined ? undefined : agentStoreNamed(context.io, from)
  if (from !== undefined && !agent) {
    requireFitting(options, "store", "--from a store")
    return copy(context, refs, { ...options, from })
  }
  if (others.length > 0)
    throw new UsageError("Name one session or file at a time; --all means every session of --from.")
  if (agent) {
    requireFitting(options, "agent", "--from an agent")
    return importFromAgent(context, agent, ref, options)
  }
  if (ref === undefined) throw new UsageError("Name a session file or a bundle, or an agent or a store with --from.")
  if (ref === "-" || (await isArchive(absoluteFolder(context.io, ref)))) {
    requireFitting(options, "bundle", "a bundle")
    return unbundle(context, ref, options)
  }
  requireFitting(options, "file", "a session file")
  return importFile(context, ref)
}

/** @throws UsageError */
function requireFitting(options: ImportCommandOptions, source: keyof typeof TAKES, name: string): void {
  const taken: readonly string[] = TAKES[source]
  const stranger = Object.keys(options).find((option) => !taken.includes(option))
  if (stranger === undefined) return
  throw new UsageError(`${flagOf(stranger)} cannot be used with ${name}.`)
}

/** Where a tar archive says what it is. */
const USTAR_AT = 257

/** Whether a file is a bundle, by its first bytes: a tar archive, or a compressed one. Its reader reports a file that is not there. */
async function isArchive(path: string): Promise<boolean> {
  if (!(await statIfThere(nodeFs, path)) || (await isFolder(path))) return false
  return withStorageErrors(path, "read", async () => {
    for await (const bytes of fileChunks(nodeFs, path)) {
      const head = Buffer.from(bytes).toString("latin1", 0, USTAR_AT + 5)
      // Codex compresses its sessions by zstd, too.
      const isByZstd = head.startsWith("\x28\xb5\x2f\xfd") && !path.endsWith(".jsonl.zst")
      return head.startsWith("\x1f\x8b") || isByZstd || head.endsWith("ustar")
    }
    return false
  })
}

/** Stores the session of a file, which is only read: ids, parents, labels and leaf stay. */
async function importFile(context: CommandContext, file: string): Promise<ExitCode> {
  const { io, options } = context
  if (await isTrajectory(absoluteFolder(io, file))) return importTrajectory(context, absoluteFolder(io, file))
  const agent = await agentOfFile(absoluteFolder(io, file))
  if (agent !== undefined) {
    return importAgentFile(context, agent, absoluteFolder(io, file))
  }
  const sessions = await commandSessions(context)
  requireWritable(sessions)
  const from = absoluteFolder(io, file)
  // `--blobs` is the source; the target is the place of the store.
  const source =
    options.blobs === undefined
      ? folderPlace(blobsFolder(from, sessions.historyDir))
      : placeNamed(context, options.blobs, "--blobs")
  const target = storedBlobs({ ...sessions, blobs: placeOfEnvironment(context, chosenStore(context)) })
  const manager = await managerWith(sessions, await target?.open())
  const importing = importSession(manager, from, {
    ...(options.cwd !== undefined && { cwd: resolve(io.cwd, options.cwd) }),
    others: (await openMachine(context)).sources.map(({ storage }) => storage),
    ...(source.name !== target?.name && { blobs: await source.read() }),
    ...(!sessions.files && { storage: new FileSessionStorage({ env: io.env, cacheDir: null }) }),
  })
  const report = await new Progress(context).during(context.hold(importing), () => "Importing the session")
  const { to: path, id, formerId, status, copiedBlobs: copied, missingBlobs: missing } = report
  if (options.json) {
    const session = await manager.open(path, { access: "read" })
    await context.printJson({ ...storedFields(report), cwd: session.getCwd(), leafId: session.getLeafId() })
    await session.close()
    return failed(context, report)
  }
  await context.print([`${cleanLine(id)}  ${status}  ${cleanLine(path)}`])
  const left = leftSentence(report)
  if (left !== undefined) await context.log(left)
  if (formerId !== undefined)
    await context.log(
      `The id ${cleanLine(formerId)} is that of another session, or can be no name; the session has a new one.`,
    )
  if (copied.length > 0) await context.log(`Copied ${plural(copied.length, "blob")} from ${source.name}`)
  if (missing.length > 0) await context.log(missingSentence(missing.length, source, target))
  return failed(context, report)
}

/** Says what a stored session lacks. */
async function failed(context: CommandContext, report: CopiedSession): Promise<ExitCode> {
  const failure = artifactsFailure(report)
  if (!failure) return EXIT.ok
  await printFailure(context, failure)
  return EXIT.failed
}

function missingSentence(count: number, source: BlobPlace, target: BlobPlace | undefined): string {
  const blobs = `${plural(count, "blob")} that it names`
  if (!target)
    return `${blobs} ${count === 1 ? "was" : "were"} not copied: TREELOG_BLOBS names a place for the blobs of a database.`
  return `${blobs} ${count === 1 ? "is" : "are"} neither in ${source.name} nor in the store; --blobs names another folder.`
}
