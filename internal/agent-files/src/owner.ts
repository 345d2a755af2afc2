// What an agent does with its own sessions, and changes of its files that can be undone.
export { applyChanges } from "./owner/apply-changes.js"
export { type Change, changeText, type Edit, type Member } from "./owner/change.js"
export {
  type Journal,
  journalId,
  journalsIn,
  removeJournal,
  removeOldJournals,
  type SessionStep,
  writeJournal,
} from "./owner/journal.js"
export {
  changedLines,
  type Folders,
  movedInLines,
  movedPath,
  withMovedPaths,
} from "./owner/moved-paths.js"
export type {
  Deletion,
  HiddenReason,
  OwnedSession,
  OwnedStore,
  OwnerRules,
  Relocation,
  WhyHidden,
} from "./owner/owner-rules.js"
export { type ChangeOptions, type UndoSession, undoChanges } from "./owner/undo-changes.js"
