// Search, and sums over sessions: the index of sessions, the helpers that every implementation shares, and one in memory.

export { fileNameOf } from "./context/file-change.js"
export { FileOperations } from "./context/file-operations.js"
export { type Cost, costOf, knownCost, type PriceUsage, sumOfCosts } from "./entry/cost.js"
export { filesOfCall } from "./entry/file-tools.js"
export {
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  type FilterValues,
  filterLabel,
  filterValues,
  fitsModel,
  hasModelFilter,
} from "./entry/filters.js"
export { foldText } from "./entry/fold-text.js"
export {
  addTotals,
  addUsages,
  INPUT_STEPS,
  type ModelUsage,
  noUsage,
  sumOfUsages,
  type UsageTotals,
  usagesOf,
} from "./entry/usage.js"
export type {
  FileQuery,
  FileUse,
  IndexedSession,
  IndexFilter,
  IndexProgress,
  IndexUpdateOptions,
  IndexUpdateReport,
  SearchHit,
  SearchQuery,
  SearchResult,
  SessionHits,
  SessionIndex,
  Snippet,
  TextRole,
  UsageQuery,
  UsageRow,
} from "./ports/session-index.js"
export { CopyOrder, oldestFirst } from "./search/copy-order.js"
export { type EntryFacts, type EntryText, entryFacts, type PlacedFacts } from "./search/entry-facts.js"
export {
  endsWithPath,
  fileNamesOf,
  filesThatFit,
  fitsSession,
  fitsText,
  fitsTime,
  requireLimit,
  requirePath,
} from "./search/index-filter.js"
export { copySource, type IndexSource } from "./search/index-source.js"
export {
  type IndexChange,
  type IndexedState,
  type IndexTables,
  isLeftAlone,
  isSameState,
  settledStat,
  statText,
} from "./search/index-tables.js"
export { ListFilter, type ListLimits } from "./search/list-filter.js"
export {
  type FoldedTerm,
  foldTerms,
  hasOnlySigns,
  isMatchedWithinWords,
  matchesAll,
} from "./search/match-text.js"
export { MemorySessionIndex } from "./search/memory-session-index.js"
export { parseQuery } from "./search/parse-query.js"
export { hitPartOf, ownerPlace, placeOf } from "./search/part-of-session.js"
export { isPeriod } from "./search/period.js"
export { containsTerms, plainTerms } from "./search/plain-terms.js"
export { byRelevance, type FoundText, firstOfEach, inFaces } from "./search/rank-hits.js"
export { FactsReader, type KeptEntry } from "./search/read-facts.js"
export { type PartEntries, type SessionStats, sessionStats } from "./search/session-stats.js"
export { listedInfo, sessionTitle } from "./search/session-title.js"
export { groupedHits, matchRanges, snippetOf } from "./search/snippet.js"
export {
  type Prices,
  type SumKind,
  type SumOptions,
  type SumRow,
  sumsOf,
  sumUsage,
  UsageRows,
  type UsageSums,
  usageKey,
} from "./search/sums.js"
export { timeSpan } from "./search/time-span.js"
export { updateIndex } from "./search/update-index.js"
export { isSpaced, wordsOf } from "./search/words.js"
