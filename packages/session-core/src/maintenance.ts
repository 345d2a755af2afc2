// Keeps stores in order: functions that verify, repair, migrate, slim, move, import and copy stored sessions.

export { migrateSession } from "./maintenance/migrate-session.js"
export { moveSession, relocateSession } from "./maintenance/move-session.js"
export { planPrune } from "./maintenance/plan-prune.js"
export { inflateSession, slimSession } from "./maintenance/rewrite-lines.js"
export type { CopiedSession } from "./maintenance/transfer/copy-options.js"
export { copySessions } from "./maintenance/transfer/copy-sessions.js"
export { importSession } from "./maintenance/transfer/import-session.js"
export { repairSession } from "./maintenance/verify/repair-session.js"
export { verifySession } from "./maintenance/verify/verify-session.js"
export { NamedBlobs } from "./persist/named-blobs.js"
