import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { listSessions } from "@treelog/session-core/adapter"
import { nodeFs } from "@treelog/storage-fs"
import { FOLDER_MODE } from "@treelog-internal/fs"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import { blobsOf } from "../blobs/session-blobs.js"
import { type CollectedSession, Collector } from "../bundle/collect.js"
import { Spool } from "../bundle/spool.js"
import { archiveOf } from "../bundle/write-archive.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import { Outcomes } from "../housekeeping/outcomes.js"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder } from "../io/io.js"
import { NewFile } from "../io/new-file.js"
import { Progress } from "../io/progress.js"
import { type Sessions, sessionsOfOneStore } from "../sessions/command-sessions.js"
import { NEWEST } from "../sessions/newest.js"
import { existingKey } from "../sessions/open-to-read-or-write.js"
import { type Failure, failureOf, printFailure } from "../sessions/stored-keys.js"

export interface BundleCommandOptions {
  /** The file; `-` is stdout. */
  readonly output: string
  /** Every session of the folder. */
  readonly project?: boolean
  readonly redact?: boolean
  readonly force?: boolean
}

interface FoundKey {
  readonly key: string
  readonly project: string | undefined
}

/** Writes sessions with all that belongs to them into one archive. They are only read. */
export async function bundle(
  context: CommandContext,
  refs: readonly string[],
  { output, project = false, redact = false, force = false }: BundleCommandOptions,
): Promise<ExitCode> {
  const file = output === "-" ? undefined : absoluteFolder(context.io, output)
  assertOptions(context, refs, { project, isStdout: file === undefined })
  const sessions = await sessionsOfOneStore(context)
  const archive = file === undefined ? undefined : await NewFile.begin(file, force)
  try {
    const asked = { refs, project, archive }
    const writing =
      redact || sessions.agent !== undefined
        ? withSpool((copies) => write(context, sessions, { ...asked, spool: redact ? copies : undefined, copies }))
        : write(context, sessions, { ...asked, spool: undefined, copies: undefined })
    return await context.hold(writing)
  } catch (error) {
    await archive?.discard()
    throw error
  }
}

/** @throws UsageError */
function assertOptions(
  { options, io }: CommandContext,
  refs: readonly string[],
  { project, isStdout }: { project: boolean; isStdout: boolean },
): void {
  if ([refs.length > 0, project, options.all === true].filter(Boolean).length > 1)
    throw new UsageError("Name sessions, or give --project or --all.")
  if (!isStdout) return
  if (options.json) throw new UsageError("--json needs a file for -o, since the bundle itself goes to stdout.")
  if (io.stdout.isTTY) throw new UsageError("A terminal cannot show a bundle: redirect stdout, or name a file with -o.")
}

interface Writing {
  readonly refs: readonly string[]
  readonly project: boolean
  /** Undefined for stdout. */
  readonly archive: NewFile | undefined
  readonly spool: Spool | undefined
  readonly copies: Spool | undefined
}

async function write(
  context: CommandContext,
  sessions: Sessions,
  { refs, project, archive, spool, copies }: Writing,
): Promise<ExitCode> {
  const { io, options } = context
  const progress = new Progress(context)
  const outcomes = new Outcomes(context)
  const hasArtifacts = sessions.files !== undefined
  const own = sessions.agent === undefined ? undefined : copies
  const store = {
    storage: sessions.storage,
    hasArtifacts,
    copies: own,
    blobsOf: (key: string) => blobsOf(sessions, key),
  }
  let read = 0
  const collector = new Collector(store, spool, (bytes) => {
    io.interrupted.throwIfAborted()
    read += bytes
  })
  const reading = (): string => `Read ${plural(collector.sessions.length, "session")}, ${sizeText(read)}`
  const tally = new BundleTally(spool !== undefined)
  for await (const found of foundKeys(context, sessions, refs, project)) {
    io.interrupted.throwIfAborted()
    const outcome =
      "error" in found
        ? found
        : await outcomes.of(found.key, () => progress.during(collector.add(found.key, found.project), reading))
    if (!("result" in outcome)) {
      if (outcome === found) outcomes.note(outcome.error.code)
      await progress.clear()
      await printFailure(context, outcome)
      continue
    }
    const { key, ...counts } = outcome.result
    tally.add(outcome.result)
    if (options.json) await context.printJson({ path: key, ...counts })
    else if (counts.secrets > 0)
      await context.log(`${key}: ${plural(counts.secrets, "secret")}${spool ? " redacted" : ""}`)
  }
  if (collector.sessions.length === 0) {
    await archive?.discard()
    await context.log("There is no session to bundle, and no file was written.")
    return outcomes.exitCode()
  }
  const { files } = collector
  let written = 0
  for await (const chunk of archiveOf(collector.sessions, files)) {
    io.interrupted.throwIfAborted()
    await (archive ?? io.stdout).write(chunk)
    written += chunk.length
    await progress.show(`Wrote ${sizeText(written)}`)
  }
  await archive?.finish()
  await progress.clear()
  for (const sentence of tally.sentences()) await context.log(sentence)
  const rest = outcomes.failureText === "" ? "" : `; ${outcomes.failureText}`
  await context.log(
    `Bundled ${plural(collector.sessions.length, "session")}, ${plural(files.length, "file")}, ${sizeText(written)}${rest}.`,
  )
  return outcomes.exitCode()
}

