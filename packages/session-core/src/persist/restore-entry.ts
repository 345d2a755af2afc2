import type { Diagnostic } from "../entry/diagnostic.js"
import { isTreelogError } from "../errors.js"
import { type BlobSource, hashInRef } from "../ports/blob-store.js"
import { encodeBase64 } from "./base64.js"
import { countLines, isCutOf, lineCountAt, readCutText } from "./long-text.js"
import { Draft, type ImageForm, imageFormAt, isImageDataUrl, type Spot, spotsIn } from "./spots.js"

/** A value with its blobs restored. */
export interface Restored<Value> {
  readonly value: Value
  /** Missing and damaged blobs, whose references are left in place. */
  readonly diagnostics: readonly Diagnostic[]
}

/** As much of a source of blobs as reading a session needs. */
export type BlobReader = Pick<BlobSource, "get">

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * Restores the images and long texts that `sanitizeEntry` moved to the blob store. Each blob is read once and verified; for a
 * missing or damaged one, the reference is left in place and a diagnostic is added. The entry is not modified: the result shares
 * unchanged parts with it.
 * @param isWanted which spots to restore; default: all
 */
export async function restoreEntry<Value extends object>(
  entry: Value,
  blobs: BlobReader,
  isWanted: (spot: Spot) => boolean = () => true,
): Promise<Restored<Value>> {
  const draft = new Draft(entry)
  const diagnostics: Diagnostic[] = []
  const read = new Map<string, Promise<Uint8Array | Diagnostic>>()
  for (const reference of referencesIn(entry)) {
    const { spot, hash } = reference
    if (!isWanted(spot)) continue
    if (hash === undefined) {
      const message = "A text was cut by the program that wrote it, and the rest was kept nowhere."
      diagnostics.push({ kind: "cut-text", message })
      continue
    }
    const reading = read.get(hash) ?? readBlob(blobs, hash)
    read.set(hash, reading)
    const found = await reading
    if (!(found instanceof Uint8Array)) diagnostics.push(found)
    else if (!restore(draft, reference, found)) {
      const message = `Blob ${hash} does not match the place of its reference, which is left there.`
      diagnostics.push({ kind: "damaged-blob", message })
    }
  }
  return { value: draft.result<Value>(), diagnostics }
}

/** The hashes of the blobs that a value refers to, and whether it has a truncated text whose rest is lost. */
export function blobUse(value: object): { hashes: Set<string>; hasLostText: boolean } {
  const used = new Set(Array.from(referencesIn(value), ({ hash }) => hash))
  const hasLostText = used.delete(undefined)
  return { hashes: used as Set<string>, hasLostText }
}

/** A reference inside an entry. */
interface Reference {
  readonly spot: Spot
  readonly text: string
  /** Undefined for a truncated text whose rest is lost. */
  readonly hash?: string
  /** Undefined for a truncated text. */
  readonly form?: ImageForm
  readonly lineCount?: number | undefined
}

function* referencesIn(value: object): Generator<Reference> {
  for (const { spot, sealed } of spotsIn(value)) {
    const text = spot.value
    if (sealed || typeof text !== "string") continue
    const form = imageFormAt(spot)
    const hash = form && hashInRef(text)
    const cut = hash ? undefined : readCutText(text)
    if (form && hash) yield { spot, text, hash, form }
    else if (cut) yield { spot, text, ...(cut !== "lost" && cut) }
  }
}

/** False if the blob does not match the reference: it must be a data URL, or begin with the truncated text. */
function restore(draft: Draft, { spot, text, form, lineCount }: Reference, bytes: Uint8Array): boolean {
  const whole = form === "base64" ? encodeBase64(bytes) : decoder.decode(bytes)
  if (form === "data-url" && !isImageDataUrl(whole)) return false
  if (!form && !isCutOf(text, whole)) return false
  draft.set(spot, whole)
  if (!form && lineCountAt(spot) !== undefined) draft.set(spot, lineCount ?? countLines(whole), "lineCount")
  return true
}

async function readBlob(blobs: BlobReader, hash: string): Promise<Uint8Array | Diagnostic> {
  try {
    const message = `Blob ${hash} is not in the blob store; its reference stays.`
    return (await blobs.get(hash)) ?? { kind: "missing-blob", message }
  } catch (error) {
    if (!isTreelogError(error, "BlobDamagedError")) throw error
    return { kind: "damaged-blob", message: error.message }
  }
}

/** How many messages are restored at a time; each reads one blob at a time. */
const AT_ONCE = 8

/**
 * Restores the blobs of the messages of a context, a bounded number at a time. Messages without references are the same objects.
 * @param entryIds the id of the entry of each message, for diagnostics
 * @param isWanted which spots to restore; default: all
 */
export async function restoreMessages<Message extends object>(
  messages: readonly Message[],
  blobs: BlobReader,
  entryIds: readonly string[] = [],
  isWanted?: (spot: Spot) => boolean,
): Promise<{ messages: Message[]; diagnostics: Diagnostic[] }> {
  const restored = [...messages]
  const diagnostics = messages.map((): readonly Diagnostic[] => [])
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < messages.length; index = next++) {
      const message = messages[index]
      if (!message) continue
      const result = await restoreEntry(message, blobs, isWanted)
      restored[index] = result.value
      const entryId = entryIds[index]
      diagnostics[index] = result.diagnostics.map((found) => (entryId === undefined ? found : { ...found, entryId }))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    // After an error, no other message is started.
    next = messages.length
  }
  return { messages: restored, diagnostics: diagnostics.flat() }
}
