// What the writers of other agents' sessions share, with what of files they need.

export { entriesIn, type FsPort, nodeFs, sessionsByVariables } from "@treelog-internal/fs"

export {
  type CopyTarget,
  copySession,
  type WriteSessionOptions,
  type WrittenSession,
} from "./copy-session.js"
export type { CopySource } from "./copy-source.js"
export { CallIds, derivedUuid } from "./derived-id.js"
export { removeCopy } from "./place-copy.js"
export { AXES, type Axis, type AxisReceipt, type Fate, type Receipt } from "./receipt.js"
export type { SessionPieces } from "./session-pieces.js"
export type { CompactionStep, SaidStep, Step } from "./session-steps.js"
export { isThere, textIfThere, writeOnce } from "./small-files.js"
export { writtenCall } from "./written-call.js"
