import { type BlobSource, type Diagnostic, type Session, type SessionSource, TreelogError } from "@treelog/session-core"
import { storedBytes } from "@treelog/session-core/adapter"
import type { PriceUsage } from "@treelog/session-core/search"
import { ExportEntries, type ExportHead } from "./export-entries.js"
import { ALL_BRANCHES, contents, type ExportFormat, FORMATS, type Piece } from "./formats.js"
import type { ExportedImage } from "./message-markdown.js"
import type { ExportPart } from "./part-facts.js"
import { type Redaction, Redactor } from "./redaction.js"

/** What is exported of a session, and how. */
export interface ExportOptions {
  readonly format: ExportFormat
  /** The entry at which the exported branch ends. Default: the leaf of the session. */
  readonly leafId?: string | null | undefined
  /** Export all branches, unless `leafId` is given. Default: true for `jsonl`, `json` and `otel`. */
  readonly allBranches?: boolean | undefined
  /** Export tool calls and their results. Default: true. */
  readonly tools?: boolean | undefined
  /** Export thinking. Default: true. */
  readonly thinking?: boolean | undefined
  /** Restores images and long texts from here. Without it they stay references. */
  readonly blobs?: BlobSource | undefined
  /** Of `md` and `atif`: the address of an image in the document, such as that of a file; undefined leaves the image out. Default: a data URL. */
  readonly imageAddress?: ((image: ExportedImage) => string | undefined) | undefined
  /** What estimates a cost that no program wrote, such as one made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly price?: PriceUsage | undefined
  /** Removes secrets. Without it, everything is exported as it is stored. */
  readonly redaction?: Redaction | undefined
  /** Where the session is stored. `jsonl` of all branches needs it, since it exports the stored lines. */
  readonly storage?: SessionSource | undefined
  /** Of `atif`, `sts` and `otel`: what made the session, such as `pi`, where its header does not say it. Default: `unknown`. */
  readonly agent?: string | undefined
  /** Of `atif` and `otel`: yields the transcripts of its sub-agents. Called twice. Of one branch, those that are named there are exported. */
  readonly parts?: (() => AsyncIterable<ExportPart> | Iterable<ExportPart>) | undefined
}

/** The numbers of an export. */
export interface ExportSummary {
  readonly entries: number
  /** Lines that cannot be read, and were left out: with redaction, `jsonl` exports nothing that cannot be scanned. */
  readonly leftOut: number
  /** Images and texts that could not be restored. */
  readonly diagnostics: readonly Diagnostic[]
  /** How many secrets of each kind were redacted, the most frequent first. */
  readonly redacted: readonly { readonly kind: string; readonly count: number }[]
}

/** An export: iterate it once for its contents. Only lines that cannot be parsed come as bytes. */
export interface SessionExport extends AsyncIterable<string | Uint8Array> {
  /** Name, id, folder and header of the session, redacted. */
  head(): ExportHead
  /**
   * The lines of a transcript that belongs to the session, such as that of a sub-agent: as `jsonl`, and without what is left out of the
   * session. What is redacted counts in the summary.
   */
  transcript(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string | Uint8Array>
  /** The numbers so far. */
  readonly summary: ExportSummary
  /** Of `atif` and `otel`: the names of the sub-agents so far that are in it. */
  readonly parts: readonly string[]
}

/**
 * Exports a session as Markdown, text, JSON or JSONL, in pieces of about 64 KB. Holds one entry in memory. May read
 * synchronously, as the methods of `Session` do.
 * @throws InvalidArgumentError for a format that is none, and for `jsonl` of all branches without a storage; while iterated,
 * EntryNotFoundError, StorageError and SessionChangedError
 */
export function exportSession(session: Session, options: ExportOptions): SessionExport {
  const { format, leafId, tools = true, thinking = true, blobs, price, redaction, storage } = options
  const { imageAddress = dataUrl, agent, parts = () => [] } = options
  const { allBranches = ALL_BRANCHES.has(format) } = options
  if (!Object.hasOwn(FORMATS, format)) {
    const message = `The format is one of ${Object.keys(FORMATS).join(", ")}, and not ${format}.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "format", value: format })
  }
  const isWhole = leafId === undefined && allBranches
  const key = session.getSessionFile()
  const stored = storage && key !== undefined ? () => storedBytes(storage, key) : noStorage
  if (format === "jsonl" && isWhole && stored === noStorage) noStorage()
  const redactor = new Redactor(redaction)
  const end = isWhole ? undefined : leafId === undefined ? session.getLeafId() : leafId
  const entries = new ExportEntries(session, redactor, {
    leafId: end,
    tools,
    thinking,
    blobs,
    price,
    imageAddress,
    stored,
    agent,
    parts,
  })
  return {
    head: () => entries.head(),
    transcript: (bytes) => mergedWrites(contents(entries.linesOf(bytes))),
    get summary() {
      const { count, leftOut, diagnostics } = entries
      return { entries: count, leftOut, diagnostics, redacted: redactor.redacted }
    },
    parts: entries.exportedParts,
    async *[Symbol.asyncIterator]() {
      if (typeof leafId === "string") assertEntry(session, leafId)
      yield* mergedWrites(FORMATS[format](entries))
    },
  }
}

/** Without this, a branch that is not there would be exported as an empty one. @throws EntryNotFoundError */
function assertEntry(session: Session, id: string): void {
  if (session.getEntry(id)) return
  const [sessionId, message] = [session.getSessionId(), `The session has no entry with the id ${JSON.stringify(id)}.`]
  throw new TreelogError("EntryNotFoundError", message, { id, session: sessionId })
}

function dataUrl({ mimeType, data }: ExportedImage): string {
  return `data:${mimeType};base64,${data}`
}

function noStorage(): never {
  const message = "To export all branches as JSONL, pass the storage of a stored session."
  throw new TreelogError("InvalidArgumentError", message, { argument: "storage", value: undefined })
}

/** Characters of one write. */
const WRITE_SIZE = 1 << 16

/** Joins small contents into larger writes. */
async function* mergedWrites(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  let text = ""
  for await (const content of pieces) {
    if (typeof content === "string") text += content
    if (text.length >= WRITE_SIZE || (typeof content !== "string" && text !== "")) {
      yield text
      text = ""
    }
    if (typeof content !== "string") yield content
  }
  if (text !== "") yield text
}
