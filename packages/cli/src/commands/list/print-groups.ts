import type { SessionInfo } from "@treelog/session-core"
import type { CommandContext } from "../../io/command-context.js"
import { byFolder, groupLines } from "../../render/session-groups.js"
import type { ColumnsOf } from "../../render/session-table.js"
import { ListedPrices } from "../../sessions/prices.js"
import { projectGroups } from "../../store/scope.js"

/** Sessions by project, as pages. */
export async function* foldersOf<Info extends SessionInfo>(
  context: CommandContext,
  pages: AsyncIterable<readonly Info[]>,
): AsyncGenerator<readonly Info[]> {
  yield* (await groupsOf(context, pages)).values()
}

async function groupsOf<Info extends SessionInfo>(
  context: CommandContext,
  pages: AsyncIterable<readonly Info[]>,
): Promise<Map<string, Info[]>> {
  const all: Info[] = []
  for await (const page of pages) all.push(...page)
  return byFolder(all, projectGroups(context))
}

/** Prints sessions under the folders that they belong to. @returns whether there is any */
export async function printGroups<Info extends SessionInfo>(
  context: CommandContext,
  pages: AsyncIterable<readonly Info[]>,
  columns: ColumnsOf<Info>,
): Promise<boolean> {
  const { io, style } = context
  const groups = await groupsOf(context, pages)
  if (groups.size === 0) return false
  const prices = new ListedPrices(io)
  const shown = [...groups.values()].flat()
  await prices.prepare(shown)
  await context.print(groupLines(groups, columns(shown, false, prices.price), { style, home: io.env.HOME }))
  return true
}
