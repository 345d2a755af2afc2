/**
 * Whether a text of JSON says more than its value: of fields that have one name, a value keeps the last.
 * @param value parsed from the text
 */
export function saysMore(json: string, value: unknown): boolean {
  return stringsOf(json) > stringsIn(value)
}

/** How many strings a text of JSON has, names of fields included. */
function stringsOf(json: string): number {
  let quotes = 0
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at
    while (json[before - 1] === "\\") before -= 1
    if ((at - before) % 2 === 0) quotes += 1
  }
  return quotes / 2
}

/** How many strings a value has. Not recursive, since nesting may be deep. */
function stringsIn(top: unknown): number {
  const open = [top]
  let count = 0
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === "string") count += 1
    if (typeof value !== "object" || value === null) continue
    if (!Array.isArray(value)) count += Object.keys(value).length
    for (const inner of Object.values(value)) open.push(inner)
  }
  return count
}
