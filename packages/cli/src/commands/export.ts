import { sep } from "node:path"
import type { Session } from "@treelog/session-core"
import { blobsFolderOf, readOnlyBlobs, readOnlyManager } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { ExportFormat } from "../export/export-format.js"
import type { ExportOptions } from "../export/export-options.js"
import { exportSentences } from "../export/export-sentences.js"
import { ExportSource } from "../export/export-source.js"
import { FORMATS } from "../export/formats.js"
import { Redactor } from "../export/redactor.js"
import { storedBytes } from "../export/stored-lines.js"
import { toFile, toStdout } from "../export/write-export.js"
import { absoluteFolder } from "../io/absolute-folder.js"
import type { CommandContext } from "../io/command-context.js"
import { composeSessions, type Sessions } from "../sessions/compose-sessions.js"
import { findEntry } from "../sessions/find-entry.js"
import { NEWEST } from "../sessions/find-session.js"
import { existingKey } from "../sessions/open-session.js"

/** Writes a session in another form, or as it is, without its secrets. The session is only read. */
export async function exportSession(
  context: CommandContext,
  ref: string | undefined,
  options: ExportOptions,
): Promise<ExitCode> {
  const output = outputOf(context, options)
  if (options.leaf !== undefined && options.allBranches)
    throw new UsageError("Give --leaf or --all-branches, not both.")
  if (context.options.json && output === undefined)
    throw new UsageError("--json needs -o, since the export itself goes to stdout.")
  const name = options.format ?? formatOf(output)
  const format = await FORMATS[name]()
  if (options.inlineImages && !format.hasImages)
    throw new UsageError(`--inline-images does not apply to --format ${name}.`)
  const sessions = composeSessions(context)
  const key = await existingKey(sessions, ref ?? NEWEST)
  if (output !== undefined) refuseStored(output, key, sessions)
  const session = await readOnlyManager(sessions, key).open(key, { access: "read" })
  try {
    const redactor = new Redactor(options.redact)
    const source = sourceOf(sessions, session, key, redactor, format, options)
    const written = { context, source, redactor, format, pieces: format.render(source) }
    const bytes = output === undefined ? await toStdout(written) : await context.hold(toFile(written, output, options))
    await report(context, { source, redactor, output, format: name, bytes, session, key })
    return EXIT.ok
  } finally {
    await session.close()
  }
}

function sourceOf(
  sessions: Sessions,
  session: Session,
  key: string,
  redactor: Redactor,
  { scope, inlinesImages }: ExportFormat,
  { leaf, allBranches, tools, thinking, inlineImages = inlinesImages }: ExportOptions,
): ExportSource {
  const isWhole = leaf === undefined && (allBranches ?? scope === "all")
  const leafId = leaf === undefined ? session.getLeafId() : findEntry(session, leaf)
  const inline = inlineImages ? readOnlyBlobs(blobsFolderOf(sessions, key)) : undefined
  const how = { leafId: isWhole ? undefined : leafId, tools, thinking, inline }
  return new ExportSource(session, redactor, how, () => storedBytes(sessions.storage, key))
}

/** An absolute path; undefined for stdout. */
function outputOf({ io }: CommandContext, { output }: ExportOptions): string | undefined {
  return output === undefined || output === "-" ? undefined : absoluteFolder(io, output)
}

function formatOf(output: string | undefined): keyof typeof FORMATS {
  const suffix = /\.([a-z]+)$/i.exec(output ?? "")?.[1]?.toLowerCase()
  if (suffix === "jsonl" || suffix === "json" || suffix === "md" || suffix === "html") return suffix
  return suffix === "txt" ? "text" : "md"
}

/** What is exported is no session of the store: it may lack what was redacted, and was written without a lease. */
function refuseStored(output: string, key: string, { agentDir }: Sessions): void {
  if (output !== key && !output.startsWith(`${agentDir}${sep}sessions${sep}`)) return
  throw new UsageError(`${output} is in the store; export to another folder, or use \`treelog import\`.`)
}

interface Done {
  readonly source: ExportSource
  readonly redactor: Redactor
  readonly output: string | undefined
  readonly format: string
  readonly bytes: number
  readonly session: Session
  readonly key: string
}

async function report(context: CommandContext, done: Done): Promise<void> {
  const { source, redactor, output, format, bytes, session, key } = done
  const { entries, leftOut, diagnostics } = source.summary
  if (context.options.json) {
    const where = { sessionId: session.getSessionId(), path: key, output, format, bytes }
    await context.printJson({ ...where, entries, redacted: redactor.redacted, leftOut, diagnostics })
    return
  }
  for (const sentence of exportSentences({ entries, leftOut, diagnostics, redacted: redactor.redacted, output, bytes }))
    await context.log(sentence)
}
