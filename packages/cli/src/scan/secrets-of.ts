import { findSecretsIn, redactValues } from "@treelog/secrets"
import { type BlobStore, type SessionStorage, TreelogError } from "@treelog/session-core"
import { isOpaque, type Line, parseLine, restoreEntry, type TextPlace } from "@treelog/session-core/adapter"
import { inBatches } from "../export/batches.js"
import { isOpaqueAt } from "../export/redact-output.js"
import { sessionLines, storedBytes } from "../export/stored-lines.js"

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

interface Looked {
  readonly line: number
  readonly entryId: string | undefined
  readonly value: object
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
/** A text that was moved out of its line, all but its beginning. */
const CUT = "[full content: blob:sha256:"

/** The secrets of a stored session, in every line: also in those that cannot be read, and in long texts that lie in blobs. */
export async function* secretsOf(storage: SessionStorage, key: string, blobs: BlobStore): AsyncGenerator<FoundSecret> {
  for await (const lines of inBatches(sessionLines(storedBytes(storage, key)), ({ bytes }) => bytes.length)) {
    const found = new Map<number, FoundSecret[]>(lines.map(({ number }) => [number, []]))
    const looked: Looked[] = []
    for (const line of lines) {
      if (line.tooLong !== undefined) throw notScanned(key, line)
      for (const { value } of parseLine(line).records) looked.push(await scanLine(line, value, blobs))
    }
    const opaque = new Set<string>()
    const skip = (place: TextPlace): boolean => {
      const isSkipped = isOpaque(place)
      if (isSkipped) opaque.add(place.value as string)
      return isSkipped
    }
    const redacted = await redactValues(
      looked.map(({ value }) => value),
      { skip },
    )
    for (const [index, { findings }] of redacted.entries()) {
      const { line = 0, entryId } = looked[index] ?? {}
      for (const { kind, path } of findings)
        found.get(line)?.push({ line, ...(entryId !== undefined && { entryId }), kind, place: path })
    }
    const silent = lines.filter(({ number }) => found.get(number)?.length === 0)
    for (const secret of await inText(silent, opaque)) found.get(secret.line)?.push(secret)
    for (const secrets of found.values()) yield* secrets
  }
}

function notScanned(key: string, { number, tooLong = 0 }: Line): TreelogError {
  const message = `Line ${number} of ${key} has ${tooLong} bytes, more than can be scanned for secrets.`
  return new TreelogError("StorageError", message, { key, operation: "scan", errno: undefined })
}

async function scanLine({ number, bytes }: Line, value: object, blobs: BlobStore): Promise<Looked> {
  const { id, type } = value as { id?: unknown; type?: unknown }
  const entryId = typeof id === "string" && type !== "session" ? id : undefined
  const isCut = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(CUT)
  return { line: number, entryId, value: isCut ? (await restoreEntry(value, blobs)).value : value }
}

/** What a line holds that its values do not show: it cannot be read, or a field stands in it twice. */
async function inText(lines: readonly Line[], opaque: ReadonlySet<string>): Promise<FoundSecret[]> {
  const texts = lines.map(({ bytes }) => decoder.decode(bytes))
  const found = await findSecretsIn(texts.map((text) => ({ text })))
  return found.flatMap((findings, index) =>
    findings
      .filter((finding) => !isOpaqueAt(texts[index] ?? "", finding, opaque))
      .map(({ kind }) => ({ line: lines[index]?.number ?? 0, kind })),
  )
}
