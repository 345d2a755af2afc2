import type { SessionInfo } from "@treelog/session-core"
import type { CommandContext } from "../../io/command-context.js"
import { byFolder, groupLines } from "../../render/session-groups.js"
import { sessionColumns } from "../../render/session-table.js"
import { projectGroups } from "../../sessions/scope.js"
import { ListedPrices } from "../../stats/prices.js"

/** The same command with sessions of every folder. */
export function ofEveryFolder(context: CommandContext): CommandContext {
  return context.with({ ...context.options, all: true })
}

/** Sessions by project, as pages. */
export async function* foldersOf(
  context: CommandContext,
  pages: AsyncIterable<readonly SessionInfo[]>,
): AsyncGenerator<readonly SessionInfo[]> {
  yield* (await groupsOf(context, pages)).values()
}

async function groupsOf(
  context: CommandContext,
  pages: AsyncIterable<readonly SessionInfo[]>,
): Promise<Map<string, SessionInfo[]>> {
  const all: SessionInfo[] = []
  for await (const page of pages) all.push(...page)
  return byFolder(all, projectGroups(context))
}

/**
 * Prints sessions under the folders that they belong to.
 * @param shortIds knows all of them once they were listed
 * @returns whether there is any
 */
export async function printGroups(
  context: CommandContext,
  pages: AsyncIterable<readonly SessionInfo[]>,
  shortIds: () => Promise<(id: string) => string>,
): Promise<boolean> {
  const { io, style } = context
  const groups = await groupsOf(context, pages)
  if (groups.size === 0) return false
  const prices = new ListedPrices(io)
  for (const group of groups.values()) await prices.prepare(group)
  const look = { style, now: io.now(), home: io.env.HOME, price: prices.price }
  const columns = sessionColumns({ ...look, shortId: await shortIds(), withCwd: false })
  await context.print(groupLines(groups, columns, look))
  return true
}
