import { jsonText } from "../entry/json-text.js"
import { TreelogError } from "../errors.js"

const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * One record as a line, LF included. Key order is kept; lone surrogates are escaped, so that the bytes are always UTF-8.
 * @throws UnserializableEntryError for a BigInt, a cycle, or a line that is longer than a string can be
 */
export function formatLine(record: object): string {
  return `${formatRecord(record)}\n`
}

/** A record as a line without the LF: what searches or encodes the text does not copy it again. */
export function formatRecord(record: object): string {
  try {
    const text: string | undefined = jsonText(record)
    // To look into a text that was just made takes as long as to copy it.
    if (isPlain(record) || text?.startsWith("{")) return text as string
  } catch (error) {
    throw unserializable(record, error instanceof Error ? error.message : String(error), error)
  }
  throw unserializable(record, "it gives no JSON object")
}

/** Whether it certainly gives a JSON object. */
function isPlain(record: object): boolean {
  return Object.getPrototypeOf(record) === Object.prototype && !("toJSON" in record)
}

export function encodeLine(record: object): Uint8Array {
  return encoder.encode(formatLine(record))
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

function unserializable(record: object, reason: string, cause?: unknown): TreelogError {
  const type = "type" in record && typeof record.type === "string" ? record.type : "unknown"
  const message = `This ${type} cannot be written as JSON: ${reason}. Nothing was added to the session.`
  return new TreelogError("UnserializableEntryError", message, { type, reason }, { cause })
}
