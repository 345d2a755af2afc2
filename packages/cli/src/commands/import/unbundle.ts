import { createReadStream } from "node:fs"
import { tmpdir } from "node:os"
import { type UnbundleTarget, unbundle as unbundled } from "@treelog/bundle"
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
import type { ChangeCommandOptions } from "../../define/shared-options.js"
import type { ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { openMachine } from "../../sessions/open-library.js"
import { chosenPlace } from "../../store/blob-place.js"
import { type ChosenStore, chosenStore, isStoreNamed } from "../../store/chosen-store.js"
import { readConfig } from "../../store/config.js"
import { openNamedStore } from "../../store/open-named-store.js"
import { requireWritable } from "../../store/require-files.js"
import { projectsOf } from "../../store/scope.js"
import { noPlaceFor, storedBlobs } from "../../store/session-blobs.js"
import { CopyTally, printCopied, withProgress } from "../../transfer/copy-report.js"
import { folderMapping, mappedFolder } from "./map-folder.js"

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
