import { isTreelogError, TreelogError } from "@treelog/session-core"
import { promptTerms } from "@treelog/session-core/prompt-history"
import { cleanLine, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { filterOfScope } from "../../search/scope-filter.js"
import type { SaidTerms } from "../../search/sessions-saying.js"
import { inStoreOf } from "../../sessions/in-store-of.js"
import { existingKey } from "../../sessions/open-to-read-or-write.js"
import { logStores, meantStores } from "../../sessions/program-stores.js"
import { ofScope, type Scope } from "../../sessions/scope.js"
import { isInteractive } from "../../tui/frame/start-picker.js"
import { holdsEvery, ORDERS, type SessionRow, sessionRow } from "../../tui/sessions/session-row.js"
import type { ResumeOptions } from "./resume-options.js"
import { type ResumeStore, resumeStores, type StoredSession, sessionsOf } from "./stored-session.js"

/**
 * Goes on with the session that is named, or else with one that a picker or the options find. In a terminal its agent is run; otherwise
 * its path or id is printed.
 */
export async function resume(
  context: CommandContext,
  session: string | undefined,
  options: ResumeOptions,
): Promise<ExitCode> {
  const { last, query, named } = options
  if (session !== undefined && (last || query !== undefined || named))
    throw new UsageError("A session cannot be combined with --last, --query or --named.")
  if (options.leaf !== undefined && session === undefined)
    throw new UsageError("--leaf names an entry of a session: name that, too.")
  if (options.leaf !== undefined && options.print !== undefined)
    throw new UsageError(
      "--print writes nothing, and --leaf continues in a copy: `treelog fork SESSION --leaf ENTRY` makes one and prints its path.",
    )
  if (session !== undefined) {
    const { context: own, ref } = await inStoreOf(context, session)
    const [store] = await resumeStores([{ program: undefined, context: own }])
    return resumed(context, [await sessionByRef(store as ResumeStore, ref)], options)
  }
  const meant = await meantStores(context)
  await logStores(context, meant)
  const stores = await resumeStores(meant)
  if (last || (query !== undefined && !isInteractive(context))) {
    const found = await findSessions(context, stores, options)
    return resumed(context, last ? found.slice(0, 1) : found, options)
  }
  await requireSessions(stores)
  const { pickSession } = await import("./pick-session.js")
  const picked = await pickSession(context, stores, options)
  return picked ? resumed(context, [picked], options) : EXIT.interrupted
}

/** Goes on with a session that was chosen elsewhere. */
export function resumeOne(
  context: CommandContext,
  session: StoredSession,
  how: Pick<ResumeOptions, "print" | "with" | "leaf">,
): Promise<ExitCode> {
  return resumed(context, [session], how)
}

/** Runs the agent of the one session that was found, or prints what was. */
async function resumed(
  context: CommandContext,
  found: readonly StoredSession[],
  { print, with: agent, leaf }: Pick<ResumeOptions, "print" | "with" | "leaf">,
): Promise<ExitCode> {
  const [only, ...others] = found
  const isRun = agent !== undefined || (print === undefined && context.io.stdout.isTTY && isInteractive(context))
  const isPrinted =
    agent === undefined && (print !== undefined || (leaf === undefined && (!isRun || context.options.json)))
  if (!only || others.length > 0 || isPrinted) {
    await printResumed(context, found, print ?? "path")
    return EXIT.ok
  }
  const { goOn, prepare } = await import("./go-on.js")
  const ready = await prepare(context, only, { with: agent, leaf })
  if (isRun && !context.options.json) {
    const code = await goOn(context, ready)
    if (code !== undefined) return code
    await context.log("This session does not belong to an agent: --with pi continues a copy of it in pi.")
  }
  await printResumed(context, [ready.session], print ?? "path")
  return EXIT.ok
}

/** Where there is nothing to choose from, nothing is drawn. @throws SessionNotFoundError */
async function requireSessions(stores: readonly ResumeStore[]): Promise<void> {
  for (const { sessions } of stores) for await (const _ of sessions.storage.list()) return
  const where = stores.map(({ sessions: { files, address } }) => files?.name.sessionDir ?? address).join(", ")
  const message = `There are no sessions in ${where}. \`treelog new\` creates one.`
  throw new TreelogError("SessionNotFoundError", message, { ref: "" })
}

/**
 * What the picker would show when it has searched everything, in its order. Sessions that cannot be read are left out, and counted on
 * stderr.
 * @throws SessionNotFoundError where that is nothing
 */
export async function findSessions(
  context: CommandContext,
  stores: readonly ResumeStore[],
  { query = "", sort, named = false, last = false }: ResumeOptions,
): Promise<StoredSession[]> {
  const terms = promptTerms(query)
  const progress = new Progress(context)
  const found: { readonly row: SessionRow; readonly store: ResumeStore }[] = []
  let [looked, broken] = [0, 0]
  for (const store of stores) {
    const { said, failed } = await saidIn(store, terms)
    for await (const info of sessionsOf(store, store.sessions.scope, context.io.interrupted)) {
      looked += 1
      await progress.show(`Scanned ${plural(looked, "session")}`)
      if (info.error) broken += 1
      if (info.error || (named && info.name === undefined)) continue
      const row = sessionRow(info, false)
      const failure = failed.get(info.path)
      if (holdsEvery(row, terms, said)) found.push({ row, store })
      else if (failure)
        context.warn({ code: failure.code, data: { path: info.path } }, `${info.path}: ${failure.message}`)
    }
  }
  await progress.clear()
  if (broken > 0) await context.log(`${plural(broken, "session")} cannot be read; \`treelog list\` shows why.`)
  if (found.length > 0)
    return found
      .sort((a, b) => (last && notPersonal(a.row) - notPersonal(b.row)) || ORDERS[sort](a.row, b.row))
      .map(({ row, store }) => ({ ...row.info, store }))
  throw notFound(query, named, stores[0]?.sessions.scope ?? {})
}

interface SaidInStore {
  readonly said: SaidTerms
  /** Why the index lacks sessions, by their paths. */
  readonly failed: ReadonlyMap<string, { readonly code: string; readonly message: string }>
}

/** What the index of a store has of the terms of a query, if there are any. Without SQLite that is nothing, which is said. */
async function saidIn({ context, sessions }: ResumeStore, terms: readonly string[]): Promise<SaidInStore> {
  if (terms.length === 0) return { said: new Map(), failed: new Map() }
  const { openIndex } = await import("../../search/open-index.js")
  const { refreshIndex } = await import("../../search/refresh-index.js")
  const { sessionsSaying } = await import("../../search/sessions-saying.js")
  const index = openIndex(context, sessions)
  try {
    const { failed } = await refreshIndex(context, index)
    const { said } = await sessionsSaying(index, filterOfScope(sessions.scope), terms, Number.MAX_SAFE_INTEGER)
    return { said, failed: new Map(failed.map(({ key, ...error }) => [key, error])) }
  } catch (error) {
    if (!isTreelogError(error, "IndexUnavailableError")) throw error
    context.warn(error, `Names, first messages and ids are searched, not what was said: ${error.message}`)
    return { said: new Map(), failed: new Map() }
  }
}

function notFound(query: string, named: boolean, scope: Scope): TreelogError {
  const what = named ? "session with a name" : "session"
  const where = ofScope(scope)
  const holding = query === "" ? "" : ` holds ${JSON.stringify(query)}`
  const message = holding === "" ? `There is no ${what}${where}.` : `No ${what}${where}${holding}.`
  return new TreelogError("SessionNotFoundError", message, { ref: query })
}

/** The session that a reference means. @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError */
async function sessionByRef(store: ResumeStore, ref: string): Promise<StoredSession> {
  const path = await existingKey(store.sessions, ref)
  const session = await store.sessions.manager.open(path, { access: "read" })
  try {
    return { store, path, id: session.getSessionId(), cwd: session.getCwd(), name: session.getSessionName() }
  } finally {
    await session.close()
  }
}

/** Prints sessions, one a line. */
async function printResumed(
  context: CommandContext,
  sessions: readonly StoredSession[],
  print: "path" | "id",
): Promise<void> {
  if (context.options.json) {
    for (const { path, id, cwd, name } of sessions)
      await context.printJson({ path, id, cwd, ...(name !== undefined && { name }) })
  } else await context.print(sessions.map((session) => cleanLine(session[print])))
}

/** 1 for a session that no person had, which `--last` takes only where there is no other. */
function notPersonal({ info }: SessionRow): number {
  return Number(info.kind !== undefined)
}
