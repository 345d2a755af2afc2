import { rm } from "node:fs/promises"
import { loadDriver } from "@treelog/index-sqlite"
import { isTreelogError } from "@treelog/session-core"
import type { IndexUpdateReport } from "@treelog/session-core/search"
import { indexPath } from "@treelog/stores"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { factLines } from "../render/table.js"
import { refreshIndex } from "../search/refresh-index.js"
import { openIndex } from "../sessions/open-index.js"
import { nothingExamined, onEveryStore } from "../sessions/open-library.js"
import type { Sessions } from "../store/command-sessions.js"
import { othersText, printFailure } from "../store/stored-keys.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "show or rebuild the index that search uses",
  description:
    "Show the index that search, files and stats --by use, or work on it. It is in treelog's cache folder, and can be deleted.",
  examples: [
    ["treelog index", "where it is, and which SQLite is used"],
    ["treelog index --update", "read what is new; search does it, too"],
    ["treelog index --rebuild", "delete it, and read all sessions again"],
  ],
  options: [
    ["--update", "check the file, and read what is new in the sessions; search reads it, too"],
    ["--rebuild", "delete the index of all stores, and read the sessions again"],
  ],
  run: index,
}

/** Shows the index of every store, or works on it. @throws UsageError for more than one kind of work */
function index(
  context: CommandContext,
  { update, rebuild }: { readonly update?: boolean; readonly rebuild?: boolean },
): Promise<ExitCode> {
  if (update && rebuild) throw new UsageError("Give --update or --rebuild.")
  let isEmpty = false
  const work = async (own: CommandContext, sessions: Sessions): Promise<ExitCode> => {
    // Once: it has the sessions of all stores.
    if (rebuild && !isEmpty) await emptyIndex(own, sessions)
    isEmpty = true
    return update || rebuild ? updateIndex(own, sessions) : showIndex(own, sessions)
  }
  return onEveryStore(work, true)(context)
}

/** Says where the index is, what it has, and which SQLite is used. Reads no session. */
async function showIndex(context: CommandContext, found: Sessions): Promise<ExitCode> {
  const { path, bytes, sessions, entries, texts, driver } = await openIndex(context, [found], true).status()
  const facts = [
    ["store", found.address],
    ["index", path],
    ["size", sizeText(bytes)],
    ["sessions", sessions === 0 ? "none yet; `treelog index --update` reads them" : numberText(sessions)],
    ["entries", numberText(entries)],
    ["texts", numberText(texts)],
    ["SQLite", driver],
  ] as const
  const document = { store: found.address, path, bytes, sessions, entries, texts, sqlite: driver }
  await context.report(document, factLines(facts, context.style))
  return EXIT.ok
}

/** Other processes may have the index open: a file is deleted only where it cannot be emptied, as one that is no index, or on a full disk. */
async function emptyIndex(context: CommandContext, sessions: Sessions): Promise<void> {
  const path = indexPath(context.io.env)
  // Nothing is deleted where SQLite is missing. And Node cannot find a linked package once it has looked at a pipe.
  await loadDriver()
  const index = openIndex(context, [sessions], true)
  try {
    return await index.clear()
  } catch (error) {
    if (!isTreelogError(error, "StorageError") || error.data.errno === "SQLITE_BUSY") throw error
  } finally {
    await index.close()
  }
  for (const file of [`${path}-wal`, `${path}-shm`, path]) await rm(file, { force: true, recursive: true })
}

/** Reads what is new in the sessions of a store, once SQLite has checked the file. */
async function updateIndex(context: CommandContext, sessions: Sessions): Promise<ExitCode> {
  const index = openIndex(context, [sessions], true)
  await index.check()
  const report = await refreshIndex(context, index)
  const { done, read, removed, bytes, failed, foreign } = report
  if (context.options.json) {
    const unreadable = failed.map(({ key: path, code, message }) => ({ path, error: { code, message } }))
    await context.printJson({
      path: indexPath(context.io.env),
      sessions: done - foreign.length,
      read,
      removed,
      bytes,
      unreadable,
      foreign,
    })
  } else {
    for (const { key: path, code, message } of failed) await printFailure(context, { path, error: { code, message } })
    if (done + removed + failed.length + foreign.length === 0)
      return nothingExamined(context, [{ program: undefined, address: sessions.address }], true)
    await context.log(updateSentence(report))
  }
  return failed.length === 0 ? EXIT.ok : EXIT.failed
}

function updateSentence({ done, read, removed, bytes, failed, foreign }: IndexUpdateReport): string {
  const parts = [
    `Indexed ${plural(done - foreign.length, "session")}`,
    read > 0 ? `read ${sizeText(bytes)} of ${numberText(read)} that were new or had changed` : "nothing was new",
    ...(removed > 0 ? [`removed ${numberText(removed)} that are gone`] : []),
    ...(foreign.length > 0 ? [othersText(foreign.length)] : []),
    ...(failed.length > 0 ? [`${numberText(failed.length)} cannot be read`] : []),
  ]
  return `${parts.join("; ")}.`
}
