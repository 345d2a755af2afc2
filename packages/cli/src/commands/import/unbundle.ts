import { createReadStream } from "node:fs"
import { tmpdir } from "node:os"
import { type UnbundleTarget, unbundle as unbundled } from "@treelog/bundle"
import { isWholePath, joinPath, pathBelow } from "@treelog/session-core/adapter"
import {
  agentOfProgram,
  type OpenStore,
  PROGRAMS,
  programOf,
  RELATIVES,
  type StoreName,
  storeNamed,
} from "@treelog/stores"
import { absoluteFolder, isFolder, toStorageError } from "@treelog-internal/fs"
import { plural, sizeText } from "@treelog-internal/text"
import type { ChangeCommandOptions } from "../../define/command.js"
import { type ExitCode, UsageError } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { openMachine } from "../../sessions/open-library.js"
import { chosenPlace } from "../../store/blob-place.js"
import { type ChosenStore, chosenStore, isStoreNamed, openNamedStore } from "../../store/chosen-store.js"
import { noPlaceFor, requireWritable, storedBlobs } from "../../store/command-sessions.js"
import { readConfig } from "../../store/config.js"
import { projectsOf } from "../../store/scope.js"
import { CopyTally, printCopied, withProgress } from "../../transfer/copy-report.js"

interface UnbundleCommandOptions extends ChangeCommandOptions {
  /** `FROM=TO`. */
  readonly map?: readonly string[]
}

/** Stores the sessions of a bundle, after all of it was verified. What is there already is continued, and never overwritten. */
export async function unbundle(
  context: CommandContext,
  file: string,
  { map = [], dryRun = false }: UnbundleCommandOptions,
): Promise<ExitCode> {
  const { io } = context
  const mappings = map.map(folderMapping)
  const chosen = chosenStore(context)
  const { files, ...target } = await openTarget(context, chosen)
  const tally = new CopyTally(context)
  let processed = 0
  const reports = unbundled(file === "-" ? io.stdinBytes() : fileBytes(absoluteFolder(io, file)), {
    ...target,
    targetOf: async (store) => {
      const name = await storeOfProgram(context, store)
      return name && openTarget(context, { name, isByOption: true }, store)
    },
    others: (await openMachine(context)).sources.map(({ storage }) => storage),
    stagingDir: files?.agentDir ?? (io.env.TMPDIR || tmpdir()),
    cwdOf: (cwd) => mappedFolder(cwd, mappings),
    dryRun,
    signal: io.interrupted,
    onProgress: (bytes) => {
      processed += bytes
    },
  })
  const text = (): string =>
    `Unbundled ${plural(tally.sessions, "session")}; ${sizeText(processed)} unpacked and stored`
  for await (const { path, ...report } of withProgress(context, reports, text))
    await printCopied(context, tally, { ...report, key: path }, dryRun)
  await context.log(tally.sentence(dryRun, "They were missing when it was bundled."))
  return tally.exitCode()
}

/** @param program whose store it is; default: as its name says */
async function openTarget(
  context: CommandContext,
  chosen: ChosenStore,
  program = context.options.store,
): Promise<UnbundleTarget & Pick<OpenStore, "files">> {
  const store = await openNamedStore(context, chosen.name, { caches: false, exists: false })
  requireWritable(store)
  const place = storedBlobs({ blobs: chosenPlace(context, chosen), files: store.files })
  const blobs = await place?.open()
  const agent = programOf(context.io, program, store)
  return {
    ...{ to: store.storage, files: store.files, blobs, projectOf: projectsOf(context, store) },
    onNoStore: noPlaceFor("--blobs"),
    ...(agent !== undefined && { agent: agentOfProgram(agent) }),
  }
}

/**
 * The store of the program from whose store a session is, where programs have theirs; undefined where the user named a store for all, and for
 * agents whose sessions can only be read.
 */
async function storeOfProgram(context: CommandContext, store: string): Promise<StoreName | undefined> {
  const { io } = context
  if (isStoreNamed(context) || readConfig(io).store !== undefined) return undefined
  const [program = "", profile] = store.split(":")
  if (![...PROGRAMS, ...RELATIVES].some((one) => one === program)) return undefined
  const named = storeNamed(io, store)
  // A profile that is not here: the program has its other sessions.
  const isThere = profile === undefined || (named.kind === "files" && (await isFolder(named.agentDir)))
  const name = isThere ? named : storeNamed(io, program)
  return name.kind === "files" && name.folder === undefined ? name : storeNamed(io, program)
}

/** @throws StorageError */
async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    throw toStorageError(error, path, "read")
  }
}

/** A folder of another machine, and what it is called here. Both are absolute paths. */
interface FolderMapping {
  readonly from: string
  readonly to: string
}

/** @param text `/home/ada=/Users/ada` @throws UsageError */
export function folderMapping(text: string): FolderMapping {
  const at = text.indexOf("=")
  const [from, to] = [text.slice(0, at), withoutEnd(text.slice(at + 1))]
  if (at !== -1 && isWholePath(from) && isWholePath(to)) return { from, to }
  throw new UsageError(`--map takes two absolute paths, as in --map /home/ada=/Users/ada; it got ${text}.`)
}

/** The folder here: of the longest mapping for it, or one above it; the same where there is none. */
export function mappedFolder(cwd: string, mappings: readonly FolderMapping[]): string {
  const found = mappings.flatMap(({ from, to }) => {
    const below = pathBelow(from, cwd)
    return below === undefined ? [] : [{ to, below }]
  })
  const [nearest] = found.sort((a, b) => a.below.length - b.below.length)
  return nearest ? joinPath(nearest.to, nearest.below) : cwd
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=[^:/\\])[/\\]+$/, "")
}
