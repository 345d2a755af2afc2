import type { Diagnostic } from "../entry/diagnostic.js"
import { isJsonObject } from "../entry/json-object.js"
import { isTreelogError } from "../errors.js"
import { hashInRef } from "../ports/blob-ref.js"
import type { BlobStore } from "../ports/blob-store.js"
import { encodeBase64 } from "./base64.js"
import { Draft } from "./draft.js"
import { type ImageForm, imageFormAt, isImageDataUrl } from "./image-spots.js"
import { countLines, isCutForGood, isCutOf, readCutText } from "./long-text.js"
import { type Spot, spotsIn } from "./spots.js"

/** A value with its blobs put back. */
export interface Restored<Value> {
  readonly value: Value
  /** Blobs that are missing or damaged: their references stay. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A reference inside an entry, and how what it names is put back. */
interface Reference {
  readonly spot: Spot
  readonly hash: string
  /** False when the blob is nothing that such a reference stands for. */
  restore(draft: Draft, bytes: Uint8Array): boolean
}

/** What reading a session takes of a blob store. */
export type BlobReader = Pick<BlobStore, "get">

/** Whether what was taken out at a spot is to be put back. */
export type IsWanted = (spot: Spot) => boolean

const everything: IsWanted = () => true

/** A text that was cut without a reference to the whole. */
const LOST = "lost"

const CUT_TEXT: Diagnostic = {
  kind: "cut-text",
  message: "A text was cut by the program that wrote it, and the rest was kept nowhere.",
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * Puts back what `sanitizeEntry` took out, at every position where it does so. Each blob is read once and verified; one that is
 * missing or damaged leaves its reference and a diagnostic. The entry is not changed: the result shares with it what is the same.
 */
export function restoreEntry<Value extends object>(entry: Value, blobs: BlobReader): Promise<Restored<Value>> {
  return restoreSpots(entry, blobs, everything)
}

/** The same at some of these positions. */
export async function restoreSpots<Value extends object>(
  entry: Value,
  blobs: BlobReader,
  isWanted: IsWanted,
): Promise<Restored<Value>> {
  const draft = new Draft(entry)
  const diagnostics: Diagnostic[] = []
  const read = new Map<string, Promise<Uint8Array | Diagnostic>>()
  for (const reference of referencesIn(entry, isWanted)) {
    if (reference === LOST) {
      diagnostics.push(CUT_TEXT)
      continue
    }
    const reading = read.get(reference.hash) ?? readBlob(blobs, reference.hash)
    read.set(reference.hash, reading)
    const found = await reading
    if (!(found instanceof Uint8Array)) diagnostics.push(found)
    else if (!reference.restore(draft, found)) diagnostics.push(otherBlob(reference.hash))
  }
  return { value: draft.result<Value>(), diagnostics }
}

/** The blobs that a value refers to, at the positions where a reference counts, and whether a text in it was cut for good. */
export function blobUse(value: object): { hashes: Set<string>; hasLostText: boolean } {
  const references = [...referencesIn(value)]
  const hashes = references.flatMap((reference) => (reference === LOST ? [] : [reference.hash]))
  return { hashes: new Set(hashes), hasLostText: references.includes(LOST) }
}

function* referencesIn(value: object, isWanted = everything): Generator<Reference | typeof LOST> {
  for (const { spot, sealed } of spotsIn(value as Record<string, unknown>)) {
    if (sealed || typeof spot.value !== "string") continue
    const reference = referenceAt(spot, spot.value) ?? (isCutForGood(spot.value) ? LOST : undefined)
    if (reference && isWanted(spot)) yield reference
  }
}

function referenceAt(spot: Spot, text: string): Reference | undefined {
  const form = imageFormAt(spot)
  const hash = form && hashInRef(text)
  if (hash) {
    return { spot, hash, restore: (draft, bytes) => restoreImage(draft, spot, bytes, form) }
  }
  const cut = readCutText(text)
  return (
    cut && { spot, hash: cut.hash, restore: (draft, bytes) => restoreText(draft, spot, text, bytes, cut.lineCount) }
  )
}

function restoreImage(draft: Draft, spot: Spot, bytes: Uint8Array, form: ImageForm): boolean {
  const image = form === "base64" ? encodeBase64(bytes) : decoder.decode(bytes)
  if (form === "data-url" && !isImageDataUrl(image)) return false
  draft.set(spot, image)
  return true
}

/** A text may only look as if it had been cut: then the blob that it names is not the whole of it, and it stays. */
function restoreText(
  draft: Draft,
  spot: Spot,
  text: string,
  bytes: Uint8Array,
  lineCount: number | undefined,
): boolean {
  const whole = decoder.decode(bytes)
  if (!isCutOf(text, whole)) return false
  draft.set(spot, whole)
  const hasCount = spot.key === "content" && isJsonObject(spot.holder) && typeof spot.holder.lineCount === "number"
  if (hasCount) draft.setBeside(spot, "lineCount", lineCount ?? countLines(whole))
  return true
}

function otherBlob(hash: string): Diagnostic {
  const message = `Blob ${hash} is not what was taken out where its reference stands; the reference stays.`
  return { kind: "damaged-blob", message }
}

async function readBlob(blobs: BlobReader, hash: string): Promise<Uint8Array | Diagnostic> {
  try {
    return (
      (await blobs.get(hash)) ?? {
        kind: "missing-blob",
        message: `Blob ${hash} is not in the blob store; its reference stays.`,
      }
    )
  } catch (error) {
    if (!isTreelogError(error, "BlobDamagedError")) throw error
    return { kind: "damaged-blob", message: error.message }
  }
}
