import { type AddedSession, BundleWriter } from "@treelog/bundle"
import { listSessions } from "@treelog/session-core/adapter"
import { programOf } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import { plural, sizeText } from "@treelog-internal/text"
import { type CommandDefinition, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { beginFile, type NewFile } from "../io/new-file.js"
import { findToRead } from "../sessions/find-session.js"
import { type CommandSource, folderOf, nothingExamined, openLibrary } from "../sessions/open-library.js"
import { Outcomes } from "../sessions/outcomes.js"
import { blobsOf } from "../store/command-sessions.js"
import { type Failure, failureIn, failureOf } from "../store/stored-keys.js"
import { namesText } from "../transfer/copy-report.js"

export const command: CommandDefinition = {
  job: "share",
  summary: "write sessions into one archive",
  description:
    "Write sessions, with their artifacts, sub-agents and blobs, into one archive for another machine. The history of prompts is not part of it.",
  examples: [
    ["treelog bundle --all -o sessions.tar.gz", "every session"],
    ["treelog bundle --project -o shop.tar.gz", "of this folder"],
    ["treelog bundle @last --redact -o talk.tar.gz", "without secrets"],
    ["treelog bundle --all -o - | ssh new treelog import -", "over the network"],
  ],
  arguments: [["[session...]", `${SESSION} (default: @last; or --project, or --all)`]],
  options: [
    ["-o, --output <file>", "write to this file; `-` is stdout", { isRequired: true }],
    ["--project", "every session of this folder"],
    ["--redact", "redact secrets; otherwise they are only counted"],
    ["--force", "overwrite an existing file"],
  ],
  run: bundle,
}

interface BundleCommandOptions {
  readonly output: string
  readonly project?: boolean
  readonly redact?: boolean
  readonly force?: boolean
}

interface FoundKey {
  readonly key: string
  readonly project: string | undefined
}

export async function bundle(
  context: CommandContext,
  refs: readonly string[],
  { output, project = false, redact = false, force = false }: BundleCommandOptions,
): Promise<ExitCode> {
  const file = output === "-" ? undefined : absoluteFolder(context.io, output)
  assertOptions(context, refs, { project, isStdout: file === undefined })
  const sources = await bundledSources(context, refs, project)
  const archive = file === undefined ? undefined : await beginFile(file, force)
  const outcomes = new Outcomes(context, project || context.options.all === true)
  try {
    return await context.hold(write(context, sources, outcomes, { redact, archive }))
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

/** Sessions of one store. */
interface BundledSource {
  readonly source: CommandSource
  readonly keys: Iterable<FoundKey> | AsyncIterable<FoundKey | Failure>
}

/** @param archive undefined for stdout */
async function write(
  context: CommandContext,
  sources: readonly BundledSource[],
  outcomes: Outcomes,
  { redact, archive }: { readonly redact: boolean; readonly archive: NewFile | undefined },
): Promise<ExitCode> {
  const { io } = context
  const places = sources.map(({ source }) => source)
  const [first] = places
  if (!first) return nothingExamined(context, places)
  const owners = new Map<string, CommandSource>()
  const person = io.env.USER || io.env.USERNAME || undefined
  const progress = new Progress(context)
  let [read, written] = [0, 0]
  const writer = new BundleWriter({
    storage: first.storage,
    blobsOf: (key) => blobsOf(owners.get(key) as CommandSource, key)?.read(),
    redact,
    onProgress: (bytes) => {
      io.interrupted.throwIfAborted()
      read += bytes
    },
  })
  const reading = (): string => `Read ${plural(writer.sessions, "session")}, ${sizeText(read)}`
  const added: AddedSession[] = []
  try {
    for (const { source, keys } of sources) {
      const { storage, agent } = source
      const origin = { storage, store: programOf(io, source.options.store, source), person }
      for await (const found of keys) {
        io.interrupted.throwIfAborted()
        if ("error" in found) {
          await outcomes.fail(found)
          continue
        }
        owners.set(found.key, source)
        const adding = () => progress.during(writer.add(found.key, { ...found, ...origin }), reading)
        const outcome = await outcomes.of(found.key, adding, agent)
        if (!outcome) continue
        added.push(outcome.result)
        await printAdded(context, outcome.result, redact)
      }
    }
    if (writer.sessions === 0) {
      await archive?.discard()
      return outcomes.exitCode() === EXIT.ok ? nothingExamined(context, places) : outcomes.exitCode()
    }
    for await (const chunk of writer.archive()) {
      io.interrupted.throwIfAborted()
      await (archive ?? io.stdout).write(chunk)
      written += chunk.length
      await progress.show(`Wrote ${sizeText(written)}`)
    }
    await archive?.finish()
    for (const sentence of notesOn(added, redact)) await context.log(sentence)
    const rest = outcomes.failureText === "" ? "" : `; ${outcomes.failureText}`
    await context.log(
      `Bundled ${plural(writer.sessions, "session")}, ${plural(writer.files, "file")}, ${sizeText(written)}${rest}.`,
    )
    return outcomes.exitCode()
  } finally {
    await writer.close()
  }
}

async function printAdded(context: CommandContext, { key, ...counts }: AddedSession, redact: boolean): Promise<void> {
  const { secrets, leftOut } = counts
  if (context.options.json) return context.printJson({ path: key, ...counts })
  if (secrets > 0) await context.log(`${key}: ${plural(secrets, "secret")}${redact ? " redacted" : ""}`)
  if (leftOut.length > 0) await context.log(`${key}: left out ${namesText(leftOut)}`)
}

/** The sessions that are meant, by store: by default the newest; those of a folder, or all, of every store. */
async function bundledSources(
  context: CommandContext,
  refs: readonly string[],
  isProject: boolean,
): Promise<BundledSource[]> {
  const { interrupted: signal } = context.io
  if (isProject || context.options.all) {
    const library = await openLibrary(context)
    return library.sources.map((source) => ({ source, keys: listedKeys(source, folderOf(context), isProject, signal) }))
  }
  const sources = new Map<string, BundledSource & { readonly keys: FoundKey[] }>()
  for (const ref of refs.length > 0 ? refs : [undefined]) {
    const { key, source } = await findToRead(context, ref)
    const known = sources.get(source.address) ?? { source, keys: [] }
    if (known.keys.every((one) => one.key !== key))
      known.keys.push({ key, project: await projectOf(source, key, signal) })
    sources.set(source.address, known)
  }
  return [...sources.values()]
}

async function* listedKeys(
  { storage, files, agent, projectOf }: CommandSource,
  scope: string | undefined,
  isProject: boolean,
  signal: AbortSignal,
): AsyncGenerator<FoundKey | Failure> {
  if (isProject) {
    const project = files || agent || scope === undefined ? undefined : projectOf(scope)
    for await (const { path, error } of listSessions(storage, scope, { projectOf, signal }))
      yield error ? failureIn(path, error, agent) : { key: path, project }
  } else
    for await (const { key, project, error } of storage.list({ signal }))
      yield error ? failureOf(key, error, agent) : { key, project }
}

/** Sessions that are files have no project. */
async function projectOf(
  { storage, files }: CommandSource,
  key: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!files) for await (const name of storage.list({ signal })) if (name.key === key) return name.project
  return undefined
}

/** What people should know of a bundle. */
function* notesOn(added: readonly AddedSession[], isRedacted: boolean): Generator<string> {
  const sum = (of: (one: AddedSession) => number): number => added.reduce((all, one) => all + of(one), 0)
  const secrets = sum((one) => one.secrets)
  const places = `in ${plural(added.filter((one) => one.secrets > 0).length, "session")}`
  if (secrets > 0 && isRedacted) yield `Redacted ${plural(secrets, "secret")} ${places}.`
  else if (secrets > 0)
    yield `The bundle has ${plural(secrets, "secret")} ${places}: \`treelog scan\` lists them, --redact removes them.`
  const unscanned = sum((one) => one.unscanned)
  if (unscanned > 0) yield `${plural(unscanned, "file")} too large to be scanned for secrets.`
  const leftOut = sum((one) => one.leftOut.length)
  if (leftOut > 0)
    yield `${plural(leftOut, "file")} left out: what is a link${isRedacted ? ", cannot be scanned, or has a secret in its name" : ""}.`
  const lines = sum((one) => one.leftOutLines)
  if (lines > 0) yield `${plural(lines, "line")} left out, which cannot be scanned.`
  const missing = new Set(added.flatMap(({ missingBlobs }) => missingBlobs))
  if (missing.size > 0) yield `${plural(missing.size, "blob")} missing or damaged in the store.`
}
