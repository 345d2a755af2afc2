import { isTreelogError, TreelogError } from "@treelog/session-core"
import {
  bringCopiesBack,
  bucketAddress,
  holdSession,
  isAddress,
  type KeepChange,
  type KeepReport,
  keepSessions,
  openPostgresObjects,
  ownRoot,
  postgresAddress,
  type RemoteObjects,
  type RemoteReport,
  shownStore,
  useKeptRoot,
} from "@treelog/stores"
import { absoluteFolder, pause } from "@treelog-internal/fs"
import { cleanLine, numberText, plural, sizeText } from "@treelog-internal/text"
import { type CommandDefinition, durationOption, positiveInteger, sizeOption } from "../define/command.js"
import { EXIT, type ExitCode, flagOf, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { findSession, idOfSession } from "../sessions/find-session.js"
import { openOptions } from "../store/chosen-store.js"
import { type PruneKeptOptions, pruneKept } from "./keep/prune.js"
import { installTimer, uninstallTimer } from "./keep/timer.js"

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "keep copies of the sessions of all agents",
  description:
    "Keep a copy of every session of every agent, as its files are, so that nothing is lost that an agent deletes, rewrites or truncates.",
  examples: [
    ["treelog keep", "bring the copies up to date"],
    ["treelog keep --watch", "again and again, until Ctrl-C"],
    ["treelog keep --into /mnt/disk/sessions", "in a folder on another disk"],
    ["treelog keep --into s3://my-agents/laptop", "and in a bucket"],
    ["treelog keep --from s3://my-agents/laptop", "bring them back, on a new machine"],
    ["treelog keep --install", "every ten minutes, by a timer"],
    ["treelog keep --prune --older-than 52w", "list old copies that can go"],
    ["treelog restore 01a1ffe2", "put a deleted session back"],
  ],
  options: [
    ["--watch", "bring them up to date again and again, until Ctrl-C"],
    [
      "--into <place>",
      "where the copies are: a folder (default: kept, in treelog's own folder); beside that, s3://bucket/prefix or postgres://host/database",
    ],
    ["--from <address>", "bring back from such a bucket or database what is not in that folder"],
    ["--install", "make a timer of systemd, launchd or cron that runs it, and print it"],
    ["--uninstall", "remove that timer"],
    ["--prune", "list what only copies have and these options choose; see --apply"],
    ["--older-than <duration>", "without a message for this long: 12h, 30d, 8w", { parse: durationOption }],
    ["--keep-last <count>", "all but this many of each folder, the newest", { parse: positiveInteger }],
    ["--max-size <size>", "the oldest, until the rest is no larger: 500mb, 2gb", { parse: sizeOption }],
    ["--apply", "with --prune: remove them for good"],
    ["--hold <session>", "never remove the copy of this session"],
    ["--release <session>", "let go of one that was held"],
  ],
  notes: `Lists, search and sums have a session that only a copy has as "kept".
--store names the one store whose sessions are kept.`,
  run: keep,
}

interface KeepCommandOptions extends PruneKeptOptions {
  readonly watch?: boolean
  readonly into?: string
  readonly from?: string
  readonly install?: boolean
  readonly uninstall?: boolean
  readonly hold?: string
  readonly release?: string
}

/** How long `--watch` waits at least. Milliseconds. */
const INTERVAL = 20_000
/** It waits this many times as long as the work took, so that it uses less than a hundredth of a processor. */
const PATIENCE = 150

export async function keep(context: CommandContext, options: KeepCommandOptions): Promise<ExitCode> {
  const { io } = context
  const { into, from, watch = false } = options
  const address = into !== undefined && isAddress(into) ? into : undefined
  const root = into === undefined || address !== undefined ? ownRoot(io) : absoluteFolder(io, into)
  const { hold, release, prune = false, install = false, uninstall = false } = options
  requireOne({ watch, install, uninstall, prune, hold, release, from })
  if (address !== undefined && install)
    throw new UsageError(
      `A timer has no keys and no password: run \`treelog keep --into ${shownStore(address)}\` from one of yours.`,
    )
  if (!prune) requireNone(options)
  if (prune) return pruneKept(context, options)
  if (hold !== undefined || release !== undefined)
    return holdNamed(context, hold ?? release ?? "", release === undefined)
  if (uninstall) {
    await context.hold(uninstallTimer(context, root))
    return EXIT.ok
  }
  useKeptRoot(io, root)
  if (from !== undefined) return bringBack(context, root, from)
  const sendTo = address === undefined ? undefined : await remoteObjects(context, address, "--into")
  if (install) await context.hold(installTimer(context, root))
  for (;;) {
    const started = performance.now()
    const report = await context.hold(kept(context, root, sendTo))
    if (!watch) return report.failed > 0 ? EXIT.failed : EXIT.ok
    await pause(Math.max(INTERVAL, (performance.now() - started) * PATIENCE), io.interrupted)
    if (io.interrupted.aborted) return EXIT.interrupted
  }
}

