import type { Diagnostic } from "@treelog/session-core"
import type { ConversionReport, KindCount } from "../conversion.js"
import type { RecordOutcome } from "./agent-definition.js"

const TORN = "the last line, which is not complete"

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
  readonly #diagnostics: Diagnostic[] = []

  count(kind: string, outcome: RecordOutcome): void {
    this.#lines++
    const count = this.#kinds.get(kind) ?? { converted: 0, kept: 0, skipped: 0, reasons: new Set<string>() }
    this.#kinds.set(kind, count)
    if (typeof outcome === "object") count.reasons.add(outcome.skipped)
    count[typeof outcome === "object" ? "skipped" : (outcome ?? "kept")]++
    if (outcome === undefined) this.unknown(kind)
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

  /** @param torn the faults of a last line that is not complete, and may still become so */
  result(torn: readonly Diagnostic[] = []): ConversionReport {
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
    }
  }
}

function countOf({ reasons, ...count }: Count): KindCount {
  return { ...count, ...(reasons.size > 0 && { reason: [...reasons].sort().join("; ") }) }
}
