import { hasOnlySigns, type IndexUpdateReport, QUERY_VALUES, type SearchHit } from "@treelog/session-core/search"
import type { FoundHits, LibrarySearch } from "@treelog/stores"
import {
  type CommandDefinition,
  PRINT,
  positiveInteger,
  SESSION,
  SINCE,
  UNTIL,
  WITH,
  wholeNumber,
} from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress, settledWithin } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { HitPrinter } from "../search/hit-printer.js"
import { startUpdate, warnOfUnread } from "../search/refresh-index.js"
import { isAnythingAsked, nothingToSearch, type SearchFilters, searchQuery } from "../search/search-query.js"
import {
  type CommandLibrary,
  type CommandSource,
  folderOf,
  nothingExamined,
  openLibrary,
  openScoped,
  placesOf,
} from "../sessions/open-library.js"
import { ofScope } from "../store/scope.js"

export const command: CommandDefinition = {
  job: "find",
  bundledWith: ["sessions/open-index"],
  summary: "find what was said; --prompts what you typed",
  description:
    'Find what was said and done in the sessions of this folder: words, "phrases", prefix*, -excluded, and filters such as role:user, tool:bash, since:30d.',
  examples: [
    ["treelog search flaky test", "texts with both words"],
    ["treelog search", "as you type, with a preview"],
    [`treelog search '"rate limit" -429 retr*'`, "phrase, excluded, prefix"],
    ["treelog search role:user since:30d checkout", "filters in the text"],
    ["treelog search ECONNRESET --all --tool bash", "or as options"],
    ["treelog search --prompts flaky --since 30d --all", "what you typed, anywhere"],
    ["treelog search --file src/retry.ts --context 2", "what was said about a file"],
  ],
  arguments: [["[text...]", "all words have to occur in the same message; without any: search as you type"]],
  options: [
    ...FILTER_OPTIONS,
    [
      "--role <role>",
      "who said it; repeatable",
      {
        choices: QUERY_VALUES.role,
        isRepeatable: true,
      },
    ],
    ["--since <time>", SINCE],
    ["--until <time>", UNTIL],
    ["--tool <name>", "calls and results of a tool"],
    ["--file <path>", "sessions that read or changed a file with this path, or end of a path"],
    ["--session <session>", `only in this session: ${SESSION}`],
    ["--sort <order>", "sort order", { choices: QUERY_VALUES.sort, default: "newest" }],
    ["-n, --limit <count>", "print at most this many (default: 20)", { parse: positiveInteger }],
    ["--context <count>", "also print this many messages before and after each (default: 0)", { parse: wholeNumber }],
    ["--with <agent>", WITH],
    PRINT,
    ["--prompts", "only what you typed, from what agents keep of it, else from sessions"],
  ],
  run: searchOrTyped,
}

interface SearchOptions extends SearchFilters {
  readonly sort?: (typeof QUERY_VALUES.sort)[number]
  readonly limit?: number
  readonly context?: number
  readonly with?: string
  readonly print?: "path" | "id"
}

async function searchOrTyped(
  context: CommandContext,
  text: readonly string[],
  options: SearchOptions & { readonly prompts?: boolean },
): Promise<ExitCode> {
  if (!options.prompts) return search(context, text, options)
  // Histories of prompts load SQLite at once: a search of sessions with them starts 1.5 times as slowly.
  const { searchTyped } = await import("./search/typed.js")
  return (await searchTyped(context, text, options)) ?? search(context, text, { ...options, role: ["user"] })
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
    const { findScoped } = await import("../tui/finder/find.js")
    const alternatives = "say what to search for: words, or a filter such as --file"
    return findScoped(given, { command: "treelog search", alternatives, view: "hits", query: "" }, { how: options })
  }
  if (options.with !== undefined || options.print !== undefined)
    throw new UsageError(
      "--with and --print continue from the hit that you choose: use `treelog search` without a text.",
    )
  startPaging(given)
  const { limit = LIMIT, sort = "newest", context: around = 0 } = options
  const isPlaced =
    [options.session, options.project].some((one) => one !== undefined) ||
    words.some((word) => /^(?:cwd|project|session):/.test(word))
  const { context, library, scope } = isPlaced
    ? { context: given, library: await openLibrary(given), scope: folderOf(given) }
    : await openScoped(given)
  const { sources } = library
  const query = {
    ...(await searchQuery(context, library, scope, text, options)),
    ...{ sort, limit, snippet: snippetLength(context) },
  }
  if (hasOnlySigns(query.terms)) throw new UsageError(nothingToSearch(text))
  const isScoped = query.scope !== undefined || query.isWanted !== undefined
  const printer = new HitPrinter(context, { around, withCwd: !isScoped })
  const show = async (found: readonly FoundHits<CommandSource>[], isUpToDate: boolean): Promise<void> => {
    for (const hits of found) await printer.print(hits, isUpToDate)
  }
  const { count, isMore, report, isInOrder } = await searchWhileUpdating(context, library, query, show)
  if (report) warnOfUnread(context, report.failed)
  if (!isInOrder && context.options.json) await context.log(NOT_IN_ORDER)
  const excluded = excludedTexts(query)
  if (excluded.length > 0) await context.log(`Texts with ${excluded.join(" or ")} are left out.`)
  if (count === 0) {
    if (!(await library.isAny({ scope: query.scope })))
      return nothingExamined(context, sources, query.scope === undefined)
    const { session } = query
    const within =
      query.scope === undefined
        ? ""
        : ` in the sessions${ofScope({ cwd: query.scope, projectOf: sources[0]?.projectOf })}`
    const where =
      session === undefined ? `${within} in ${placesOf(sources)}` : ` in a session ${JSON.stringify(session)}`
    const hints = `${query.scope === undefined ? "" : "; --all searches every folder"}.${query.roles ? "" : " Instructions and reminders are found with role:other."}`
    await context.log(`Nothing was found${where}${hints}`)
    // As grep ends.
    return EXIT.failed
  }
  if (isMore) context.warnOfMore("hits", limit)
  return EXIT.ok
}

