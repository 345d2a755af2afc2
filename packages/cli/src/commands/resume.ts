import { isTreelogError, type SessionInfo, TreelogError } from "@treelog/session-core"
import { type FilterValues, filterValues, type IndexUpdateReport, plainTerms } from "@treelog/session-core/search"
import { plural } from "@treelog-internal/text"
import type { StoredSession } from "../agents/go-on.js"
import { type HowToResume, resumed } from "../agents/resumed.js"
import { type CommandDefinition, PRINT, SESSION, WITH } from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { type ExitCode, UsageError } from "../errors/exit-codes.js"
import { isInteractive } from "../io/can-ask.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { refreshIndex } from "../search/refresh-index.js"
import { NOTHING_SAID, type SaidTerms, sessionsSaying } from "../search/sessions-saying.js"
import { findToRead } from "../sessions/find-session.js"
import {
  type CommandLibrary,
  type CommandSource,
  openScoped,
  placesOf,
  type ScopedLibrary,
} from "../sessions/open-library.js"
import { ownManager } from "../store/command-sessions.js"
import { ofScope } from "../store/scope.js"
import { SESSION_SORTS, SessionRows, type SessionSort } from "../tui/finder/session-rows.js"

export const command: CommandDefinition = {
  job: "go on",
  bundledWith: [],
  summary: "find a session as you type, and continue it",
  description:
    "Find a session as you type, and continue it in its agent. Without a terminal, or with --print, prints its path or id.",
  examples: [
    ["treelog resume", "browse the sessions of this folder"],
    ["treelog resume --all --query flaky", "all sessions that contain a word"],
    ["treelog resume --last", "the newest, without the picker"],
    ["treelog resume --store pi --print id", "choose a session of pi, print its id"],
  ],
  arguments: [["[session]", `take this one, without asking: ${SESSION}`]],
  options: [
    ...FILTER_OPTIONS,
    ["--last", "take the newest, without asking"],
    ["--query <text>", "start with this query; without a terminal, print every session that matches"],
    ["--sort <order>", "sort order", { choices: SESSION_SORTS, default: "activity" }],
    ["--named", "only sessions that have a name"],
    ["--leaf <entry>", "with a session: go on from this entry, in a copy of its branch"],
    ["--with <agent>", WITH],
    ["--fork", "go on in a copy, and leave the session as it is"],
    ["--anyway", "also where a process has the session"],
    [
      "--from-summary",
      "with --with claude-code, codex, copilot, gemini, opencode or qwen: begin with the last summary",
    ],
    ["--all-branches", "with these: the other branches become sessions, too"],
    PRINT,
  ],
  run: resume,
}

interface ResumeOptions extends FilterValues, HowToResume {
  readonly last?: boolean
  readonly query?: string
  readonly sort: SessionSort
  readonly named?: boolean
}

/**
 * Continues the session that is named, or else one that a picker or the options find. In a terminal its agent is run; otherwise
 * its path or id is printed.
 */
export async function resume(
  given: CommandContext,
  session: string | undefined,
  options: ResumeOptions,
): Promise<ExitCode> {
  const { last, query, named } = options
  const filters = filterValues((name) => options[name])
  if (session !== undefined && (last || query !== undefined || named || Object.keys(filters).length > 0))
    throw new UsageError("A session cannot be combined with --last, --query, --named or a filter.")
  if (options.leaf !== undefined && session === undefined)
    throw new UsageError("--leaf names an entry of a session: name that, too.")
  if (options.leaf !== undefined && options.print !== undefined)
    throw new UsageError(
      "--print writes nothing, and --leaf continues in a copy: `treelog fork SESSION --leaf ENTRY` makes one and prints its path.",
    )
  if (options.with !== undefined && options.print !== undefined)
    throw new UsageError(
      "--print writes nothing, and --with continues in a copy: `treelog import --from STORE --to STORE SESSION` makes one and prints its path.",
    )
  if (options.fork && (options.leaf ?? options.with ?? options.print) !== undefined)
    throw new UsageError(
      "--fork cannot be combined with --leaf, --with or --print, which make a copy of their own or none.",
    )
  if (session !== undefined) {
    const { key, source } = await findToRead(given, session)
    return resumed(given, [await storedAt(source, key)], options)
  }
  if (last || (query !== undefined && !isInteractive(given))) {
    const scoped = await openScoped(given)
    const found = await findSessions(scoped, options)
    return resumed(scoped.context, last ? found.slice(0, 1) : found, options)
  }
  const { findScoped } = await import("../tui/finder/find.js")
  const alternatives = "name a session, or use `--last` or `--query TEXT` instead"
  return findScoped(
    given,
    { command: "treelog resume", alternatives, view: "sessions", query: query ?? "" },
    { sort: options.sort, named: named ?? false, filters, how: options },
  )
}