/** @throws UsageError for two kinds of work */
function requireOne(kinds: Readonly<Record<string, unknown>>): void {
  const [one, other] = Object.keys(kinds).filter((name) => kinds[name])
  if (one && other) throw new UsageError(`Give --${one} or --${other}, not both.`)
}

/** @throws UsageError for what chooses copies to remove */
function requireNone(options: PruneKeptOptions): void {
  const named = (["olderThan", "keepLast", "maxSize", "apply"] as const).find((name) => options[name] !== undefined)
  if (named !== undefined) throw new UsageError(`${flagOf(named)} goes with --prune.`)
}

async function holdNamed(context: CommandContext, ref: string, isHeld: boolean): Promise<ExitCode> {
  const id = await idOfSession(await findSession(context, ref))
  holdSession(context.io, id, isHeld)
  await context.report({ id, isHeld }, [`${cleanLine(id)} is ${isHeld ? "held" : "not held any more"}.`])
  return EXIT.ok
}

async function kept(context: CommandContext, root: string, sendTo?: RemoteObjects): Promise<KeepReport> {
  const { io, options } = context
  const changes: KeepChange[] = []
  const report = await keepSessions({
    ...{ env: io.env, cwd: io.cwd, into: root, sendTo, signal: io.interrupted },
    ...(io.plugIns && { plugIns: io.plugIns }),
    stores: options.store === undefined || options.store === "all" ? undefined : [options.store],
    onChange: (change) => changes.push(change),
    onError: (store, _, error) => context.warn({ code: error.code, data: { store } }, faultText(error, root)),
  }).catch((error: unknown) => {
    if (!isTreelogError(error, "SessionBusyError")) throw error
    const message = `Process ${error.data.pid} on ${error.data.host} keeps copies in ${root} now: it has what this one would copy.`
    throw new TreelogError("SessionBusyError", message, error.data, { cause: error })
  })
  if (options.json) await context.printJson({ into: root, ...report, changes })
  else {
    await context.print(changes.map(changeLine))
    await context.log(sentence(report, root))
    if (report.sent && sendTo) await context.log(`${sentText(report.sent)} ${sendTo.name}.`)
  }
  return report
}

/** What the error of a file says. Where the disk is full, all files have one text, which is printed once. */
function faultText(error: TreelogError, root: string): string {
  const isFull = isTreelogError(error, "StorageError") && error.data.errno === "ENOSPC"
  return isFull ? `No space is left in ${root}: what does not fit is kept when there is some.` : error.message
}

function changeLine({ store, change, path, former }: KeepChange): string {
  const line = `${cleanLine(store)}  ${change}  ${cleanLine(path)}`
  return former === undefined ? line : `${line}  (${change === "moved" ? "from" : "it was"} ${cleanLine(former)})`
}

function sentText({ files, bytes }: RemoteReport): string {
  return files === 0 ? "Nothing was new for" : `Sent ${plural(files, "file")}, ${sizeText(bytes)}, to`
}

function sentence({ files, changed, bytes, gone, failed }: KeepReport, root: string): string {
  if (files + gone + failed === 0) return "No session was found to keep."
  const parts = [
    `Kept ${plural(files, "file")} in ${root}`,
    changed === 0 ? "nothing was new" : `${numberText(changed)} new or changed, ${sizeText(bytes)} written`,
    ...(gone > 0 ? [`${numberText(gone)} that their agents have no more`] : []),
    ...(failed > 0 ? [`${numberText(failed)} cannot be kept`] : []),
  ]
  return `${parts.join("; ")}.`
}

/**
 * The place with copies that an address names.
 * @param option the one that it was given to
 * @throws UsageError, InvalidArgumentError for what is no address of one; StorageError where a server cannot be reached
 */
async function remoteObjects(context: CommandContext, address: string, option: string): Promise<RemoteObjects> {
  if (!isAddress(address)) throw new UsageError(`${option} takes s3://bucket/prefix or postgres://host/database.`)
  if (!/^s3:/i.test(address)) return openPostgresObjects(postgresAddress(address, option), openOptions(context))
  const { bucketObjects } = await import("../store/bucket-blobs.js")
  return bucketObjects(context.io.env, bucketAddress(address, option))
}

/** Brings copies back that were sent. @param root the folder for the copies, an absolute path */
async function bringBack(context: CommandContext, root: string, address: string): Promise<ExitCode> {
  const { io, options } = context
  const from = await remoteObjects(context, address, "--from")
  const brought = await context.hold(
    bringCopiesBack({
      ...{ env: io.env, cwd: io.cwd, into: root, from, signal: io.interrupted },
      onError: (_, __, error) => context.warn(error, error.message),
    }),
  )
  const { files, bytes, failed } = brought
  if (options.json) await context.printJson({ into: root, from: from.name, ...brought })
  const parts = [
    `Brought ${plural(files, "file")} of ${sizeText(bytes)} from ${from.name} to ${root}`,
    ...(failed > 0 ? [`${plural(failed, "file")} cannot be read there`] : []),
  ]
  await context.log(`${parts.join("; ")}.`)
  return failed > 0 ? EXIT.failed : EXIT.ok
}
