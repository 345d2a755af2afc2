// What the writers of other agents' sessions share, with what of files they need.

export { type Env, entriesIn, type FsPort, nodeFs, sessionsByVariables } from "@treelog-internal/fs"

export { digestOf } from "./digest.js"
export {
  type CopyTarget,
  copySession,
  type WriteSessionOptions,
  type WrittenSession,
} from "./write/copy-session.js"
export type { CopySource } from "./write/copy-source.js"
export { CallIds, derivedUuid } from "./write/derived-id.js"
export { type CopyStatus, type NewCopy, removeCopy } from "./write/place-copy.js"
export { AXES, type Axis, type AxisReceipt, type Fate, type Receipt } from "./write/receipt.js"
export type { SessionPieces } from "./write/session-pieces.js"
export { type CompactionStep, type SaidStep, type Step, typedPrompt } from "./write/session-steps.js"
export { isThere, textIfThere, writeOnce } from "./write/small-files.js"
export { speaksBehindCalls, writtenCall } from "./write/written-call.js"
