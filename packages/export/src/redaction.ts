import { isOpaque } from "@treelog/session-core/adapter"

/** A range of a text that looks like a secret. UTF-16 units. */
export interface FoundRange {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Finds secrets in values, and takes them out. The exports of `@treelog/secrets` do: `import * as redaction from "@treelog/secrets"`. */
export interface Redaction {
  /** The value without its secrets. A value without any is returned as it is. */
  redactValue<Value>(
    value: Value,
    options: { readonly skip: (place: Parameters<typeof isOpaque>[0]) => boolean },
  ): RedactedValue<Value>
  /** The secrets of a text. Of an export, only lines that are no values are texts. */
  findSecrets(text: string): readonly FoundRange[]
}

/** A value without its secrets, and what was found: the kind, and the path in the value. */
export interface RedactedValue<Value> {
  readonly value: Value
  readonly findings: readonly { readonly kind: string; readonly path: string }[]
}

/** Redacts values one by one, and counts what was found. Without a redaction it changes nothing. */
export class Redactor {
  readonly #redaction: Redaction | undefined
  readonly #counts = new Map<string, number>()

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
    const { value: redacted, findings } = redactReadable(this.#redaction, value)
    for (const { kind } of findings) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    return redacted
  }

  /** A text that is shown, and whose secrets are counted, elsewhere too. */
  repeated(text: string): string {
    return this.#redaction ? redactReadable(this.#redaction, text).value : text
  }
}

/** Redacts a value, but for what is no text: signatures, images and references to blobs. */
export function redactReadable<Value>(redaction: Redaction, value: Value): RedactedValue<Value> {
  return redaction.redactValue(value, { skip: isOpaque })
}
