/** A NUL takes six units in JSON, and a string has at most 2^29. Bytes. */
const LONGEST = 64 * 1024 * 1024

/** What a `treelog.damaged` entry holds of a line that cannot be read: its text, or its size where that would be too long for an entry. */
export function damagedData(bytes: number, textOf: () => string): { text: string } | { bytes: number } {
  return bytes > LONGEST ? { bytes } : { text: textOf() }
}

/**
 * Whether a line that cannot be read was once a record: it begins as one, or with bytes that a failed disk leaves. Lines of texts and of JSON documents
 * do not.
 */
export function wasRecord(data: unknown): boolean {
  const { text } = (data ?? {}) as { text?: unknown }
  return text === undefined || /^\s*(?:\{"|\0)/.test(String(text))
}
