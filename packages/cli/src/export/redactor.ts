import { isOpaque, type TextPlace } from "@treelog/session-core/adapter"

/** Values without their secrets, and how many of each kind there were. */
export class Redactor {
  readonly #isOn: boolean
  readonly #counts = new Map<string, number>()
  #opaque = new Set<string>()

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** What was left alone among the values of the last call, since people can read nothing in it. */
  get opaque(): ReadonlySet<string> {
    return this.#opaque
  }

  get redacted(): { readonly kind: string; readonly count: number }[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count)
  }

  async values<Value>(values: readonly Value[]): Promise<Value[]> {
    if (!this.#isOn) return [...values]
    const { redactValues } = await import("@treelog/secrets")
    this.#opaque = new Set()
    const skip = (place: TextPlace): boolean => {
      const isSkipped = isOpaque(place)
      if (isSkipped) this.#opaque.add(place.value as string)
      return isSkipped
    }
    const redacted = await redactValues(values, { skip })
    for (const { findings } of redacted) for (const { kind } of findings) this.count(kind)
    return redacted.map(({ value }) => value)
  }

  async value<Value>(value: Value): Promise<Value> {
    const [redacted = value] = await this.values([value])
    return redacted
  }

  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }
}
