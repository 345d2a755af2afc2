// Search, and sums over sessions: the index of sessions, the helpers that every implementation shares, and one in memory.

export { fileNameOf } from "./context/file-change.js"
export { FileOperations } from "./context/file-operations.js"
export { type Cost, costOf, knownCost, type PriceUsage, sumOfCosts } from "./entry/cost.js"
export { filesOfCall } from "./entry/file-tools.js"
export {
  FILTER_NAMES,
  FILTERS,
  type FilterValues,
  filterValues,
  fitsModel,
} from "./entry/filters.js"
export { foldText } from "./entry/fold-text.js"
export {
  addUsages,
  INPUT_STEPS,
  type ModelUsage,
  sumOfUsages,
  type UsageTotals,
  usagesOf,
} from "./entry/usage.js"
export {
  type FileQuery,
  type FileUse,
  type IndexedSession,
  type IndexFilter,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  QUERY_VALUES,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  type SessionHits,
  type SessionIndex,
  type UsageQuery,
} from "./ports/session-index.js"
export { CopyOrder, oldestFirst } from "./search/copy-order.js"
export { entryFacts, type PlacedFacts } from "./search/entry-facts.js"
export {
  endsWithPath,
  fileNamesOf,
  filesThatFit,
  fitsSession,
  fitsText,
  fitsTime,
  requireQuery,
} from "./search/index-filter.js"
export { copySource, type IndexSource } from "./search/index-source.js"
export {
  type IndexedState,
  type IndexTables,
  isBasedOn,
  isLeftAlone,
  settledStat,
} from "./search/index-tables.js"
export {
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
export { byRelevance, firstOfEach, groupedHits, inFaces } from "./search/rank-hits.js"
export { FactsReader } from "./search/read-facts.js"
export { sessionMatcher } from "./search/session-matcher.js"
export { sessionStats } from "./search/session-stats.js"
export { listedInfo, sessionTitle } from "./search/session-title.js"
export { matchRanges, snippetOf } from "./search/snippet.js"
export {
  type Prices,
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
