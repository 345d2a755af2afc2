import { formatLine } from "../log/format-line.js"
import { type BlobStore, blobRef } from "../ports/blob-store.js"
import { decodeCanonicalBase64 } from "./base64.js"
import { countLines, cutText, lineCountAt, MAX_STRING_LENGTH } from "./long-text.js"
import { Draft, type ImageForm, imageFormAt, isImageDataUrl, type Spot, spotsIn } from "./spots.js"

/** Fields that are needed only while an answer is streamed. */
const TRANSIENT: ReadonlySet<unknown> = new Set(["partialJson", "jsonlEvents"])

/** Base64 shorter than this stays in the line. Characters. */
const MIN_IMAGE_LENGTH = 1024

const encoder = /* @__PURE__ */ new TextEncoder()
const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Prepares an entry for its line (FORMAT.md, section 7): moves images and very long texts to the blob store, drops fields that are
 * needed only while streaming, and leaves signed and encrypted data unchanged. The entry is not modified: the result shares
 * unchanged parts with it, and is the entry itself if nothing changes.
 * @param blobs without it, images stay in the line, and long texts are truncated with loss
 * @param isDropped which fields are dropped. Default: those that are needed only while streaming
 * @throws StorageError when a blob cannot be stored
 */
export async function sanitizeEntry<Entry extends object>(
  entry: Entry,
  blobs?: Pick<BlobStore, "put">,
  isDropped: (spot: Spot) => boolean = isTransient,
): Promise<Entry> {
  const draft = new Draft(entry)
  // Values inside a dropped field are skipped: changing them would restore the field.
  for (const { spot, sealed } of spotsIn(entry, isDropped)) {
    if (isDropped(spot)) draft.set(spot, undefined)
    else if (!sealed && typeof spot.value === "string") await sanitizeText(draft, spot, spot.value, blobs)
  }
  return draft.result<Entry>()
}

function isTransient({ key }: Spot): boolean {
  return TRANSIENT.has(key)
}

async function sanitizeText(
  draft: Draft,
  spot: Spot,
  text: string,
  blobs: Pick<BlobStore, "put"> | undefined,
): Promise<void> {
  const form = imageFormAt(spot)
  if (form === "base64" || (form === "data-url" && isImageDataUrl(text))) {
    const bytes = blobs && imageBytes(text, form)
    if (bytes) draft.set(spot, blobRef(await blobs.put(bytes)))
  } else if (text.length > MAX_STRING_LENGTH) await cutAt(draft, spot, text, blobs)
}

/** The bytes to store for an image, if they reproduce its text exactly. */
function imageBytes(text: string, form: ImageForm): Uint8Array | undefined {
  if (form === "data-url") return utf8Exactly(text)
  return text.length < MIN_IMAGE_LENGTH ? undefined : decodeCanonicalBase64(text)
}

async function cutAt(draft: Draft, spot: Spot, text: string, blobs: Pick<BlobStore, "put"> | undefined): Promise<void> {
  const lineCount = lineCountAt(spot)
  const bytes = blobs && utf8Exactly(text)
  // With a store, a text that UTF-8 cannot encode is left whole: a longer line is better than a loss.
  if (blobs && !bytes) return
  const odd = lineCount === countLines(text) ? undefined : lineCount
  const cut = cutText(text, blobs && bytes ? { hash: await blobs.put(bytes), lineCount: odd } : undefined)
  draft.set(spot, cut)
  if (lineCount !== undefined) draft.set(spot, countLines(cut), "lineCount")
}

/** The UTF-8 of a text; undefined for a text with lone surrogates, which UTF-8 cannot encode. */
function utf8Exactly(text: string): Uint8Array | undefined {
  const bytes = encoder.encode(text)
  return strict.decode(bytes) === text ? bytes : undefined
}

/** Matches every line in which something has to be dropped or moved. One pattern for all, since lines are long and many. */
const SUSPECT = /"(?:image|partialJson"|jsonlEvents")/

/**
 * Sanitizes an entry in the form of its line, so that changes to the object after the append have no effect. Most lines need no
 * change: they are not parsed, and returned synchronously.
 */
export function sanitizeLine(line: string, blobs: Pick<BlobStore, "put"> | undefined): string | Promise<string> {
  return isPlainLine(line) ? line : sanitizeParsed(line, blobs)
}

/** Sanitizes lines that are not ready, and stores what is moved out of them. Where that fails, the lines that are ready stay ready. */
export async function sanitizeLines(
  lines: readonly { text: string; isReady: boolean }[],
  blobs: Pick<BlobStore, "put"> | undefined,
): Promise<void> {
  for (const line of lines) {
    if (line.isReady) continue
    const text = sanitizeLine(line.text, blobs)
    line.text = typeof text === "string" ? text : (await text).trimEnd()
    line.isReady = true
  }
}

/** Whether a line needs no change. */
function isPlainLine(line: string): boolean {
  return line.length <= MAX_STRING_LENGTH && !SUSPECT.test(line)
}

async function sanitizeParsed(line: string, blobs: Pick<BlobStore, "put"> | undefined): Promise<string> {
  const entry = JSON.parse(line) as object
  const sanitized = await sanitizeEntry(entry, blobs)
  return sanitized === entry ? line : formatLine(sanitized)
}
