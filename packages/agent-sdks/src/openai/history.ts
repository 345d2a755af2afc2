import type { OpenAIHistoryTransaction } from "./openai-types.js"

/** A line of the stored history: what was done to it. */
export type HistoryOperation<Item> = (OpenAIHistoryTransaction<Item> | { type: "pop_item" }) & { operationId?: string }

/** The history of a session, which results from its operations. */
export interface History<Item> {
  readonly items: Item[]
  /** The transactions that were applied, by the ids of their operations. */
  readonly applied: Map<string, OpenAIHistoryTransaction<Item>>
}

export function historyOf<Item>(operations: readonly HistoryOperation<Item>[]): History<Item> {
  const history: History<Item> = { items: [], applied: new Map() }
  for (const { operationId, ...operation } of operations) {
    apply(history.items, operation)
    if (operationId !== undefined && operation.type !== "pop_item") history.applied.set(operationId, operation)
  }
  return history
}

/** Whether two JSON values are equal, in whatever order their members are. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b)
}

function apply<Item>(items: Item[], operation: HistoryOperation<Item>): void {
  if (operation.type === "pop_item") items.pop()
  if (operation.type === "replace_suffix") items.length -= operation.expectedSuffix.length
  const added = operation.type === "append_items" ? operation.items : []
  for (const item of operation.type === "replace_suffix" ? operation.replacement : added) items.push(item)
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
