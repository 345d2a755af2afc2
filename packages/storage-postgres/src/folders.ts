import type { ListFilter } from "@treelog/session-core/adapter"
import type { Database } from "./database.js"
import { cwdOfFolder, isText, namedFolders } from "./keys.js"

/** The distinct folders, in as many steps as there are, whatever the number of their sessions. */
const FOLDERS = `with recursive found as (
    (select folder from treelog.session where tenant = $1 and not hidden order by folder limit 1)
    union all
    select (
      select folder from treelog.session where tenant = $1 and not hidden and folder > found.folder order by folder limit 1
    ) from found where found.folder is not null
  )
  select folder from found where folder is not null`

/** The folders with sessions that match, also those that are spelled in another way or belong to the same project; undefined for all. */
export async function foldersOf(database: Database, filter: ListFilter): Promise<readonly string[] | undefined> {
  const named = namedFolders(filter)
  const { isOfFolder } = filter
  if (named === undefined || isOfFolder === undefined) return named
  const rows = await database.query({ key: "sessions", operation: "list" }, FOLDERS)
  const others = rows
    .map(({ folder }) => String(folder))
    .filter((folder) => {
      const cwd = cwdOfFolder(folder)
      return cwd !== undefined && isOfFolder(cwd)
    })
  return [...new Set([...named.filter(isText), ...others])]
}
