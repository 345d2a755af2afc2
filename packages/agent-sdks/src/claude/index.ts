export type { ObjectStoreOptions } from "../objects/object-store.js"
export { ClaudeSessionStore, type ClaudeSessionStoreOptions } from "./claude-session-store.js"
export type {
  ClaudeSessionEntry,
  ClaudeSessionKey,
  ClaudeSessionSummary,
  FoldSessionSummary,
} from "./claude-types.js"
