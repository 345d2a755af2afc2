import type { Diagnostic } from "../entry/diagnostic.js"
import { sameJson } from "../entry/same-json.js"
import type { JsonObject } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import { joinBytes } from "../log/bytes.js"
import type { Line } from "../log/line.js"
import { parseLine } from "../log/parse-line.js"
import { spliceLine } from "../log/splice-line.js"
import { MemoryBlobStore } from "../memory/memory-blob-store.js"
import { blobUse, restoreEntry } from "../persist/restore-entry.js"
import { sanitizeEntry } from "../persist/sanitize-entry.js"
import type { BlobSource, BlobStore } from "../ports/blob-store.js"
import type { SessionRef } from "../session/listing/resolve-ref.js"
import { storedLines } from "../session/reader/read-stored.js"
import { readStart } from "../session/rewrite/stored-session.js"
import type { SessionManager } from "../session/session-manager.js"
import { type ChangedSession, type ChangeOptions, changeStored } from "./change-options.js"

/** What a rewrite of a stored session's lines did, or would do. */
export interface RewriteReport {
  /** The storage's key of the session. */
  readonly path: string
  /** Bytes before and after. */
  readonly before: number
  readonly after: number
  /** Lines that are not what they were. */
  readonly changed: number
  /** What was moved out of them, or restored: each blob once, in the order of the lines. */
  readonly blobs: readonly RewrittenBlob[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A blob that a rewrite moved out of the lines, or back. */
export interface RewrittenBlob {
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

type RewriteRecord = (record: object) => Promise<{ value: object; diagnostics: readonly Diagnostic[] }>

// Neither keeps a backup: the session is replaced at once, slimmed lines are first restored from what is stored and compared, and inflating
// leaves the blobs where they are.

/**
 * Moves the images and very long texts of a stored session to the blob store of the manager.
 * @throws StorageError when a blob does not read as it was written: nothing was changed then; SessionNotFoundError, AmbiguousSessionError, SessionBusyError, InvalidSessionError, UnsupportedVersionError;
 * InvalidArgumentError when the manager has no blob store
 */
export async function slimSession(
  sessions: SessionManager,
  ref: SessionRef,
  options: ChangeOptions = {},
): Promise<RewriteReport> {
  const { dryRun = false } = options
  return changeStored(sessions, ref, options, (session) => {
    const blobs = dryRun ? new MemoryBlobStore() : session.factory.blobStore
    return rewriteLines(session, blobs, async (record, blobs) => {
      const value = await sanitizeEntry(record, blobs, () => false)
      if (value !== record && !dryRun && !(await isRestorable(record, value, blobs))) throw notAsWritten(session.key)
      return { value, diagnostics: [] }
    })
  })
}

async function isRestorable(record: object, slim: object, blobs: BlobStore): Promise<boolean> {
  const [before, after] = [await restoreEntry(record, blobs), await restoreEntry(slim, blobs)]
  return sameJson(before.value, after.value)
}

function notAsWritten(key: string): TreelogError {
  const message = `The blobs of ${key} do not read as they were written, so the session was not changed. \`treelog blobs verify\` checks them.`
  return new TreelogError("StorageError", message, { key, operation: "verify", errno: undefined })
}

/** The opposite of `slimSession`: writes everything into the lines again, so that programs without a blob store can read it. */
export async function inflateSession(
  sessions: SessionManager,
  ref: SessionRef,
  options: ChangeOptions = {},
): Promise<RewriteReport> {
  return changeStored(sessions, ref, options, (session) => rewriteLines(session, session.factory.blobs, restoreEntry))
}

/** Streams the session through `rewrite`, line by line; lines that do not change, and faulty ones, stay as bytes. */
async function rewriteLines<Blobs extends BlobSource>(
  { storage, key, lease }: ChangedSession,
  blobs: Blobs | undefined,
  rewrite: (record: object, blobs: Blobs) => ReturnType<RewriteRecord>,
): Promise<RewriteReport> {
  if (!blobs) {
    const message = "This needs a blob store: give the SessionManager one."
    throw new TreelogError("InvalidArgumentError", message, { argument: "blobs", value: undefined })
  }
  const { stat } = await readStart(storage, key)
  const newPass = () => new LinePass(key, (record) => rewrite(record, blobs))
  const pass = newPass()
  for await (const line of storedLines(storage, key, stat)) await pass.line(line)
  const report = {
    path: key,
    before: stat.size,
    after: pass.size,
    changed: pass.changed,
    blobs: await sizesOf(pass.hashes, blobs),
    diagnostics: pass.diagnostics,
  }
  if (!lease || pass.changed === 0) return report
  // A second pass instead of keeping the first: the lines of one session may be more than memory holds.
  const rewritten = newPass().all(storedLines(storage, key, stat))
  await lease.replace(rewritten, { expected: stat })
  return report
}

async function sizesOf(hashes: Iterable<string>, blobs: BlobSource): Promise<RewrittenBlob[]> {
  const found: RewrittenBlob[] = []
  for (const hash of hashes) found.push({ hash, size: (await blobs.size(hash)) ?? 0 })
  return found
}

/** One pass over all lines, each of which may be replaced. */
export class LinePass {
  changed = 0
  size = 0
  /** The blobs that lines refer to now and did not before, or the reverse. */
  readonly hashes = new Set<string>()
  readonly diagnostics: Diagnostic[] = []
  readonly #key: string
  readonly #rewrite: RewriteRecord

  /** @param key named in errors */
  constructor(key: string, rewrite: RewriteRecord) {
    this.#key = key
    this.#rewrite = rewrite
  }

  async *all(lines: AsyncIterable<Line>): AsyncGenerator<Uint8Array> {
    for await (const line of lines) yield await this.line(line)
  }

  async line(line: Line): Promise<Uint8Array> {
    const bytes = await this.#rewritten(line)
    this.size += bytes.length
    return bytes
  }

  async #rewritten(line: Line): Promise<Uint8Array> {
    if (line.tooLong !== undefined) throw tooLong(this.#key, line)
    const { records, faults } = parseLine(line)
    const [record] = records
    if (!record || records.length > 1 || faults.length > 0) return asLine(line)
    const { value, diagnostics } = await this.#rewrite(record.value)
    for (const diagnostic of diagnostics)
      this.diagnostics.push({ ...diagnostic, line: line.number, offset: line.offset })
    if (value === record.value) return asLine(line)
    this.changed += 1
    const [before, after] = [blobUse(record.value).hashes, blobUse(value).hashes]
    for (const hash of [...before, ...after]) if (before.has(hash) !== after.has(hash)) this.hashes.add(hash)
    return asLine(line, spliceLine(line.bytes, record.value, value as JsonObject))
  }
}

/** Its bytes were not kept, so that they cannot be written again. */
function tooLong(key: string, { number, tooLong: length = 0 }: Line): TreelogError {
  const message = `Line ${number} of ${key} has ${length} bytes: a session with a line of that length cannot be rewritten.`
  return new TreelogError("StorageError", message, { key, operation: "rewrite", errno: undefined })
}

const EMPTY = /* @__PURE__ */ new Uint8Array()
const BOM = /* @__PURE__ */ new Uint8Array([0xef, 0xbb, 0xbf])
const LINE_ENDS = [EMPTY, /* @__PURE__ */ new Uint8Array([0x0a]), /* @__PURE__ */ new Uint8Array([0x0d, 0x0a])]

/** A line with what stands around it in the file: a BOM before, and its own line end behind, if it has one. */
function asLine({ number, offset, bytes, end }: Line, content: Uint8Array = bytes): Uint8Array {
  const before = number === 1 && offset > 0 ? BOM : EMPTY
  return joinBytes([before, content, LINE_ENDS[end - offset - bytes.length] ?? EMPTY])
}
