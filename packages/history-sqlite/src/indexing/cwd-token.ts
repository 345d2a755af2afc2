import type { Connection } from "../database/connection.js"

/** A control character: folding removes these, so that no gram starts with one. */
const HEAD = "\u0080"

/** The token for the folder of a row, which is indexed with its grams. */
export function cwdToken(id: number): string {
  return HEAD + id
}

/** The number of a folder; adds the folder if it is new. */
export function cwdId(connection: Connection, cwd: string): number {
  const find = connection.sql("SELECT id FROM treelog_cwd WHERE cwd = ?")
  const found = find.get<{ id: number }>(cwd)
  if (found !== undefined) return found.id
  connection.sql("INSERT INTO treelog_cwd(cwd) VALUES (?)").run(cwd)
  return cwdId(connection, cwd)
}
