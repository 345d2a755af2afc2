import { type SessionInfo, TreelogError } from "@treelog/session-core"
import { promptTerms } from "@treelog/session-core/prompt-history"
import { plural } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { sessionPrompts } from "../../prompts/session-prompts.js"
import type { Sessions } from "../../sessions/compose-sessions.js"
import { ofSession } from "../../sessions/stored-keys.js"
import { holdsEvery, ORDERS } from "../../tui/sessions/select-sessions.js"
import { rowPrompts, type SessionRow, sessionRow } from "../../tui/sessions/session-row.js"
import type { ResumeOptions } from "./resume-options.js"

/**
 * What the picker would show when it has read everything, in its order. What cannot be read is left out, and counted on
 * stderr.
 * @throws SessionNotFoundError where that is nothing
 */
export async function findSessions(
  context: CommandContext,
  { manager, storage, scope }: Sessions,
  { query = "", sort, named = false }: ResumeOptions,
): Promise<SessionInfo[]> {
  const { interrupted } = context.io
  const terms = promptTerms(query)
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
    if (holdsEvery(row, terms)) found.push(row)
    else {
      const read = await ofSession(context, info.path, () => sessionPrompts(storage, info.path, interrupted))
      if ("error" in read)
        context.warn({ code: read.error.code, data: { path: info.path } }, `${info.path}: ${read.error.message}`)
      else if (holdsEvery({ ...row, prompts: rowPrompts(read) }, terms)) found.push(row)
    }
  }
  await progress.clear()
  if (broken > 0) await context.log(`${plural(broken, "session")} cannot be read; \`treelog list\` shows why.`)
  if (found.length > 0) return found.sort(ORDERS[sort]).map(({ info }) => info)
  throw notFound(query, named, scope.cwd)
}

function notFound(query: string, named: boolean, cwd: string | undefined): TreelogError {
  const what = named ? "session with a name" : "session"
  const where = cwd === undefined ? "" : ` of ${cwd}`
  const holding = query === "" ? "" : ` holds ${JSON.stringify(query)}`
  const message = holding === "" ? `There is no ${what}${where}.` : `No ${what}${where}${holding}.`
  return new TreelogError("SessionNotFoundError", message, { ref: query })
}
