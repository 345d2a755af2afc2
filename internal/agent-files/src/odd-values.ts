import type { SqliteDatabase } from "@treelog-internal/sqlite"

/** A whole number from 0 to below `limit`. */
export type Random = (limit: number) => number

/** Random numbers that a seed repeats (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed | 0
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** JSON that no agent writes in the place of a value. The last is deeper than what can be written as JSON again. */
const ODD_JSON = [
  ...["null", "5", "-1.5", "1e308", "1e999", "9007199254740993", "true", '""', '"text"', '"\\u0000"', "[]", "{}"],
  ...["[null,[1]]", '["text"]', '{"toString":1}', '{"valueOf":null,"\\u0074oString":"x"}', '{"text":{"toString":[]}}'],
  ...['{"__proto__":{"type":1},"length":-1}', '{"then":1,"toJSON":5,"constructor":null}', '"1970-13-45T99:99:99Z"'],
  "[".repeat(9000) + "]".repeat(9000),
]

/** Values of columns, as SQL has them. */
const ODD_SQL = ["NULL", "5", "-2.5", "9e999", "-9e999", "9223372036854775807", "x'ff00'", "x''", "''", "'text'", "'{'"]

const MARK = "\u0001odd\u0001"

/** The text of a JSON document in which one value, any that it has, is an odd one. @returns what was put where, too */
export function withOddValue(json: string, random: Random): { readonly json: string; readonly what: string } {
  const document = { root: JSON.parse(json) as unknown }
  const places: { readonly parent: object; readonly name: string; readonly path: string }[] = []
  const left: [object, string][] = [[document, "$"]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [parent, at] = next
    for (const [name, value] of Object.entries(parent)) {
      const path = `${at}.${name}`
      places.push({ parent, name, path })
      if (typeof value === "object" && value !== null) left.push([value, path])
    }
  }
  const place = places[random(places.length)]
  const odd = ODD_JSON[random(ODD_JSON.length)] ?? "null"
  if (place) Object.defineProperty(place.parent, place.name, { value: MARK, enumerable: true })
  const changed = JSON.stringify(document.root).replace(JSON.stringify(MARK), () => odd)
  return { json: changed, what: `${odd.slice(0, 60)} at ${place?.path}` }
}

/** Lines of which one has an odd value. */
export function withOddLine(
  lines: readonly string[],
  random: Random,
): { readonly json: string; readonly what: string } {
  const at = random(lines.length)
  const odd = withOddValue(lines[at] ?? "null", random)
  const json = lines.map((line, number) => `${number === at ? odd.json : line}\n`).join("")
  return { json, what: `${odd.what} in line ${at + 1}` }
}

/**
 * Puts an odd value into one row of a database, whose columns take any from now on.
 * @param except what no value of the row has
 * @returns what was put where
 */
export function putOddValue(db: SqliteDatabase, except: string, random: Random): string {
  // What counts automatic ids belongs to SQLite.
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite_%'")
    .all<{ name: string }>()
  const rowsOf = (name: string) =>
    db
      .prepare(`SELECT rowid AS number, * FROM "${name}"`)
      .all<Record<string, unknown>>()
      .filter((row) => !Object.values(row).some((value) => String(value).includes(except)))
  const filled = tables.filter(({ name }) => rowsOf(name).length > 0)
  const { name: table = "" } = filled[random(filled.length)] ?? {}
  const columns = db
    .prepare(`PRAGMA table_info("${table}")`)
    .all<{ name: string }>()
    .map(({ name }) => `"${name}"`)
  db.exec(`ALTER TABLE "${table}" RENAME TO typed; CREATE TABLE "${table}" (${columns});
    INSERT INTO "${table}" SELECT * FROM typed; DROP TABLE typed`)
  const rows = rowsOf(table)
  const row = rows[random(rows.length)] ?? {}
  const column = columns[random(columns.length)] ?? ""
  const old = row[column.slice(1, -1)]
  const isJson = typeof old === "string" && /^[[{]/.test(old) && random(4) > 0
  const { json, what } = isJson ? withOddValue(old, random) : { json: "", what: ODD_SQL[random(ODD_SQL.length)] ?? "" }
  db.prepare(`UPDATE "${table}" SET ${column} = ${isJson ? "?" : what} WHERE rowid = ?`).run(
    ...(isJson ? [json] : []),
    Number(row.number),
  )
  return `${what} in ${column} of ${table}`
}