/**
 * What the picker would show when it has searched everything, in its order. Sessions that cannot be read are left out, and counted on
 * stderr.
 * @throws SessionNotFoundError where that is nothing
 */
export async function findSessions(
  { context, library, scope }: ScopedLibrary,
  { query = "", sort, named = false, last = false, ...options }: ResumeOptions,
): Promise<StoredSession[]> {
  const terms = plainTerms(query)
  const filters = filterValues((name) => options[name])
  const progress = new Progress(context)
  const rows = new SessionRows(sort, named)
  const { said, failed } = await saidIn(context, library, scope, terms)
  let [looked, broken] = [0, 0]
  // Of a list of thousands, only what is newer than the first that a person had is parsed.
  const isFirstEnough = last && query === "" && !named && sort === "activity"
  const settings = {
    signal: context.io.interrupted,
    onProgress() {
      looked += 1
      if (progress.isDue) context.hold(progress.show(`Scanned ${plural(looked, "session")}`))
    },
  }
  for await (const session of library.list({ ...filters, scope }, settings)) {
    if (session.error) broken += 1
    else rows.put(session, true)
    if (isFirstEnough && !session.error && session.kind === undefined) break
  }
  if (broken > 0) await context.log(`${plural(broken, "session")} cannot be read; \`treelog list\` shows why.`)
  const found = rows
    .matching(query, terms, said, "all")
    .map(({ row: { info, source } }) => ({ ...info, store: source }))
  for (const { key, code, message } of failed)
    if (rows.get(key) && !found.some(({ path }) => path === key))
      context.warn({ code, data: { path: key } }, `${key}: ${message}`)
  // `--last` takes a session that a program ran by itself only where there is no other.
  const notPersonal = ({ kind }: Pick<SessionInfo, "kind">): number => Number(kind !== undefined)
  if (last) found.sort((a, b) => notPersonal(a) - notPersonal(b))
  if (found.length > 0) return found
  throw notFound(query, named, library.sources, scope)
}

interface Said {
  readonly said: SaidTerms
  /** Why the indexes lack sessions. */
  readonly failed: IndexUpdateReport["failed"]
}

/** What the indexes have of the terms of a query, if there are any. Without SQLite that is nothing, which stderr says. */
async function saidIn(
  context: CommandContext,
  library: CommandLibrary,
  scope: string | undefined,
  terms: readonly string[],
): Promise<Said> {
  if (terms.length === 0) return { said: NOTHING_SAID, failed: [] }
  try {
    const { failed } = await refreshIndex(context, library)
    return { said: (await sessionsSaying(library, { scope }, terms, Number.MAX_SAFE_INTEGER)).said, failed }
  } catch (error) {
    if (!isTreelogError(error, "IndexUnavailableError")) throw error
    context.warn(error, `Names, first messages and ids are searched, not what was said: ${error.message}`)
    return { said: NOTHING_SAID, failed: [] }
  }
}

function notFound(
  query: string,
  named: boolean,
  stores: readonly CommandSource[],
  scope: string | undefined,
): TreelogError {
  const what = named ? "session with a name" : "session"
  const where = `${ofScope({ cwd: scope, projectOf: stores[0]?.projectOf })} in ${placesOf(stores)}`
  const holding = query === "" ? "" : ` holds ${JSON.stringify(query)}`
  const message = holding === "" ? `There is no ${what}${where}.` : `No ${what}${where}${holding}.`
  return new TreelogError("SessionNotFoundError", message, { ref: query })
}

async function storedAt(store: CommandSource, path: string): Promise<StoredSession> {
  const session = await (await ownManager(store)).open(path, { access: "read" })
  try {
    return { store, path, id: session.getSessionId(), cwd: session.getCwd(), name: session.getSessionName() }
  } finally {
    await session.close()
  }
}
