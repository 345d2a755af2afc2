/**
 * What became of a piece of a session in a copy for another agent. `preserved`: the other model gets it as it was. `partial`: it gets it in another
 * form. `evidence`: the copy shows it, and no model gets it. `dropped`: it is not in the copy.
 */
export type Fate = "preserved" | "partial" | "evidence" | "dropped"

/** The kinds of content that a receipt counts. */
export const AXES = [
  "text",
  "thinking",
  "calls",
  "results",
  "images",
  "branches",
  "subAgents",
  "usage",
  "names",
  "compactions",
] as const

export type Axis = (typeof AXES)[number]

/** What became of one kind of content. The four fates add up to `source`. */
export interface AxisReceipt extends Readonly<Record<Fate, number>> {
  /** The worst that became of any piece; `absent` where the source has none. */
  readonly outcome: Fate | "absent"
  /** How many pieces the source has. */
  readonly source: number
  /** How many pieces each reason is for, among those that are not as they were. */
  readonly reasons: Readonly<Record<string, number>>
}

/** What a copy of a session in another agent has, and what it has not. */
export type Receipt = Readonly<Record<Axis, AxisReceipt>>

const FATES: readonly Fate[] = ["preserved", "partial", "evidence", "dropped"]

/** Counts what becomes of a session while a copy is made. */
export class ReceiptCounter {
  readonly #axes = Object.fromEntries(
    AXES.map((axis) => [axis, { preserved: 0, partial: 0, evidence: 0, dropped: 0, reasons: {} }]),
  ) as Record<Axis, Record<Fate, number> & { readonly reasons: Record<string, number> }>

  /** @param reason why it is not as it was, or what has changed */
  count(axis: Axis, fate: Fate, reason?: string, pieces = 1): void {
    if (pieces <= 0) return
    const counts = this.#axes[axis]
    counts[fate] += pieces
    if (reason !== undefined) counts.reasons[reason] = (counts.reasons[reason] ?? 0) + pieces
  }

  /** How many pieces were counted. */
  total(axis: Axis): number {
    return FATES.reduce((sum, fate) => sum + this.#axes[axis][fate], 0)
  }

  result(): Receipt {
    const of = (axis: Axis): AxisReceipt => {
      const { reasons, ...fates } = this.#axes[axis]
      const worst = [...FATES].reverse().find((fate) => fates[fate] > 0)
      return { outcome: worst ?? "absent", source: this.total(axis), ...fates, reasons: { ...reasons } }
    }
    return Object.fromEntries(AXES.map((axis) => [axis, of(axis)])) as unknown as Receipt
  }
}