const NOT_IN_ORDER =
  "The index was being built: newer hits can be missing where the time of a file is older than its messages. `treelog index --update` builds it first."

/** What the texts must not have, as it was typed. */
function excludedTexts({ terms = [] }: LibrarySearch): string[] {
  return terms.flatMap(({ text, isExcluded }) => (isExcluded ? JSON.stringify(text) : []))
}

/** The width of a line in a terminal. */
function snippetLength({ style: { width } }: CommandContext): number {
  if (width === undefined) return LONGEST_SNIPPET
  return Math.max(SHORTEST_SNIPPET, Math.min(LONGEST_SNIPPET, width - BEFORE_SNIPPET))
}

// The newest sessions are indexed first. So while the index is brought up to date, hits that are newer than every session that is
// still to be read are those that the complete index would have first: once there are enough of them, reading stops. A person sees
// other hits, too, as soon as they are found: newer ones may follow, as where the times of files are not those of their messages. A
// program gets only hits that the times of files put in order, with a note where these could be wrong. A text that a fork copied may be shown in the fork, where its older session is still
// to be read.

/** Milliseconds between two searches while the index is brought up to date. */
const SEARCH_EVERY = 500

type Found = FoundHits<CommandSource>

interface UpdatingSearchResult {
  /** Hits that were shown. */
  readonly count: number
  /** Whether there are more than the limit. */
  readonly isMore: boolean
  /** Undefined where the update was stopped, since enough was found. */
  readonly report: IndexUpdateReport | undefined
  /** Whether the hits that were shown are the first ones, in their order: unknown where the update was stopped. */
  readonly isInOrder: boolean
}

/**
 * Searches while the indexes are brought up to date, and shows hits as soon as their order is certain; to a person, at once.
 * @param show gets each hit once, the newest first; by relevance all at the end; and whether the index has all sessions then
 */
export async function searchWhileUpdating(
  context: CommandContext,
  library: CommandLibrary,
  query: LibrarySearch & Required<Pick<LibrarySearch, "sort" | "limit">>,
  show: (found: readonly Found[], isUpToDate: boolean) => Promise<void>,
): Promise<UpdatingSearchResult> {
  const { sort, limit } = query
  const stop = new AbortController()
  const { update, progress, text } = startUpdate(
    context,
    library,
    AbortSignal.any([context.io.interrupted, stop.signal]),
  )
  const line = new Progress(context)
  const shown = new Set<string>()
  const isForPerson = context.style.width !== undefined
  let isUpToDate = false
  const showNew = async (found: readonly Found[], fits: (hit: SearchHit) => boolean, most: number) => {
    const fresh = unseen(found, shown, most, fits)
    if (fresh.length === 0) return
    await show(fresh, isUpToDate)
  }
  try {
    while (sort !== "relevance" && !(await settledWithin(update, SEARCH_EVERY))) {
      await line.show(text())
      const { upToDateAfter = Number.MAX_SAFE_INTEGER } = progress() ?? {}
      // Nothing is certain yet.
      if (!isForPerson && upToDateAfter === Number.MAX_SAFE_INTEGER) continue
      const { sessions, isMore } = await line.during(library.search(query), text)
      const isCertain = ({ time }: SearchHit): boolean => time > upToDateAfter
      await showNew(sessions, (hit) => isForPerson || isCertain(hit), limit)
      const certain = sessions.flatMap(({ hits }) => hits.filter(isCertain)).length
      if (certain === limit) return { count: shown.size, isMore, report: undefined, isInOrder: false }
    }
    const report = await line.during(update, text)
    isUpToDate = true
    const { sessions, isMore } = await library.search(query)
    await showNew(sessions, () => true, isForPerson ? Number.POSITIVE_INFINITY : limit)
    const first = sessions.flatMap(({ hits }) => hits).map(nameOf)
    return { count: shown.size, isMore, report, isInOrder: [...shown].every((name, at) => name === first[at]) }
  } finally {
    stop.abort()
    await Promise.allSettled([update])
  }
}

/** The hits that fit and were not shown yet, until so many are shown, which are noted as shown. */
function unseen(found: readonly Found[], shown: Set<string>, most: number, fits: (hit: SearchHit) => boolean): Found[] {
  return found.flatMap((one) => {
    const fresh = one.hits.filter((hit) => {
      const name = nameOf(hit)
      if (shown.has(name) || shown.size >= most || !fits(hit)) return false
      shown.add(name)
      return true
    })
    return fresh.length === 0 ? [] : [{ ...one, hits: fresh }]
  })
}

function nameOf({ entryId, time, role, tool, snippet }: SearchHit): string {
  return JSON.stringify([entryId, time, role, tool, snippet.text])
}
