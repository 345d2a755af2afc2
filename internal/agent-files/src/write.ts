// What the writers of other agents' sessions share, with what of files they need.

export { type Env, entriesIn, type FsPort, nodeFs, sessionsByVariables } from "@treelog-internal/fs"

export { digestOf } from "./digest.js"
export {
  type CopyTarget,
  copySession,
  type WriteSessionOptions,
  type WrittenSession,
} from "./write/copy-session.js"
export { type CopyLines, type CopyPart, type CopySource, subAgentId, subAgentsIn } from "./write/copy-source.js"
export { derivedUuid } from "./write/derived-id.js"
export { type CopyStatus, type NewCopy, removeCopy } from "./write/place-copy.js"
export { AXES, type Axis, type AxisReceipt, type Fate, type Receipt } from "./write/receipt.js"
export { isThere, textIfThere, withTemporary, writeOnce } from "./write/small-files.js"
export {
  type ImageBlock,
  type InputBlock,
  speaksBehindCalls,
  textsIn,
  type WrittenBlock,
  type WrittenCall,
  type WrittenCompaction,
  type WrittenPrompt,
  type WrittenReply,
  type WrittenResult,
  type WrittenSaid,
  type WrittenStep,
  type WrittenSubAgent,
} from "./write/written-steps.js"
