// Keeps stores in order: functions that verify, repair, migrate, slim, move, import and copy stored sessions.

export type { ChangeOptions } from "./maintenance/change-options.js"
export { migrateSession, type StoredMigration } from "./maintenance/migrate-session.js"
export { moveSession, relocateSession } from "./maintenance/move-session.js"
export {
  type KeptFor,
  type PruneFacts,
  type PruneItem,
  type PrunePlan,
  type PruneRules,
  planPrune,
} from "./maintenance/plan-prune.js"
export { inflateSession, type RewriteReport, type RewrittenBlob, slimSession } from "./maintenance/rewrite-lines.js"
export type {
  CopiedSession,
  CopySessionsOptions,
  CopySource,
  UncopiedSession,
} from "./maintenance/transfer/copy-options.js"
export { copySessions } from "./maintenance/transfer/copy-sessions.js"
export { type ImportOptions, importSession } from "./maintenance/transfer/import-session.js"
export { NamedBlobs } from "./maintenance/transfer/named-blobs.js"
export type { RepairChange } from "./maintenance/verify/repair-item.js"
export { type RepairReport, repairSession } from "./maintenance/verify/repair-session.js"
export type { Verification } from "./maintenance/verify/verify-log.js"
export { verifySession } from "./maintenance/verify/verify-session.js"
