import { hasOnlySigns } from "@treelog/session-core/search"
import type { MergedHits } from "@treelog/stores"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../pager/start-paging.js"
import { warnOfMore } from "../render/more.js"
import { HitPrinter } from "../search/hit-printer.js"
import { warnOfUnread } from "../search/refresh-index.js"
import { isAnythingAsked, nothingToSearch, type SearchFilters } from "../search/search-query.js"
import { searchWhileUpdating } from "../search/search-while-updating.js"
import { jointSearch, type StoreSearch, storeSearches, withIndexes } from "../search/searched-store.js"
import { everyStore, isNothingThere, nothingExamined, placesOf, scopedStores } from "../sessions/every-store.js"
import { ofScope } from "../sessions/scope.js"
import { quietContext } from "../tui/frame/start-picker.js"

export interface SearchOptions extends SearchFilters {
  readonly sort?: "newest" | "relevance"
  /** At most so many hits. */
  readonly limit?: number
  /** Entries to print around each hit. */
  readonly context?: number
  readonly allStores?: boolean
  /** Of the picker: the agent to go on in. */
  readonly with?: string
  /** Of the picker: what is printed of the session, which is not run then. */
  readonly print?: "path" | "id"
}

const LIMIT = 20
/** Columns before a snippet, about. */
const BEFORE_SNIPPET = 32
/** UTF-16 units. */
const SHORTEST_SNIPPET = 40
const LONGEST_SNIPPET = 160

/** Finds what was said in sessions. */
export async function search(
  given: CommandContext,
  words: readonly string[],
  options: SearchOptions,
): Promise<ExitCode> {
  const text = words.join(" ")
  if (!isAnythingAsked(text, options)) {
    const { find } = await import("./find/find.js")
    const { context, stores } = await scopedStores(quietContext(given), options.allStores)
    return find(
      given,
      stores,
      {
        command: "treelog search",
        alternatives: "say what to search for: words, or a filter such as --file",
        view: "hits",
        query: "",
        scope: context.options.all ? "all" : "project",
      },
      { how: options },
    )
  }
  if (options.with !== undefined || options.print !== undefined)
    throw new UsageError(
      "--with and --print continue from the hit that you choose: use `treelog search` without a text.",
    )
  startPaging(given)
  const { limit = LIMIT, sort = "newest", context: around = 0, allStores = false } = options
  const isPlaced = options.session !== undefined || words.some((word) => /^(?:cwd|project|session):/.test(word))
  const { context, stores: found } = isPlaced
    ? { context: given, stores: await everyStore(given, allStores) }
    : await scopedStores(given, allStores)
  const stores = withIndexes(found)
  const searches = await storeSearches(stores, text, options, { sort, limit, snippet: snippetLength(context) })
  if (searches.some(({ query }) => hasOnlySigns(query.terms))) throw new UsageError(nothingToSearch(text))
  const printer = new HitPrinter(context, {
    around,
    withCwd: searches.some(({ query }) => query.cwd === undefined && !query.isWanted),
  })
  const show = async (found: readonly MergedHits<StoreSearch>[], isUpToDate: boolean): Promise<void> => {
    for (const { store, ...hits } of found) await printer.print(store, [hits], isUpToDate)
  }
  const shape = { sort, limit }
  const { count, isMore, report, isInOrder } = await searchWhileUpdating(
    context,
    jointSearch(searches, shape),
    shape,
    show,
  )
  if (report) warnOfUnread(context, report.failed)
  if (!isInOrder && context.options.json) await context.log(NOT_IN_ORDER)
  const excluded = excludedTexts(searches)
  if (excluded.length > 0) await context.log(`Texts with ${excluded.join(" or ")} are left out.`)
  if (count === 0) {
    const isEverywhere = !isScoped(searches)
    if (await isNothingThere(stores, isEverywhere)) return nothingExamined(context, stores, isEverywhere)
    await context.log(
      `Nothing was found${whereOf(context, searches)} in ${placesOf(stores)}${context.options.all ? "" : "; --all searches every folder"}.${searches[0]?.query.roles ? "" : " Instructions and reminders are found with role:other."}`,
    )
    // As grep ends.
    return EXIT.failed
  }
  if (isMore) warnOfMore(context, "hits", limit)
  return EXIT.ok
}

const NOT_IN_ORDER =
  "The index was being built: newer hits can be missing where the time of a file is older than its messages. `treelog index --update` builds it first."

/** What the texts must not have, as it was typed. */
function excludedTexts([first]: readonly StoreSearch[]): string[] {
  return first?.query.terms?.flatMap(({ text, isExcluded }) => (isExcluded ? JSON.stringify(text) : [])) ?? []
}

/** The width of a line in a terminal. */
function snippetLength({ style: { width } }: CommandContext): number {
  if (width === undefined) return LONGEST_SNIPPET
  return Math.max(SHORTEST_SNIPPET, Math.min(LONGEST_SNIPPET, width - BEFORE_SNIPPET))
}

function whereOf({ options }: CommandContext, searches: readonly StoreSearch[]): string {
  const [only] = searches
  return only && isScoped(searches) && !options.all ? ` in the sessions${ofScope(only.sessions.scope)}` : ""
}

/** Whether only sessions of a folder were searched. */
function isScoped([first]: readonly StoreSearch[]): boolean {
  return first?.query.isWanted !== undefined
}
