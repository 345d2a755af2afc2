import { isOpaque, type TextPlace } from "@treelog/session-core/adapter"
import { parsedJson } from "@treelog/session-core/json"

/** A range of a text that looks like a secret. UTF-16 units. */
export interface FoundRange {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Finds secrets, and takes them out. The exports of `@treelog/secrets` do: `import * as redaction from "@treelog/secrets"`. */
export interface Redaction {
  /** The value without its secrets. A value without any is returned as it is. */
  redactValue<Value>(value: Value, options: { readonly skip: (place: TextPlace) => boolean }): RedactedValue<Value>
  /** The secrets of a text. */
  findSecrets(text: string): readonly FoundRange[]
  /** The text without these secrets. */
  replaceFindings(text: string, findings: readonly FoundRange[]): string
}

/** A value without its secrets, and what was found: the kind, and the path in the value. */
export interface RedactedValue<Value> {
  readonly value: Value
  readonly findings: readonly { readonly kind: string; readonly path: string }[]
}

/** An export would contain a secret that cannot be redacted, and stopped before it. */
export class SecretLeftError extends Error {
  override readonly name = "SecretLeftError"
  readonly code = "SecretLeftError"
  readonly data: { readonly kinds: readonly string[] }

  constructor(kinds: readonly string[]) {
    super(
      `What looks like a secret (${kinds.join(", ")}) could not be redacted without breaking the format, so the export ended before it. findSessionSecrets() lists the places.`,
    )
    this.data = { kinds }
  }
}

/** A piece of an export. */
export interface Piece {
  /** The text of a session: scanned again before it is written. */
  readonly text: string
  /** Used instead where a line was not parsed. */
  readonly bytes?: Uint8Array
  /** The export's own text in front of it. */
  readonly before?: string
  /** Whether the text must still be JSON afterwards. */
  readonly isJson?: boolean
  /** What must not be redacted, though it may look like a secret: signatures and images. */
  readonly opaque?: ReadonlySet<string>
}

/** What is left of a text may be a secret again: the most rounds of redaction. */
const ROUNDS = 3

/** Redacts values and pieces one by one, and counts what was found. Without a redaction it changes nothing. */
export class Redactor {
  readonly #redaction: Redaction | undefined
  readonly #counts = new Map<string, number>()
  /** What was skipped in the value of the last call: signatures and images. */
  opaque: ReadonlySet<string> = new Set()

  constructor(redaction: Redaction | undefined) {
    this.#redaction = redaction
  }

  get isOn(): boolean {
    return this.#redaction !== undefined
  }

  /** How often each kind was found, the most frequent first. */
  get redacted(): { readonly kind: string; readonly count: number }[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count)
  }

  value<Value>(value: Value): Value {
    if (!this.#redaction) return value
    const { redacted, opaque } = redactReadable(this.#redaction, value)
    this.opaque = opaque
    this.#count(redacted.findings)
    return redacted.value
  }

  /** A text that is shown, and whose secrets are counted, elsewhere too. */
  repeated(text: string): string {
    return this.#redaction ? redactReadable(this.#redaction, text).redacted.value : text
  }

  /**
   * Scans each piece again: what the values do not show, such as a field that a line has twice, shows here. What is still found is
   * redacted; what is found even then is never written.
   * @throws SecretLeftError
   */
  async *contents(pieces: AsyncIterable<Piece>): AsyncGenerator<string | Uint8Array> {
    for await (const piece of pieces) {
      const text = this.#redaction ? this.#text(this.#redaction, piece) : piece.text
      yield piece.bytes ?? (piece.before ?? "") + text
    }
  }

  #text(redaction: Redaction, { text, isJson = false, opaque }: Piece): string {
    let left = text
    for (let round = 0; ; round++) {
      const found = redaction.findSecrets(left)
      const findings = found.filter((finding) => !isOpaqueAt(left, finding, opaque))
      if (findings.length === 0) return left
      if (round === ROUNDS) throw new SecretLeftError(kindsOf(findings))
      left = redaction.replaceFindings(left, findings)
      if (isJson && parsedJson(left) === undefined) throw new SecretLeftError(kindsOf(findings))
      this.#count(findings)
    }
  }

  #count(findings: readonly { readonly kind: string }[]): void {
    for (const { kind } of findings) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }
}

/** Redacts a value, but for signatures and images, which are returned beside it. */
export function redactReadable<Value>(
  redaction: Redaction,
  value: Value,
): { redacted: RedactedValue<Value>; opaque: ReadonlySet<string> } {
  const opaque = new Set<string>()
  const skip = (place: TextPlace): boolean => {
    const isSkipped = isOpaque(place)
    if (isSkipped) opaque.add(place.value as string)
    return isSkipped
  }
  return { redacted: redaction.redactValue(value, { skip }), opaque }
}

/** Whether what was found is in something that is kept on purpose. */
export function isOpaqueAt(json: string, { start, end }: FoundRange, opaque: ReadonlySet<string> = new Set()): boolean {
  for (const text of opaque) {
    const written = JSON.stringify(text).slice(1, -1)
    for (let at = json.indexOf(written); at !== -1 && at <= start; at = json.indexOf(written, at + 1))
      if (end <= at + written.length) return true
  }
  return false
}

function kindsOf(findings: readonly { readonly kind: string }[]): string[] {
  return [...new Set(findings.map(({ kind }) => kind))]
}