/** The sessions that are meant: by default the newest. */
async function* foundKeys(
  context: CommandContext,
  sessions: Sessions,
  refs: readonly string[],
  isProject: boolean,
): AsyncGenerator<FoundKey | Failure> {
  const { storage, scope } = sessions
  const { interrupted: signal } = context.io
  if (isProject) {
    const { cwd, project } = scope
    for await (const { path, error } of listSessions(storage, cwd, { project, signal }))
      yield error ? failureOf(path, error) : { key: path, project }
    return
  }
  const isAll = refs.length === 0 && context.options.all === true
  const wanted = new Set<string>()
  if (!isAll) for (const ref of refs.length > 0 ? refs : [NEWEST]) wanted.add(await existingKey(sessions, ref))
  // Sessions that are files have no project.
  if (isAll || !sessions.files) {
    for await (const { key, project, error } of storage.list({ signal })) {
      if (!isAll && !wanted.delete(key)) continue
      yield error ? failureOf(key, error) : { key, project }
    }
  }
  for (const key of wanted) yield { key, project: undefined }
}

/** Sums up what people should know of a bundle. */
class BundleTally {
  readonly #isRedacted: boolean
  readonly #missing = new Set<string>()
  #secrets = 0
  #holding = 0
  #unscanned = 0
  #leftOut = 0

  constructor(isRedacted: boolean) {
    this.#isRedacted = isRedacted
  }

  add({ secrets, unscanned, leftOut, missingBlobs }: CollectedSession): void {
    this.#secrets += secrets
    if (secrets > 0) this.#holding += 1
    this.#unscanned += unscanned
    this.#leftOut += leftOut
    for (const hash of missingBlobs) this.#missing.add(hash)
  }

  *sentences(): Generator<string> {
    const places = `in ${plural(this.#holding, "session")}`
    if (this.#secrets > 0 && this.#isRedacted) yield `Redacted ${plural(this.#secrets, "secret")} ${places}.`
    else if (this.#secrets > 0)
      yield `The bundle has ${plural(this.#secrets, "secret")} ${places}: \`treelog scan\` lists them, --redact removes them.`
    if (this.#unscanned > 0) yield `${plural(this.#unscanned, "file")} too large to be scanned for secrets.`
    if (this.#leftOut > 0)
      yield `${numberText(this.#leftOut)} left out: links among the artifacts${this.#isRedacted ? ", and what cannot be scanned" : ""}.`
    if (this.#missing.size > 0) yield `${plural(this.#missing.size, "blob")} missing or damaged in the store.`
  }
}

async function withSpool<Result>(work: (spool: Spool) => Promise<Result>): Promise<Result> {
  const folder = join(tmpdir(), `treelog-bundle-${randomBytes(8).toString("hex")}`)
  await nodeFs.mkdir(folder, { recursive: false, mode: FOLDER_MODE })
  try {
    return await work(new Spool(nodeFs, folder))
  } finally {
    await nodeFs.rm(folder, { recursive: true, force: true })
  }
}
