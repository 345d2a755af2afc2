import { rm } from "node:fs/promises"
import { loadDriver } from "@treelog/index-sqlite"
import type { IndexUpdateReport } from "@treelog/session-core/search"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { indexPath } from "../../search/index-path.js"
import { openIndex } from "../../search/open-index.js"
import { refreshIndex } from "../../search/refresh-index.js"
import { commandSessions, type Sessions } from "../../sessions/command-sessions.js"
import { nothingExamined } from "../../sessions/every-store.js"
import { printFailure } from "../../sessions/stored-keys.js"

/** Reads what is new in the sessions of a store. */
export async function updateIndex(context: CommandContext): Promise<ExitCode> {
  return updated(context, await commandSessions(context))
}

/** Rebuilds the index. A program that has the old one open keeps it until it ends. */
export async function rebuildIndex(context: CommandContext): Promise<ExitCode> {
  const sessions = await commandSessions(context)
  const path = indexPath(context.io, sessions)
  // Nothing is deleted where SQLite is missing. And Node cannot find a linked package once it has looked at a pipe.
  await loadDriver()
  for (const file of [`${path}-wal`, `${path}-shm`, path]) await rm(file, { force: true, recursive: true })
  return updated(context, sessions)
}

async function updated(context: CommandContext, sessions: Sessions): Promise<ExitCode> {
  const report = await refreshIndex(context, openIndex(context, sessions, true))
  const { done, read, removed, bytes, failed } = report
  if (context.options.json) {
    const unreadable = failed.map(({ key: path, code, message }) => ({ path, error: { code, message } }))
    await context.printJson({ path: indexPath(context.io, sessions), sessions: done, read, removed, bytes, unreadable })
  } else {
    for (const { key: path, code, message } of failed) await printFailure(context, { path, error: { code, message } })
    if (done + removed + failed.length === 0) return nothingExamined(context, [{ program: undefined, sessions }], true)
    await context.log(updateSentence(report))
  }
  return failed.length === 0 ? EXIT.ok : EXIT.failed
}

function updateSentence({ done, read, removed, bytes, failed }: IndexUpdateReport): string {
  const parts = [
    `Indexed ${plural(done, "session")}`,
    read > 0 ? `read ${sizeText(bytes)} of ${numberText(read)} that were new or had changed` : "nothing was new",
    ...(removed > 0 ? [`removed ${numberText(removed)} that are gone`] : []),
    ...(failed.length > 0 ? [`${numberText(failed.length)} cannot be read`] : []),
  ]
  return `${parts.join("; ")}.`
}
