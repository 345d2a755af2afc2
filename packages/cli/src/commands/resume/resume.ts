import { type SessionInfo, TreelogError } from "@treelog/session-core"
import { promptTerms } from "@treelog/session-core/prompt-history"
import { cleanLine, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { sessionPrompts } from "../../prompts/session-prompts.js"
import type { SayingSessions } from "../../search/sessions-saying.js"
import { composeSessions, type Sessions } from "../../sessions/compose-sessions.js"
import { existingKey } from "../../sessions/open-session.js"
import { ofScope, type Scope } from "../../sessions/scope.js"
import { ofSession } from "../../sessions/stored-keys.js"
import { isInteractive } from "../../tui/frame/start-picker.js"
import { holdsEvery, ORDERS, rowPrompts, type SessionRow, sessionRow } from "../../tui/sessions/session-row.js"
import type { ResumeOptions } from "./resume-options.js"

/** Finds the session to go on with, by a picker or by what is asked for, and prints its path or id. */
export async function resume(context: CommandContext, options: ResumeOptions): Promise<ExitCode> {
  const { last, session, query, named } = options
  if (session !== undefined && (last || query !== undefined || named))
    throw new UsageError("--session cannot be combined with --last, --query or --named.")
  const sessions = await composeSessions(context)
  if (session !== undefined) {
    await printResumed(context, [await sessionByRef(sessions, session)], options.print)
    return EXIT.ok
  }
  if (last || (query !== undefined && !isInteractive(context))) {
    const found = await findSessions(context, sessions, options)
    await printResumed(context, last ? found.slice(0, 1) : found, options.print)
    return EXIT.ok
  }
  await requireSessions(sessions)
  const { pickSession } = await import("./pick-session.js")
  const picked = await pickSession(context, sessions, options)
  if (!picked) return EXIT.interrupted
  await printResumed(context, [picked], options.print)
  return EXIT.ok
}

/** Where there is nothing to choose from, nothing is drawn. @throws SessionNotFoundError */
async function requireSessions({ storage, files, address }: Sessions): Promise<void> {
  for await (const _ of storage.list()) return
  const where = files?.name.sessionDir ?? address
  const message = `There are no sessions in ${where}. \`treelog new\` creates one; --store pi, xcsh or omp shows those of other programs.`
  throw new TreelogError("SessionNotFoundError", message, { ref: "" })
}

/**
 * What the picker would show when it has read everything, in its order, and what the index finds in answers, calls and results. What
 * cannot be read is left out, and counted on stderr. Without SQLite, prompts are read from the sessions.
 * @throws SessionNotFoundError where that is nothing
 */
export async function findSessions(
  context: CommandContext,
  sessions: Sessions,
  { query = "", sort, named = false }: ResumeOptions,
): Promise<SessionInfo[]> {
  const { manager, storage, scope } = sessions
  const { interrupted } = context.io
  const terms = promptTerms(query)
  const said = await whoSaid(context, sessions, terms)
  const progress = new Progress(context)
  const found: SessionRow[] = []
  let [looked, broken] = [0, 0]
  const settings = { signal: interrupted }
  for await (const info of scope.cwd === undefined ? manager.listAll(settings) : manager.list(scope.cwd, settings)) {
    looked += 1
    await progress.show(`Scanned ${plural(looked, "session")}`)
    if (info.error) broken += 1
    if (info.error || (named && info.name === undefined)) continue
    const row = sessionRow(info, false, undefined)
    if (
      holdsEvery(row, terms) ||
      said?.terms.every(({ term, keys }) => row.folded.includes(term) || keys.has(info.path))
    )
      found.push(row)
    else if (said) {
      const error = said.failed.get(info.path)
      if (error) warnOf(context, info.path, error)
    } else {
      const read = await ofSession(context, info.path, () => sessionPrompts(storage, info.path, interrupted))
      if ("error" in read) warnOf(context, info.path, read.error)
      else if (holdsEvery({ ...row, prompts: rowPrompts(read) }, terms)) found.push(row)
    }
  }
  await progress.clear()
  if (broken > 0) await context.log(`${plural(broken, "session")} cannot be read; \`treelog list\` shows why.`)
  if (found.length > 0) return found.sort(ORDERS[sort]).map(({ info }) => info)
  throw notFound(query, named, scope)
}

/** What the index knows of the terms of a query, if there are any. */
async function whoSaid(
  context: CommandContext,
  sessions: Sessions,
  terms: readonly string[],
): Promise<SayingSessions | undefined> {
  if (terms.length === 0) return undefined
  const { sessionsSaying } = await import("../../search/sessions-saying.js")
  return sessionsSaying(context, sessions, terms)
}

function warnOf(context: CommandContext, path: string, { code, message }: { code: string; message: string }): void {
  context.warn({ code, data: { path } }, `${path}: ${message}`)
}

function notFound(query: string, named: boolean, scope: Scope): TreelogError {
  const what = named ? "session with a name" : "session"
  const where = ofScope(scope)
  const holding = query === "" ? "" : ` holds ${JSON.stringify(query)}`
  const message = holding === "" ? `There is no ${what}${where}.` : `No ${what}${where}${holding}.`
  return new TreelogError("SessionNotFoundError", message, { ref: query })
}

/** The session that a reference means. @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError */
export async function sessionByRef(sessions: Sessions, ref: string): Promise<Resumed> {
  const path = await existingKey(sessions, ref)
  const session = await sessions.manager.open(path, { access: "read" })
  try {
    return { path, id: session.getSessionId(), cwd: session.getCwd(), name: session.getSessionName() }
  } finally {
    await session.close()
  }
}

/** What one needs to go on with a session. */
export interface Resumed {
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string | undefined
}

/** Prints sessions, one a line. */
export async function printResumed(
  context: CommandContext,
  sessions: readonly Resumed[],
  print: "path" | "id",
): Promise<void> {
  if (context.options.json) {
    for (const { path, id, cwd, name } of sessions)
      await context.printJson({ path, id, cwd, ...(name !== undefined && { name }) })
  } else await context.print(sessions.map((session) => cleanLine(session[print])))
}
