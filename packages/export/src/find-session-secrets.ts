import { type BlobStore, type SessionStorage, TreelogError } from "@treelog/session-core"
import { type Line, parseLine, restoreEntry } from "@treelog/session-core/adapter"
import { inBatches } from "./batches.js"
import { isOpaqueAt, type Redaction, redactReadable } from "./redaction.js"
import { storedLines } from "./stored-lines.js"

/** The place and kind of a secret in a session. Never the secret itself. */
export interface FoundSecret {
  /** Of the file, from 1. */
  readonly line: number
  /** Absent in the header, and where the line cannot be read. */
  readonly entryId?: string
  readonly kind: string
  /** Where in the entry: `message.content[0].text`. Absent where the line cannot be read. */
  readonly place?: string
}

interface ScannedRecord {
  readonly line: number
  readonly entryId: string | undefined
  readonly value: object
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
/** Begins the reference of a long text that is stored as a blob. */
const CUT = "[full content: blob:sha256:"

/**
 * Finds the secrets of a stored session, in every line: also in lines that cannot be read, and in long texts that are blobs.
 * @throws StorageError, also for a line that is too long to be scanned; SessionNotFoundError, SessionChangedError
 */
export async function* findSessionSecrets(
  storage: SessionStorage,
  key: string,
  { redaction, blobs }: { readonly redaction: Redaction; readonly blobs?: BlobStore | undefined },
): AsyncGenerator<FoundSecret> {
  for await (const lines of inBatches(storedLines(storage, key), ({ bytes }) => bytes.length)) {
    const found = new Map<number, FoundSecret[]>(lines.map(({ number }) => [number, []]))
    const scanned: ScannedRecord[] = []
    for (const line of lines) {
      if (line.tooLong !== undefined) throw notScanned(key, line)
      for (const { value } of parseLine(line).records) scanned.push(await restored(line, value, blobs))
    }
    const values = scanned.map(({ value }) => value)
    const { redacted, opaque } = await redactReadable(redaction, values)
    for (const [index, { findings }] of redacted.entries()) {
      const { line = 0, entryId } = scanned[index] ?? {}
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

async function restored({ number, bytes }: Line, value: object, blobs: BlobStore | undefined): Promise<ScannedRecord> {
  const { id, type } = value as { id?: unknown; type?: unknown }
  const entryId = typeof id === "string" && type !== "session" ? id : undefined
  const isCut = blobs && decoder.decode(bytes).includes(CUT)
  return { line: number, entryId, value: isCut ? (await restoreEntry(value, blobs)).value : value }
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
