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

/** A value with its blobs restored. */
export interface Restored<Value> {
  readonly value: Value
  /** Missing and damaged blobs, whose references are left in place. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A reference inside an entry, and how to restore its blob. */
interface Reference {
  readonly spot: Spot
  readonly hash: string
  /** False if the blob does not match the reference. */
  restore(draft: Draft, bytes: Uint8Array): boolean
}

/** The part of a blob store that reading a session needs. */
export type BlobReader = Pick<BlobStore, "get">

/** Whether to restore the blob at a spot. */
export type IsWanted = (spot: Spot) => boolean

const everything: IsWanted = () => true

/** A text that was truncated without a reference to the whole. */
const LOST = "lost"

const CUT_TEXT: Diagnostic = {
  kind: "cut-text",
  message: "A text was cut by the program that wrote it, and the rest was kept nowhere.",
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * Restores the images and long texts that `sanitizeEntry` moved to the blob store. Each blob is read once and verified; for a
 * missing or damaged one, the reference is left in place and a diagnostic is added. The entry is not modified: the result shares
 * unchanged parts with it.
 */
export function restoreEntry<Value extends object>(entry: Value, blobs: BlobReader): Promise<Restored<Value>> {
  return restoreSpots(entry, blobs, everything)
}

/** The same at the spots for which `isWanted` returns true. */
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

/** The hashes of the blobs that a value refers to, and whether it has a truncated text whose rest is lost. */
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

/** Restores a truncated text, unless it only looks like one: the blob must begin with it. */
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
  const message = `Blob ${hash} does not match the place of its reference, which is left there.`
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
