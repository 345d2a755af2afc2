import type { SqliteSessionIndex } from "@treelog/index-sqlite"
import { noSessionAt } from "@treelog/session-core/adapter"
import type { Snippet } from "@treelog/session-core/search"
import { knownErrorMessage } from "../../errors/command-message.js"
import { UsageError } from "../../errors/usage-error.js"
import { moveToTrash } from "../../housekeeping/move-to-trash.js"
import type { CommandContext } from "../../io/command-context.js"
import { keepIndexing } from "../../search/keep-indexing.js"
import { openIndex } from "../../search/open-index.js"
import { sessionsSaying } from "../../search/sessions-saying.js"
import { withSession } from "../../sessions/open-to-read-or-write.js"
import { requireWritable } from "../../sessions/read-only.js"
import { cwdIn } from "../../sessions/scope.js"
import { pickerDisplay, quietContext, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { type SessionActions, SessionPicker } from "../../tui/sessions/session-picker.js"
import type { ResumeOptions } from "./resume-options.js"
import { type ResumeStore, type StoredSession, sessionsOf } from "./stored-session.js"

const ALTERNATIVES = "name a session, or use `--last` or `--query TEXT` instead"

/** Lets the user find a session. @returns undefined when the user left */
export async function pickSession(
  context: CommandContext,
  stores: readonly ResumeStore[],
  { query = "", sort, named = false }: ResumeOptions,
): Promise<StoredSession | undefined> {
  const terminal = requireTerminal(context, "treelog resume", ALTERNATIVES)
  const look = pickerDisplay(context)
  const owners = new Map<string, ResumeStore>()
  const picker = new SessionPicker({
    cwd: cwdIn(context),
    view: { scope: context.options.all ? "all" : "project", sort, named, paths: false },
    query,
    look,
    work: sessionActions(context, stores, owners),
  })
  try {
    const picked = await startPicker(picker, terminal, look, context.io.interrupted)
    const store = picked && owners.get(picked.path)
    return store && { ...picked, store }
  } finally {
    await picker.stop()
    // Whoever leaves while a name is written does not cut that off.
    await context.released()
  }
}

/**
 * What the picker of sessions has done, on the stores that are meant.
 * @param owners gets the store of each session that was listed, by its path
 */
export function sessionActions(
  context: CommandContext,
  stores: readonly ResumeStore[],
  owners: Map<string, ResumeStore>,
): SessionActions {
  const ownerOf = (path: string): ResumeStore => {
    const owner = owners.get(path)
    if (!owner) throw noSessionAt(path)
    return owner
  }
  let opened: (ResumeStore & { readonly index: SqliteSessionIndex })[] | undefined
  const indexed = () => {
    opened ??= stores.map((store) => ({ ...store, index: openIndex(quietContext(context), store.sessions) }))
    return opened
  }
  return {
    list: async function* (scope, signal) {
      for (const store of stores)
        for await (const info of sessionsOf(store, scope === "all" ? {} : { cwd: store.sessions.cwd }, signal)) {
          owners.set(info.path, store)
          yield info
        }
    },
    said: async ({ terms, scope, limit }) => {
      const all = new Map<string, Map<string, Snippet>>(terms.map((term) => [term, new Map()]))
      let isMore = false
      for (const store of indexed()) {
        const filter = scope === "all" ? {} : { cwd: store.sessions.cwd }
        const found = await sessionsSaying(store.index, filter, terms, limit)
        isMore ||= found.isMore
        for (const [term, sessions] of found.said)
          for (const [key, snippet] of sessions) all.get(term)?.set(key, snippet)
      }
      return { said: all, isMore }
    },
    index: (report, signal) => {
      const indexes = indexed().map(({ index }) => index)
      return keepIndexing(quietContext(context), indexes, AbortSignal.any([context.io.interrupted, signal]), report)
    },
    rename: async (path, asked) => {
      const { sessions, context: own } = ownerOf(path)
      requireWritable(sessions)
      const renaming = withSession(quietContext(own), path, (session) => {
        session.appendSessionInfo(asked)
        return session.getSessionName()
      })
      const name = await context.hold(renaming)
      return { name, size: (await sessions.storage.stat(path))?.size ?? 0 }
    },
    moveToTrash: async ({ path, size }) => {
      const { sessions, context: own } = ownerOf(path)
      requireWritable(sessions)
      if (!sessions.files)
        throw new UsageError("A database has no trash; `treelog delete --permanent` deletes for good.")
      await context.hold(moveToTrash(quietContext(own), sessions.files.storage.trash, path, { size }))
      return "Moved to the trash; `treelog trash restore` restores it."
    },
    faultOf: knownErrorMessage,
  }
}
