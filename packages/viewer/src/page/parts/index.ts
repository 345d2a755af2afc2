export type { Part, PartOptions, RoutesOptions } from "./part.js"
export { mountSessionUsage, mountTranscript, mountTree, type SessionPartOptions } from "./session-parts.js"
export {
  openSessionView,
  type RoutedSession,
  type SessionView,
  type SessionViewOptions,
  type ViewedSession,
} from "./session-view.js"
export {
  mountSearch,
  mountSessionList,
  mountUsage,
  type PartFilters,
  type SessionToOpen,
  type StorePartChanges,
  type StorePartOptions,
} from "./store-parts.js"
