import { isTreelogError } from "@treelog/session-core"
import { hasOnlySigns, type IndexedSession, type SearchQuery, type SearchResult } from "@treelog/session-core/search"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { hitDocument } from "../../search/hit-printer.js"
import { keepIndexing } from "../../search/keep-indexing.js"
import { nothingToSearch, searchQuery } from "../../search/search-query.js"
import { type IndexedStore, indexedStores } from "../../search/searched-store.js"
import { sessionTitle } from "../../search/session-titles.js"
import { pickerDisplay, quietContext, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { HitPicker } from "../../tui/hits/hit-picker.js"
import type { HitAnswer, HitRequest } from "../../tui/hits/hit-state.js"
import { resumeOne } from "../resume/resume.js"
import type { ResumeOptions } from "../resume/resume-options.js"

const ALTERNATIVES = "say what to search for: words, or a filter such as --file"
/** UTF-16 units: what the preview shows. */
const SNIPPET = 1200

/**
 * Lets the user search as they type, and continues from the chosen entry as `resume` does, or shows it; with --json prints the hit.
 */
export async function pickHit(
  context: CommandContext,
  allStores: boolean,
  how: Pick<ResumeOptions, "with" | "print"> = {},
): Promise<ExitCode> {
  const terminal = requireTerminal(context, "treelog search", ALTERNATIVES)
  const stores = await indexedStores(quietContext(context), allStores)
  // A missing SQLite is reported before anything is drawn.
  for (const { index } of stores) await index.status()
  const look = pickerDisplay(context)
  const owners = new Map<IndexedSession, IndexedStore>()
  const titles = new Map<string, Promise<string>>()
  const titleOf = (session: IndexedSession, { sessions }: IndexedStore): Promise<string> => {
    const known = titles.get(session.key) ?? sessionTitle(sessions.storage, session, context.io.interrupted)
    titles.set(session.key, known)
    return known
  }
  const picker = new HitPicker(
    context.options.all ? "all" : "project",
    async (request) => {
      const answers: HitAnswer[] = []
      for (const store of stores) {
        const query = await queryOf(store, request)
        if ("notice" in query) return { request, hits: [], isMore: false, notice: query.notice }
        const result = await store.index.search(query)
        for (const { session } of result.sessions) owners.set(session, store)
        answers.push(await foundBy(request, result, (session) => titleOf(session, store)))
      }
      return together(request, answers)
    },
    look,
  )
  const stop = new AbortController()
  const signal = AbortSignal.any([context.io.interrupted, stop.signal])
  const indexes = stores.map(({ index }) => index)
  const updating = keepIndexing(context, indexes, signal, (progress) => picker.indexed(progress)).catch((error) =>
    picker.failed(error),
  )
  try {
    const picked = await startPicker(picker, terminal, look, context.io.interrupted)
    if (!picked) return EXIT.interrupted
    const store = owners.get(picked.session)
    if (context.options.json || !store) {
      await context.printJson(hitDocument(store?.program, picked.session, picked.hit))
      return EXIT.ok
    }
    stop.abort()
    await updating
    const { key: path, id, cwd, name } = picked.session
    if (picked.action === "read") {
      const { readFrom } = await import("./read-from.js")
      return await readFrom(store.context, picked.hit.part?.key ?? path, picked.hit.entryId)
    }
    const leaf = picked.action === "resume" || picked.hit.part ? {} : { leaf: picked.hit.entryId }
    return await resumeOne(context, { store, path, id, cwd, name }, { ...how, ...leaf })
  } finally {
    stop.abort()
    await updating
  }
}

/** A filter that is still being typed is no error, and neither is a sign that a word may follow. */
async function queryOf(
  { context, sessions }: IndexedStore,
  { query, scope, limit }: HitRequest,
): Promise<SearchQuery | { readonly notice: string }> {
  const { cwd, projectOf } = sessions
  const meant = { ...sessions, scope: scope === "all" ? {} : { cwd, project: projectOf(cwd) } }
  try {
    const asked = await searchQuery(context, meant, query, {})
    return hasOnlySigns(asked.terms) ? { notice: nothingToSearch(query) } : { ...asked, limit, snippet: SNIPPET }
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    return { notice: error.message }
  }
}

async function foundBy(
  request: HitRequest,
  { sessions, isMore }: SearchResult,
  titleOf: (session: IndexedSession) => Promise<string>,
): Promise<HitAnswer> {
  const groups = await Promise.all(
    sessions.map(async ({ session, hits }) => {
      const title = await titleOf(session)
      return hits.map((hit) => ({ session, title, hit }))
    }),
  )
  return { request, hits: groups.flat(), isMore }
}

/** The newest hits of several stores. The index groups by session; a list to choose from has the newest first. */
function together(request: HitRequest, answers: readonly HitAnswer[]): HitAnswer {
  const all = answers.flatMap(({ hits }) => hits).sort((a, b) => b.hit.time - a.hit.time)
  const isMore = answers.some((answer) => answer.isMore) || all.length > request.limit
  return { request, hits: all.slice(0, request.limit), isMore }
}
