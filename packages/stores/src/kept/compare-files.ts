import { parsedJson } from "@treelog/session-core/json"
import { type FileStat, type FsPort, isStat, type OpenFile, openPlain, readWhole, statMany } from "@treelog-internal/fs"

/** How far the time of a copy may be from that of its original: a time that is set is a double of seconds. Nanoseconds. */
const TIME_STEP = 1_000n
/** What is compared at a time. Bytes. */
const BLOCK = 256 * 1024
/** What is compared by its texts. Bytes. */
const LARGEST = 64 * 1024 * 1024

/** Whether a copy is of the present state of a file, by sizes and times. */
export function isCurrentCopy(
  stat: Pick<FileStat, "size" | "mtimeNs">,
  copy: Pick<FileStat, "size" | "mtimeNs">,
): boolean {
  const apart = stat.mtimeNs - copy.mtimeNs
  return stat.size === copy.size && apart <= TIME_STEP && apart >= -TIME_STEP
}

/** Whether a file has all that its copy has: the same bytes, and more behind them, or all of its texts. The bytes of a database do not say it. */
export async function hasAllOf(fs: FsPort, path: string, copy: string): Promise<boolean> {
  if (await beginsWith(fs, path, copy)) return true
  return !(await isDatabase(fs, copy)) && !(await losesTextOf(fs, copy, path))
}

const MAGIC = "SQLite format 3\0"

export async function isDatabase(fs: FsPort, path: string): Promise<boolean> {
  const { file } = await openPlain(fs, path)
  try {
    const head = Buffer.alloc(MAGIC.length)
    return (await readWhole(file, head, 0)) === MAGIC.length && head.toString("latin1") === MAGIC
  } finally {
    await file.close()
  }
}

/** Whether a file begins with all bytes of another one. */
export async function beginsWith(fs: FsPort, path: string, beginning: string): Promise<boolean> {
  const start = await openPlain(fs, beginning)
  try {
    const whole = await openPlain(fs, path)
    try {
      return whole.stat.size >= start.stat.size && (await hasSameBytes(whole.file, start.file))
    } finally {
      await whole.file.close()
    }
  } finally {
    await start.file.close()
  }
}

/** Whether a file has all bytes of another one where that has them. */
async function hasSameBytes(file: OpenFile, other: OpenFile): Promise<boolean> {
  const [a, b] = [Buffer.allocUnsafe(BLOCK), Buffer.allocUnsafe(BLOCK)]
  for (let at = 0; ; at += BLOCK) {
    const length = await readWhole(other, b, at)
    const found = await readWhole(file, a.subarray(0, length), at)
    if (found < length || a.compare(b, 0, length, 0, length) !== 0) return false
    if (length < BLOCK) return true
  }
}

/** Whether a file that was rewritten lacks a text that it had. A large one counts as one that does. @param now its path */
export async function losesTextOf(fs: FsPort, before: string, now: string): Promise<boolean> {
  const stats = await statMany(fs, [before, now])
  if (stats.some((stat) => !isStat(stat) || stat.size > LARGEST)) return true
  return losesText(await bytesOf(fs, before), await bytesOf(fs, now))
}

/** All bytes of a file. */
export async function bytesOf(fs: FsPort, path: string): Promise<Buffer> {
  const { file, stat } = await openPlain(fs, path)
  try {
    const bytes = Buffer.alloc(Number(stat.size))
    return bytes.subarray(0, await readWhole(file, bytes, 0))
  } finally {
    await file.close()
  }
}

/**
 * Whether a file that was rewritten lacks a text that it had. Times are none, and neither is the beginning of one that was still written. JSON is
 * compared value by value, wherever a value is now, and as often as it was there; what is no JSON, line by line.
 */
export function losesText(before: Uint8Array, after: Uint8Array): boolean {
  const left = textsIn(Buffer.from(after).toString())
  const missing: string[] = []
  for (const [text, count] of textsIn(Buffer.from(before).toString()))
    if ((left.get(text) ?? 0) < count) missing.push(text)
  if (missing.length === 0) return false
  const ordered = [...left.keys()].sort()
  return !missing.every((text) => !left.has(text) && startsOne(ordered, text))
}

/** Whether one of some sorted texts begins with another one. */
function startsOne(ordered: readonly string[], text: string): boolean {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ordered[middle] as string) < text) from = middle + 1
    else to = middle
  }
  return ordered[from]?.startsWith(text) === true
}

const TIME = /^\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?$/

/** How often each text is in a JSON document, or in the lines of a log. */
function textsIn(content: string): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (text: string): void => {
    if (text !== "" && !TIME.test(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const document = parsedJson(content)
  const values = document === undefined ? content.split("\n").map((line) => parsedJson(line) ?? line) : [document]
  while (values.length > 0) {
    const value = values.pop()
    if (typeof value === "string") add(value)
    else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) values.push(one)
  }
  return counts
}
