import { createReadStream } from "node:fs"
import { tmpdir } from "node:os"
import { unbundle as unbundled } from "@treelog/bundle"
import { absoluteFolder, toStorageError } from "@treelog-internal/fs"
import { plural, sizeText } from "@treelog-internal/text"
import { chosenPlace } from "../blobs/blob-place.js"
import { NoBlobs } from "../blobs/no-blobs.js"
import { storedBlobs } from "../blobs/session-blobs.js"
import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import type { ChangeCommandOptions } from "../program/options.js"
import { chosenStore } from "../sessions/chosen-store.js"
import { openNamedStore } from "../sessions/open-named-store.js"
import { projectsOf } from "../sessions/scope.js"
import { CopyTally, printCopied, withProgress } from "../transfer/copy-report.js"
import { folderMapping, mappedFolder } from "../transfer/map-folder.js"

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
  const store = await openNamedStore(context, chosen.name, { caches: false, exists: false })
  const place = storedBlobs({ blobs: chosenPlace(context, chosen), files: store.files })
  const blobs = (await place?.open("write")) ?? new NoBlobs("name one with --blobs, a folder or s3://bucket/prefix")
  const tally = new CopyTally(context)
  let processed = 0
  const reports = unbundled(file === "-" ? io.stdinBytes() : fileBytes(absoluteFolder(io, file)), {
    to: store.storage,
    blobs,
    stagingDir: store.files?.agentDir ?? (io.env.TMPDIR || tmpdir()),
    cwdOf: (cwd) => mappedFolder(cwd, mappings),
    projectOf: projectsOf(store),
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

/** @throws StorageError */
async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    throw toStorageError(error, path, "read")
  }
}
