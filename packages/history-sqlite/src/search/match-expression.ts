import type { PromptScope } from "@treelog/session-core/prompt-history"
import { isInPromptScope } from "@treelog/session-core/prompt-history"
import { gramConditions, quoteToken } from "@treelog-internal/sqlite"
import type { Connection } from "../database/connection.js"
import { cwdToken } from "../indexing/cwd-token.js"

/** The most folders to look up for a scope. With more, the folder of each found row is checked instead. */
const MOST_FOLDERS = 200

/**
 * The FTS5 expression for `treelog_gram`: every row with the terms in the scope matches, and few others do. Undefined if no row can
 * match, `""` if every row does.
 */
export function matchExpression(
  connection: Connection,
  terms: readonly string[],
  scope: PromptScope,
): string | undefined {
  const folders = folderTokens(connection, scope)
  if (folders?.length === 0) return undefined
  const conditions = gramConditions(terms)
  if (folders !== undefined && folders.length <= MOST_FOLDERS)
    conditions.push(`(${folders.map(quoteToken).join(" OR ")})`)
  return conditions.join(" AND ")
}

/** The tokens of the folders in the scope; undefined for all folders. */
function folderTokens(connection: Connection, scope: PromptScope): string[] | undefined {
  if (scope.kind !== "cwd" && scope.kind !== "repository") return undefined
  const folders = connection.sql("SELECT id, cwd FROM treelog_cwd").all<{ id: number; cwd: string }>()
  return folders.filter(({ cwd }) => isInPromptScope(scope, { cwd })).map(({ id }) => cwdToken(id))
}
