import { extname, sep } from "node:path"
import { EXPORT_FORMATS, type ExportSummary, exportSession } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import { isWholePath } from "@treelog/session-core/adapter"
import { absoluteFolder } from "@treelog-internal/fs"
import { cleanJson, numberText, plural, sizeText } from "@treelog-internal/text"
import { type CommandDefinition, NEWEST_OR } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { beginFile } from "../io/new-file.js"
import { startPaging } from "../io/start-paging.js"
import { findToRead } from "../sessions/find-session.js"
import { findEntry, READING } from "../sessions/open-to-read-or-write.js"
import { openPrices } from "../sessions/prices.js"
import { blobsOf, readOnlyManager, type Sessions } from "../store/command-sessions.js"
import { namesText } from "../transfer/copy-report.js"
import { openedTranscripts } from "../transfer/opened-transcripts.js"
import { sessionPage } from "../transfer/share-sessions.js"
import { ImageFiles } from "./export/image-files.js"

/** The values of `--format`: those of exports, and a page. */
const FORMAT_NAMES = [...EXPORT_FORMATS, "html"] as const

const EXPORT_NOTES = `Formats for evaluations, datasets and traces: atif is a trajectory of Harbor
(version 1.7), sts a session trace of Hugging Face, otel spans of OpenTelemetry
in OTLP JSON. Each call has its result, or says that there is none; sub-agents
are in atif and otel. The tokens are those that \`stats\` counts.`

export const command: CommandDefinition = {
  job: "share",
  summary: "write a session as Markdown, HTML, text, JSON or a trajectory",
  description:
    "Write a session as a document or as JSON Lines, with its secrets redacted. The session does not change.",
  examples: [
    ["treelog export -o talk.md", "the newest session, as Markdown"],
    ["treelog export --format text --no-tools", "without tool calls"],
    ["treelog export @last -o talk.jsonl", "lossless, for `treelog import`"],
    ["treelog export @last -o talk.html", "as a web page, in one file"],
    ["treelog export --format atif -o run.json", "a trajectory, for evaluations"],
  ],
  arguments: [["[session]", NEWEST_OR]],
  options: [
    ["--format <format>", "output format (default: md, or by the file name)", { choices: FORMAT_NAMES }],
    ["--leaf <entry>", "the branch that ends at this entry (default of md, text, atif and sts: the current branch)"],
    ["--all-branches", "every branch, in file order (default of jsonl, json, html and otel)"],
    ["--no-tools", "leave out tool calls and their results"],
    ["--no-thinking", "leave out thinking"],
    ["--inline-images", "include the images from blobs; html, atif, sts and otel always do"],
    [
      "--images <where>",
      "of md and atif: leave images out, or write them as files beside the document",
      { choices: ["none", "files"], conflicts: "inlineImages" },
    ],
    ["--no-redact", "keep secrets, and lines that cannot be read"],
    ["-o, --output <file>", "write to this file; `-` is stdout, the default"],
    ["--force", "overwrite an existing file"],
  ],
  notes: EXPORT_NOTES,
  run: exportStored,
}

type FormatName = (typeof FORMAT_NAMES)[number]

/** As commander reads them: an option `--no-…` is a field without `no`, true by default. */
interface ExportOptions {
  readonly format?: FormatName
  readonly leaf?: string
  readonly allBranches?: boolean
  readonly tools: boolean
  readonly thinking: boolean
  readonly inlineImages?: boolean
  readonly images?: "none" | "files"
  readonly redact: boolean
  readonly output?: string
  readonly force?: boolean
}

type Contents = AsyncIterable<string | Uint8Array>

export async function exportStored(
  context: CommandContext,
  ref: string | undefined,
  options: ExportOptions,
): Promise<ExitCode> {
  const output = outputOf(context, options)
  if (options.leaf !== undefined && options.allBranches)
    throw new UsageError("Give --leaf or --all-branches, not both.")
  if (context.options.json && output === undefined)
    throw new UsageError("--json needs -o, since the export itself goes to stdout.")
  const format = options.format ?? formatOf(output)
  if (options.inlineImages && format === "text")
    throw new UsageError("--inline-images does not apply to --format text.")
  if (options.images !== undefined && format !== "md" && format !== "atif")
    throw new UsageError(`--images does not apply to --format ${format}.`)
  if (options.images === "files" && output === undefined)
    throw new UsageError("--images files needs -o, since the files are beside the document.")
  const files = options.images === "files" && output !== undefined ? new ImageFiles(output) : undefined
  const { source: sessions, key } = await findToRead(context, ref)
  if (output !== undefined) refuseStored(output, key, sessions)
  const opening = readOnlyManager(sessions, key).then((manager) => manager.open(key, { access: "read" }))
  const session = await new Progress(context).during(opening, () => READING)
  const price = (await openPrices(context.io)).at()
  try {
    const { leaf, allBranches, tools, thinking, images, redact } = options
    const { inlineImages = format === "html" || INTERCHANGE.has(format) } = options
    const exported = exportSession(session, {
      ...{ format: format === "html" ? "jsonl" : format, allBranches, tools, thinking, price },
      leafId: leaf === undefined ? undefined : findEntry(session, leaf),
      agent: isWholePath(sessions.madeBy) ? undefined : sessions.madeBy,
      parts: WITH_PARTS.has(format) && tools ? () => openedTranscripts(sessions, key) : undefined,
      storage: sessions.storage,
      blobs: inlineImages || files ? await blobsOf(sessions, key)?.read() : undefined,
      imageAddress: images && ((image) => (format === "atif" ? files?.pathOf(image) : files?.addressOf(image))),
      redaction: redact ? redaction : undefined,
    })
    // Of one branch, or without tools, no call may be there that began a sub-agent.
    const isWhole = leaf === undefined && tools
    const agents = isWhole ? { storage: sessions.storage, key } : undefined
    const contents = format === "html" ? sessionPage(context, session, exported, agents) : exported
    const bytes =
      output === undefined
        ? await toStdout(context, contents, format)
        : await context.hold(toFile(context, contents, output, { ...options, files }, () => exported.summary))
    const { summary } = exported
    const artifactsLeft =
      format === "html" ? [] : (await artifactNames(sessions, key)).filter((name) => !exported.parts.includes(name))
    if (context.options.json) {
      const where = { sessionId: session.getSessionId(), path: key, output, format, bytes }
      await context.printJson({ ...where, ...summary, artifactsLeft })
      return EXIT.ok
    }
    for (const sentence of sentences(summary, output, bytes)) await context.log(sentence)
    if (artifactsLeft.length > 0)
      await context.log(`Not exported: ${namesText(artifactsLeft)}. \`treelog bundle\` takes them along.`)
    return EXIT.ok
  } finally {
    await session.close()
  }
}

