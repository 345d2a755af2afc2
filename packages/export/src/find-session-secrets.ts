import { type BlobStore, type SessionStorage, TreelogError } from "@treelog/session-core"
import { type Line, parseLine, restoreEntry, splitLines, storedBytes } from "@treelog/session-core/adapter"
import { inBatches } from "./batches.js"
import { isOpaqueAt, type Redaction, redactReadable } from "./redaction.js"

/** The place and kind of a secret in a session. Never the secret itself. */
export interface FoundSecret {
  /** The line of the file, from 1. */
  readonly line: number
  /** Absent in the header, and where the line cannot be read. */
  readonly entryId?: string
  readonly kind: string
  /** Where in the entry: `message.content[0].text`. Absent where the line cannot be read. */
  readonly place?: string
}

interface ScannedRecord {
  readonly line: number
  readonly value: object
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
/** Begins the reference of a long text that is stored as a blob. */
const CUT = "[full content: blob:sha256:"

/**
 * Finds the secrets of a stored session, in every line: also in lines that cannot be read, and in long texts that are blobs.
 * @throws StorageError, also for a line that is too long to be scanned; SessionNotFoundError, SessionChangedError
 */
export function findSessionSecrets(
  storage: SessionStorage,
  key: string,
  options: FindSecretsOptions,
): AsyncGenerator<FoundSecret> {
  return findSecretsInBytes(storedBytes(storage, key), key, options)
}

/** How secrets are found. */
export interface FindSecretsOptions {
  readonly redaction: Redaction
  /** Where long texts are. */
  readonly blobs?: BlobStore | undefined
  /** Called where what is found depends on a blob too, and not on the bytes alone. */
  readonly onBlob?: (() => void) | undefined
}

/**
 * Finds the secrets of a transcript that is not stored by itself, such as that of a sub-agent.
 * @param name for errors
 * @throws StorageError for a line that is too long to be scanned; errors of the bytes
 */
export async function* findSecretsInBytes(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { redaction, blobs, onBlob = () => {} }: FindSecretsOptions,
): AsyncGenerator<FoundSecret> {
  for await (const lines of inBatches(splitLines(bytes), ({ bytes }) => bytes.length)) {
    const found = new Map<number, FoundSecret[]>(lines.map(({ number }) => [number, []]))
    const scanned: ScannedRecord[] = []
    for (const line of lines) {
      if (line.tooLong !== undefined) throw notScanned(name, line)
      for (const { value } of parseLine(line).records) scanned.push(await restored(line, value, { blobs, onBlob }))
    }
    const values = scanned.map(({ value }) => value)
    const { redacted, opaque } = await redactReadable(redaction, values)
    for (const [index, { value, findings }] of redacted.entries()) {
      const { line = 0 } = scanned[index] ?? {}
      const entryId = entryIdOf(value)
      for (const { kind, path } of findings)
        found.get(line)?.push({ line, ...(entryId !== undefined && { entryId }), kind, place: path })
    }
    const silent = lines.filter(({ number }) => found.get(number)?.length === 0)
    for (const secret of await inText(redaction, silent, opaque)) found.get(secret.line)?.push(secret)
    for (const secrets of found.values()) yield* secrets
  }
}

function notScanned(key: string, { number, tooLong = 0 }: Line): TreelogError {
  const message = `Line ${number} of ${key} has ${tooLong} bytes, more than can be scanned for secrets.`
  return new TreelogError("StorageError", message, { key, operation: "scan", errno: undefined })
}

async function restored(
  { number, bytes }: Line,
  value: object,
  { blobs, onBlob }: Pick<FindSecretsOptions, "blobs"> & { onBlob: () => void },
): Promise<ScannedRecord> {
  const isCut = decoder.decode(bytes).includes(CUT)
  if (isCut) onBlob()
  return { line: number, value: isCut && blobs ? (await restoreEntry(value, blobs)).value : value }
}

/** Of a value without its secrets: an id can be one. */
function entryIdOf(value: object): string | undefined {
  const { id, type } = value as { id?: unknown; type?: unknown }
  return typeof id === "string" && type !== "session" ? id : undefined
}

/** What the values of a line do not show: it cannot be read, or has a field twice. */
async function inText(
  { findSecretsIn }: Redaction,
  lines: readonly Line[],
  opaque: ReadonlySet<string>,
): Promise<FoundSecret[]> {
  const texts = lines.map(({ bytes }) => decoder.decode(bytes))
  const found = await findSecretsIn(texts.map((text) => ({ text })))
  return found.flatMap((findings, index) =>
    findings
      .filter((finding) => !isOpaqueAt(texts[index] ?? "", finding, opaque))
      .map(({ kind }) => ({ line: lines[index]?.number ?? 0, kind })),
  )
}
