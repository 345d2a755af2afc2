import type { SessionInfo } from "@treelog/session-core"
import { compareRecency, listSessions } from "@treelog/session-core/adapter"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { byFolder, groupLines } from "../../render/session-groups.js"
import { sessionColumns } from "../../render/session-table.js"
import { StoredIds } from "../../render/short-ids.js"
import { tableLines } from "../../render/table.js"
import { chosenStore } from "../../sessions/chosen-store.js"
import { openNamedStore } from "../../sessions/open-named-store.js"
import type { MeantStore } from "../../sessions/program-stores.js"
import { projectsOf, scopeOf } from "../../sessions/scope.js"
import { isWithin, type Times } from "../../sessions/time-options.js"

type StoredInfo = SessionInfo & { readonly store: string }

/** Lists the sessions of all programs together, newest first. */
export async function listStores(
  context: CommandContext,
  stores: readonly MeantStore[],
  { times, limit, isGrouped }: { times: Times; limit: number | undefined; isGrouped: boolean },
): Promise<ExitCode> {
  const { io, options, style } = context
  const ids = new StoredIds()
  const found: StoredInfo[] = []
  let shortId = (id: string): string => id
  for (const { program = "", context: own } of stores) {
    const store = await openNamedStore(own, chosenStore(own).name)
    const { cwd, project } = scopeOf(own, projectsOf(store))
    await ids.seeAll(store.storage)
    const short = await ids.short(store.storage)
    shortId = (id) => short.of(id)
    for await (const info of listSessions(store.storage, cwd, { project, signal: io.interrupted }))
      if (isWithin(times, info.modified)) found.push({ ...info, store: program })
  }
  const sorted = found.sort((a, b) => compareRecency(a, b) || (a.path < b.path ? -1 : 1)).slice(0, limit)
  const groups = isGrouped ? byFolder(sorted) : undefined
  const shown = groups?.flat() ?? sorted
  if (options.json) for (const info of shown) await context.printJson(info)
  else if (shown.length === 0) await context.log("There is no session; --all searches every folder.")
  else {
    const look = { style, now: io.now(), shortId, withCwd: options.all === true && !groups, home: io.env.HOME }
    const [id, ...others] = sessionColumns(look)
    const agent = { title: "AGENT", cell: (info: SessionInfo) => (info as StoredInfo).store }
    const isMixed = shown.some(({ store }) => store !== shown[0]?.store)
    const columns = [...(id ? [id] : []), ...(isMixed ? [agent] : []), ...others]
    await context.print(groups ? groupLines(groups, columns, look) : tableLines(columns, shown, style))
  }
  return EXIT.ok
}
