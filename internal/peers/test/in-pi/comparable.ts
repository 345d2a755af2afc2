import type { Home } from "./home.js"

/**
 * The documented differences between two runs, in one place. What is compared is everything else: each line of each file, and
 * each message and answer of pi.
 *
 * 1. Ids of sessions and entries are made anew in each run; here they are numbered in the order of the files.
 * 2. Times differ, and durations in messages.
 * 3. So does the folder.
 * 4. The order of the keys in a line is not compared, nor keys that are undefined.
 * 5. `fromId` of a branch summary is the entry that was left, as in pi 1.x; pi 0.74 writes the parent once more.
 *
 * What else differs is where pi 0.74 loses something; the README of @treelog/pi lists it, and no script here goes there.
 */
export class Comparable {
  readonly #names = new Map<string, string>()
  readonly #files: Record<string, string>
  readonly #folder: RegExp

  constructor({ folder, files }: Home) {
    this.#files = files()
    // Also as pi encodes it in the names of folders.
    const path = folder.replace(/^\//, "")
    this.#folder = new RegExp(`/?(${escaped(path)}|${escaped(path.replaceAll("/", "-"))})`, "g")
    for (const [at, text] of Object.values(this.#files).entries()) {
      for (const [line, { id }] of linesOf(text).entries()) {
        if (id !== undefined && !this.#names.has(id))
          this.#names.set(id, line === 0 ? `session-${at}` : `entry-${at}.${line}`)
      }
    }
  }

  /** The lines of all files, by the names of the files. */
  files(): Record<string, unknown[]> {
    return Object.fromEntries(
      Object.entries(this.#files).map(([name, text]) => [
        this.text(name),
        linesOf(text).map((line) => this.value(line)),
      ]),
    )
  }

  /** Any value, without what differs. */
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value)
    if (typeof value === "number") return value > 1_500_000_000_000 ? "<time>" : value
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (typeof value !== "object" || value === null) return value
    const isSummary = "fromId" in value && "summary" in value
    const differs = (key: string) =>
      (isSummary && key === "fromId") || key === "durationMs" || key === "wall_time_seconds"
    const kept = Object.entries(value).filter(([key, item]) => item !== undefined && !differs(key))
    return Object.fromEntries(kept.map(([key, item]) => [this.text(key), this.value(item)]))
  }

  text(text: string): string {
    return text
      .replace(this.#folder, "<folder>")
      .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, "<time>")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => this.#names.get(id) ?? "<uuid>")
      .replace(/\b[0-9a-f]{8}\b/g, (id) => this.#names.get(id) ?? id)
  }
}

function linesOf(text: string): { id?: string }[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}
