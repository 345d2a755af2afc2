import { isTreelogError } from "@treelog/session-core"
import type { IndexedSession, SearchQuery } from "@treelog/session-core/session-index"
import { cleanLine } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { settledWithin } from "../../io/progress.js"
import { hitDocument } from "../../search/hit-printer.js"
import { openIndex } from "../../search/open-index.js"
import { startUpdate } from "../../search/refresh-index.js"
import { searchQuery } from "../../search/search-query.js"
import { sessionTitle } from "../../search/session-titles.js"
import { composeSessions, type Sessions } from "../../sessions/compose-sessions.js"
import { pickerDisplay, quietContext, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { HitPicker } from "../../tui/hits/hit-picker.js"
import type { HitAnswer, HitRequest } from "../../tui/hits/hit-state.js"

const ALTERNATIVES = "say what to search for: words, or a filter such as --file"
/** UTF-16 units: what the preview shows. */
const SNIPPET = 1200
/** Milliseconds between two searches while the index is brought up to date. */
const SEARCH_EVERY = 1000

/** Lets the user search as they type, and prints the path of the session that was chosen; with --json the hit. */
export async function pickHit(context: CommandContext): Promise<ExitCode> {
  const terminal = requireTerminal(context, "treelog search", ALTERNATIVES)
  const sessions = await composeSessions(context)
  const index = openIndex(quietContext(context), sessions)
  // A missing SQLite is reported before anything is drawn.
  await index.status()
  const look = pickerDisplay(context)
  const titles = new Map<string, Promise<string>>()
  const titleOf = (session: IndexedSession): Promise<string> => {
    const known = titles.get(session.key) ?? sessionTitle(sessions.storage, session, context.io.interrupted)
    titles.set(session.key, known)
    return known
  }
  const picker = new HitPicker(
    context.options.all ? "all" : "project",
    async (request) => {
      const query = await queryOf(context, sessions, request)
      if ("notice" in query) return { request, hits: [], isMore: false, notice: query.notice }
      return foundBy(request, await index.search(query), titleOf)
    },
    look,
  )
  const stop = new AbortController()
  const updating = keepIndexing(context, index, picker, AbortSignal.any([context.io.interrupted, stop.signal]))
  try {
    const picked = await startPicker(picker, terminal, look, context.io.interrupted)
    if (!picked) return EXIT.interrupted
    if (context.options.json) await context.printJson(hitDocument(undefined, picked.session, picked.hit))
    else await context.print([cleanLine(picked.session.key)])
    return EXIT.ok
  } finally {
    stop.abort()
    await updating
  }
}

/** A filter that is still being typed is no error. */
async function queryOf(
  context: CommandContext,
  sessions: Sessions,
  { query, scope, limit }: HitRequest,
): Promise<SearchQuery | { readonly notice: string }> {
  const { cwd, projectOf } = sessions
  const meant = { ...sessions, scope: scope === "all" ? {} : { cwd, project: projectOf(cwd) } }
  try {
    return { ...(await searchQuery(context, meant, query, {})), limit, snippet: SNIPPET }
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    return { notice: error.message }
  }
}

async function foundBy(
  request: HitRequest,
  { sessions, isMore }: Awaited<ReturnType<ReturnType<typeof openIndex>["search"]>>,
  titleOf: (session: IndexedSession) => Promise<string>,
): Promise<HitAnswer> {
  const groups = await Promise.all(
    sessions.map(async ({ session, hits }) => {
      const title = await titleOf(session)
      return hits.map((hit) => ({ session, title, hit }))
    }),
  )
  // The index groups by session; a list to choose from has the newest first.
  return { request, hits: groups.flat().sort((a, b) => b.hit.time - a.hit.time), isMore }
}

/** Brings the index up to date, and lets the picker search again as it grows. */
async function keepIndexing(
  context: CommandContext,
  index: ReturnType<typeof openIndex>,
  picker: HitPicker,
  signal: AbortSignal,
): Promise<void> {
  const { update, text } = startUpdate(context, index, signal)
  try {
    while (!(await settledWithin(update, SEARCH_EVERY))) picker.indexed(text())
    await update
    picker.indexed("")
  } catch (error) {
    if (!signal.aborted) picker.failed(error)
  }
}