/** What copies of a session of a database have beside them: the records that it was read from. */
const OWN_RECORDS = "source.jsonl.gz"

/** The files that are kept with a session, such as transcripts of sub-agents: a page has these, another export has the session alone. */
async function artifactNames({ storage, agent }: Sessions, key: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of storage.artifacts(key)) if (agent === undefined || name !== OWN_RECORDS) names.push(name)
  return names
}

/** The formats in which the transcripts of sub-agents are a part of the document. */
const WITH_PARTS: ReadonlySet<FormatName> = new Set(["atif", "otel"])

/** The formats of other programs, which know no blobs. */
const INTERCHANGE: ReadonlySet<FormatName> = new Set(["atif", "sts", "otel"])

/** An absolute path; undefined for stdout. */
function outputOf({ io }: CommandContext, { output }: ExportOptions): string | undefined {
  return output === undefined || output === "-" ? undefined : absoluteFolder(io, output)
}

const FORMATS_BY_ENDING: ReadonlyMap<string, FormatName> = new Map([
  ["", "md"],
  [".md", "md"],
  [".markdown", "md"],
  [".txt", "text"],
  [".html", "html"],
  [".htm", "html"],
  [".json", "json"],
  [".jsonl", "jsonl"],
])

/** @throws UsageError of an ending that stands for no format */
function formatOf(output = ""): FormatName {
  const ending = extname(output)
  const format = FORMATS_BY_ENDING.get(ending.toLowerCase())
  if (format === undefined)
    throw new UsageError(`No format has the ending ${JSON.stringify(ending)}: give one with --format.`)
  return format
}

/** An export does not go into the store: it may lack what was redacted, and is written without a lease. */
function refuseStored(output: string, key: string, { files }: Sessions): void {
  const isStored = files !== undefined && output.startsWith(`${files.agentDir}${sep}sessions${sep}`)
  if (output !== key && !isStored) return
  throw new UsageError(`${output} is in the store; export to another folder, or use \`treelog import\`.`)
}

/** @returns how much was written */
async function toStdout(context: CommandContext, contents: Contents, format: FormatName): Promise<number> {
  startPaging(context)
  const { io } = context
  // JSON has control characters of stored texts, which a terminal would obey. Other formats are clean.
  const isEscaped = format !== "md" && format !== "text" && format !== "html" && io.stdout.isTTY
  let size = 0
  for await (const content of contents) {
    io.interrupted.throwIfAborted()
    const shown = isEscaped
      ? cleanJson(typeof content === "string" ? content : Buffer.from(content).toString())
      : content
    size += shown.length
    await context.write(shown)
  }
  return size
}

/** Writes a file that is complete, or not there. @returns its bytes */
async function toFile(
  context: CommandContext,
  contents: Contents,
  output: string,
  { force = false, files }: ExportOptions & { readonly files: ImageFiles | undefined },
  summary: () => ExportSummary,
): Promise<number> {
  const file = await beginFile(output, force)
  const progress = new Progress(context)
  try {
    for await (const content of contents) {
      context.io.interrupted.throwIfAborted()
      await file.write(content)
      await files?.write()
      await progress.show(`Exported ${plural(summary().entries, "entry", "entries")}, ${sizeText(file.bytes)}`)
    }
    await file.finish()
    return file.bytes
  } catch (error) {
    await file.discard()
    await files?.discard()
    throw error
  }
}

function* sentences(summary: ExportSummary, output: string | undefined, bytes: number): Generator<string> {
  const { entries, leftOut, diagnostics, redacted } = summary
  if (entries === 0) yield "There is nothing in what was to be exported."
  if (redacted.length > 0) {
    const kinds = redacted.map(({ kind, count }) => (count === 1 ? kind : `${kind} (${numberText(count)})`)).join(", ")
    const count = redacted.reduce((sum, { count }) => sum + count, 0)
    yield `Redacted ${plural(count, "secret")}: ${kinds}. --no-redact keeps them.`
  }
  if (leftOut > 0)
    yield `${plural(leftOut, "line")} that cannot be read ${leftOut === 1 ? "was" : "were"} left out, since ${leftOut === 1 ? "it" : "they"} cannot be scanned. --no-redact keeps them as they are.`
  for (const message of new Set(diagnostics.map(({ message }) => message))) yield message
  if (output !== undefined) yield `Exported ${plural(entries, "entry", "entries")}, ${sizeText(bytes)}, to ${output}`
}
