import { hasOnlySigns, QUERY_VALUES } from "@treelog/session-core/search"
import type { FoundHits, LibrarySearch } from "@treelog/stores"
import type { CommandDefinition } from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { PRINT, SESSION, SINCE, UNTIL, WITH } from "../define/shared-options.js"
import { positiveInteger, wholeNumber } from "../define/values.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { HitPrinter } from "../search/hit-printer.js"
import { warnOfUnread } from "../search/refresh-index.js"
import { isAnythingAsked, nothingToSearch, type SearchFilters, searchQuery } from "../search/search-query.js"
import {
  type CommandSource,
  folderOf,
  nothingExamined,
  openLibrary,
  openScoped,
  placesOf,
} from "../sessions/open-library.js"
import { ofScope } from "../store/scope.js"
import { quietContext } from "../tui/frame/start-picker.js"
import { searchWhileUpdating } from "./search/search-while-updating.js"

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
  /** At most so many hits. */
  readonly limit?: number
  /** Entries to print around each hit. */
  readonly context?: number
  /** Of the picker: the agent to go on in. */
  readonly with?: string
  /** Of the picker: what is printed of the session, which is not run then. */
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
    const { context, library } = await openScoped(quietContext(given))
    const { find } = await import("../tui/finder/find.js")
    return find(
      given,
      library,
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
    for (const { source, ...hits } of found) await printer.print(source, [hits], isUpToDate)
  }
  const { count, isMore, report, isInOrder } = await searchWhileUpdating(context, library, query, show)
  if (report) warnOfUnread(context, report.failed)
  if (!isInOrder && context.options.json) await context.log(NOT_IN_ORDER)
  const excluded = excludedTexts(query)
  if (excluded.length > 0) await context.log(`Texts with ${excluded.join(" or ")} are left out.`)
  if (count === 0) {
    if (!(await library.isAny({ scope: query.scope })))
      return nothingExamined(context, sources, query.scope === undefined)
    const where =
      query.scope === undefined
        ? ""
        : ` in the sessions${ofScope({ cwd: query.scope, projectOf: sources[0]?.projectOf })}`
    const hints = `${query.scope === undefined ? "" : "; --all searches every folder"}.${query.roles ? "" : " Instructions and reminders are found with role:other."}`
    await context.log(`Nothing was found${where} in ${placesOf(sources)}${hints}`)
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
