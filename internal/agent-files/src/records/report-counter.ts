import type { Diagnostic } from "@treelog/session-core"
import type { ConversionReport, KindCount } from "../conversion.js"
import type { RecordOutcome } from "./agent-definition.js"

const TORN = "the last line, which is not complete"

/** A field with tokens that were used, as APIs and agents call it. In texts, quotes are escaped. */
const TOKENS =
  /(?:input|output|prompt|completion|candidates|total)_?tokens?(?:_?count)?": ?[1-9]|tokens(?:In|Out)": ?[1-9]|"(?:tokens|usage)": ?\{[^{}]*": ?[1-9]/i

export function hasTokens(record: object): boolean {
  return TOKENS.test(JSON.stringify(record))
}

interface Count {
  converted: number
  kept: number
  skipped: number
  readonly reasons: Set<string>
}

/** Counts what becomes of each record. */
export class ReportCounter {
  #lines = 0
  readonly #kinds = new Map<string, Count>()
  readonly #unknown = new Set<string>()
  readonly #uncounted = new Set<string>()
  readonly #diagnostics: Diagnostic[] = []

  /** @param hasUsage whether the record has tokens: asked where it is not converted */
  count(kind: string, outcome: RecordOutcome, hasUsage = (): boolean => false): void {
    this.#lines++
    const count = this.#kinds.get(kind) ?? { converted: 0, kept: 0, skipped: 0, reasons: new Set<string>() }
    this.#kinds.set(kind, count)
    if (typeof outcome === "object") count.reasons.add(outcome.skipped)
    count[typeof outcome === "object" ? "skipped" : (outcome ?? "kept")]++
    if (outcome === undefined) this.unknown(kind)
    // What is skipped is known, such as what another record says.
    const isTaken = outcome === "converted" || typeof outcome === "object"
    if (!isTaken && !this.#uncounted.has(kind) && hasUsage()) this.#uncounted.add(kind)
  }

  unknown(kind: string): void {
    this.#unknown.add(kind)
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic)
  }

  /** A last line that is not complete. @param faults what is wrong with it */
  torn(faults: readonly Diagnostic[]): void {
    this.count("torn", { skipped: TORN })
    this.#diagnostics.push(...faults)
  }

  /**
   * @param torn the faults of a last line that is not complete, and may still become so
   * @param isCounted whether usage of the session counts: what else has tokens may repeat it
   */
  result(torn: readonly Diagnostic[], isCounted: boolean): ConversionReport {
    const counts = [...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => [kind, countOf(count)])
    // A kind may be called __proto__: an assignment would lose it.
    const kinds: Record<string, KindCount> = Object.fromEntries(counts)
    const isTorn = torn.length > 0
    if (isTorn) kinds.torn = { converted: 0, kept: 0, skipped: (kinds.torn?.skipped ?? 0) + 1, reason: TORN }
    return {
      lines: this.#lines + (isTorn ? 1 : 0),
      kinds,
      unknownKinds: [...this.#unknown].sort(),
      diagnostics: [...this.#diagnostics, ...torn],
      ...(!isCounted && this.#uncounted.size > 0 && { uncountedKinds: [...this.#uncounted].sort() }),
    }
  }
}

function countOf({ reasons, ...count }: Count): KindCount {
  return { ...count, ...(reasons.size > 0 && { reason: [...reasons].sort().join("; ") }) }
}
