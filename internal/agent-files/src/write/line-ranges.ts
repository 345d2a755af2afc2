// The lines of a file that a call reads. Agents name them in four ways: the first one and how many, counted from 1 (`offset`, `limit`) or from 0
// (`skipped`, `limit`), the first and the last one (`start`, `end`), or both in a list (`range`), where -1 is the end of the file.

/** Turns the lines of a call into the first one, from 1, and how many: `offset` and `limit`. */
export function countLines(said: Map<string, unknown>): void {
  const range = said.get("range")
  const [start, end] = Array.isArray(range) ? range : [said.get("start"), said.get("end")]
  const skipped = said.get("skipped")
  for (const name of ["range", "start", "end", "skipped"]) said.delete(name)
  if (typeof skipped === "number") said.set("offset", skipped + 1)
  if (typeof start === "number") said.set("offset", start)
  if (typeof end === "number" && end >= 0) said.set("limit", end - (typeof start === "number" ? start : 1) + 1)
}

/**
 * Turns them into what another agent has.
 * @param takes what the tool of that one takes
 * @returns false where it cannot say which lines
 */
export function nameLines(said: Map<string, unknown>, takes: Readonly<Record<string, unknown>>): boolean {
  const [offset, limit] = [said.get("offset"), said.get("limit")]
  if ((offset === undefined && limit === undefined) || takes.offset !== undefined) return true
  said.delete("offset")
  said.delete("limit")
  const first = offset ?? 1
  if (typeof first !== "number" || (limit !== undefined && typeof limit !== "number")) return false
  const last = limit === undefined ? undefined : first + limit - 1
  if (takes.range !== undefined) said.set("range", [first, last ?? -1])
  else if (takes.start !== undefined) {
    if (offset !== undefined) said.set("start", first)
    if (last !== undefined) said.set("end", last)
  } else if (takes.skipped !== undefined && limit !== undefined) {
    if (offset !== undefined) said.set("skipped", first - 1)
    said.set("limit", limit)
  } else return false
  return true
}
