// The types of @openai/agents-core that the adapter uses, written down here so that it does not depend on the SDK.

/** A change of the history that happens as a whole. */
export type OpenAIHistoryTransaction<Item> =
  | { type: "append_items"; items: Item[] }
  | { type: "replace_suffix"; expectedSuffix: Item[]; replacement: Item[] }

/** A change, and the id by which a repetition of it is recognized. */
export interface OpenAIHistoryTransactionArgs<Item> {
  operationId: string
  transaction: OpenAIHistoryTransaction<Item>
}
