import type { SessionIndex, UsageQuery, UsageRow } from "../ports/session-index.js"
import { UsageRows } from "./memory-session-index.js"

/** Names a project for people: see `ProjectOf`. */
export type ProjectTitle = (cwd: string, repositoryOf?: () => string | undefined) => string

/**
 * The sums of an index, where those by or per project are of the projects of sessions as a list names them, and not of their folders. Of a folder
 * that is gone, what its sessions noted of the repository counts, so that they are asked for one by one.
 * @throws what `SessionIndex.usage` throws
 */
export async function usageOfProjects(
  index: Pick<SessionIndex, "usage">,
  query: UsageQuery,
  titleOf: ProjectTitle | undefined,
): Promise<UsageRow[]> {
  const isBy = query.by === "project"
  if (!titleOf || (!isBy && query.per !== "project")) return index.usage(query)
  const rows = new UsageRows(query)
  const asked: UsageQuery = isBy ? { ...query, by: "session" } : { ...query, per: "session" }
  for (const { key, session, usages } of await index.usage(asked)) {
    const project = titleOf(session?.cwd ?? "", () => session?.repository)
    rows.addTo(isBy ? { key: project } : { key, project }, usages)
  }
  return rows.sorted()
}
