export type { ObjectStoreOptions } from "../objects/object-store.js"
export { OpenAISession, type OpenAISessionOptions } from "./openai-session.js"
export type { OpenAIHistoryTransaction, OpenAIHistoryTransactionArgs } from "./openai-types.js"
