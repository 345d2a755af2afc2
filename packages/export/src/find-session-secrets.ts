import { type BlobSource, type SessionSource, TreelogError } from "@treelog/session-core"
import { type Line, parseLine, restoreEntry, splitLines, storedBytes } from "@treelog/session-core/adapter"
import { type Redaction, redactReadable } from "./redaction.js"
import { saysMore } from "./says-more.js"

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

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
/** Begins the reference of a long text that is stored as a blob. */
const CUT = "[full content: blob:sha256:"

/**
 * Finds the secrets of a stored session, in every line: also in lines that cannot be read, and in long texts that are blobs.
 * @throws StorageError, also for a line that is too long to be scanned; SessionNotFoundError, SessionChangedError
 */
export function findSessionSecrets(
  storage: SessionSource,
  key: string,
  options: FindSecretsOptions,
): AsyncGenerator<FoundSecret> {
  return findSecretsInBytes(storedBytes(storage, key), key, options)
}

/** How secrets are found. */
export interface FindSecretsOptions {
  readonly redaction: Redaction
  /** Where long texts are. */
  readonly blobs?: BlobSource | undefined
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
  for await (const line of splitLines(bytes)) {
    if (line.tooLong !== undefined) throw notScanned(name, line)
    const { records, faults } = parseLine(line)
    const found: FoundSecret[] = []
    for (const record of records) {
      const value = await restored(line, record.value, { blobs, onBlob })
      const redacted = redactReadable(redaction, value)
      // Of the value without its secrets: an id can be one.
      const { id, type } = redacted.value as { id?: unknown; type?: unknown }
      const entry = typeof id === "string" && type !== "session" ? { entryId: id } : {}
      for (const { kind, path } of redacted.findings) found.push({ line: line.number, ...entry, kind, place: path })
    }
    const isWhole = faults.length === 0 && !records.some(({ value }) => saysMore(decoder.decode(line.bytes), value))
    yield* found.length > 0 || isWhole ? found : inText(redaction, line)
  }
}

function notScanned(key: string, { number, tooLong = 0 }: Line): TreelogError {
  const message = `Line ${number} of ${key} has ${tooLong} bytes, more than can be scanned for secrets.`
  return new TreelogError("StorageError", message, { key, operation: "scan", errno: undefined })
}

async function restored(
  { bytes }: Line,
  value: object,
  { blobs, onBlob }: Pick<FindSecretsOptions, "blobs"> & { onBlob: () => void },
): Promise<object> {
  const isCut = decoder.decode(bytes).includes(CUT)
  if (isCut) onBlob()
  return isCut && blobs ? (await restoreEntry(value, blobs)).value : value
}

/** What the values of a line do not show: it cannot be read, or has a field twice. */
function inText(redaction: Redaction, line: Line): FoundSecret[] {
  return redaction.findSecrets(decoder.decode(line.bytes)).map(({ kind }) => ({ line: line.number, kind }))
}
