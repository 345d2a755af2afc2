import type { PromptScope } from "@treelog/session-core/prompt-history"
import { isInPromptScope } from "@treelog/session-core/prompt-history"
import type { Connection } from "../database/connection.js"
import { cwdToken } from "../indexing/cwd-token.js"
import { gramsToFind } from "../indexing/grams.js"

/** Sequences that are looked up for one query. More would narrow the rows no further, and take longer. */
const MOST_GRAMS = 48
/** Folders that are looked up for a scope. Where it has more, every row found is asked for its folder. */
const MOST_FOLDERS = 200

/**
 * What to look up in `treelog_gram`: every row that holds the terms in the scope has these tokens, and few others do.
 * Undefined where nothing can have them, `""` where everything has.
 */
export function matchExpression(
  connection: Connection,
  terms: readonly string[],
  scope: PromptScope,
): string | undefined {
  const folders = folderTokens(connection, scope)
  if (folders?.length === 0) return undefined
  const most = Math.max(2, Math.floor(MOST_GRAMS / terms.length))
  const grams = new Set(terms.slice(0, MOST_GRAMS / 2).flatMap((term) => gramsToFind(term, most)))
  const conditions = [...grams].map((gram) => (isWhole(gram) ? quote(gram) : `${quote(gram)}*`))
  if (folders !== undefined && folders.length <= MOST_FOLDERS) conditions.push(`(${folders.map(quote).join(" OR ")})`)
  return conditions.join(" AND ")
}

/** The folders of the scope that prompts were given in; undefined where all are meant. */
function folderTokens(connection: Connection, scope: PromptScope): string[] | undefined {
  if (scope.kind !== "cwd" && scope.kind !== "repository") return undefined
  const folders = connection.sql("SELECT id, cwd FROM treelog_cwd").all<{ id: number; cwd: string }>()
  return folders.filter(({ cwd }) => isInPromptScope(scope, { cwd })).map(({ id }) => cwdToken(id))
}

/** Of three characters, and not the beginning of such a sequence. */
function isWhole(gram: string): boolean {
  return gram.length > 2 && [...gram].length > 2
}

/** In quotes, nothing is syntax. */
function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`
}
