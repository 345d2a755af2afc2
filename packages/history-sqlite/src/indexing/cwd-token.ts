import type { Connection } from "../database/connection.js"

/** A control character: folding leaves none, so that no gram begins with it. */
const HEAD = "\u0080"

/** What the grams of a row have beside them to say its folder. */
export function cwdToken(id: number): string {
  return HEAD + id
}

/** The number of a folder, a new one where it has none. */
export function cwdId(connection: Connection, cwd: string): number {
  const find = connection.sql("SELECT id FROM treelog_cwd WHERE cwd = ?")
  const found = find.get<{ id: number }>(cwd)
  if (found !== undefined) return found.id
  connection.sql("INSERT INTO treelog_cwd(cwd) VALUES (?)").run(cwd)
  return cwdId(connection, cwd)
}
