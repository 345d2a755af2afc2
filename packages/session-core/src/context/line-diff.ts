/** One line of a diff. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap"
  readonly text: string
}

/** Texts with more lines are not compared: all old lines count as removed, all new lines as added. */
const MAX_COMPARED = 800

/** Unchanged lines to keep around each change. */
const CONTEXT = 3

/** Compares two texts line by line and returns the shortest diff, without unchanged lines far from any change. */
export function lineDiff(before: string, after: string): DiffLine[] {
  // A line end at the end of both texts does not start another line.
  const areWhole = isWholeLines(before) && isWholeLines(after)
  return withoutFarLines(compared(linesIn(before, areWhole), linesIn(after, areWhole)))
}

function isWholeLines(text: string): boolean {
  return text === "" || text.endsWith("\n")
}

function linesIn(text: string, areWhole: boolean): string[] {
  return text === "" ? [] : (areWhole ? text.slice(0, -1) : text).split("\n")
}

/**
 * Parses a stored diff: lines that start with `+`, `-`, a space or `@@`, optionally with line numbers as pi writes them
 * (`+12 text`), and the format of `apply_patch`, where files start with `*** `.
 */
export function parseDiff(diff: string): DiffLine[] {
  return diff.split("\n").flatMap((line, index, lines): DiffLine[] => {
    // A single such line is a change of a text that starts with `-- `, such as a comment in SQL.
    const isHead = isHeadAt(lines, index) || isHeadAt(lines, index - 1)
    if (isHead || /^(?:diff|index) /.test(line)) return []
    if (/^(?:@@|\*\*\* )/.test(line)) return all("gap", [line])
    if (/^ +\.\.\.$/.test(line)) return all("gap", [""])
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same"
    return all(kind, [/^[+\- ]/.test(line) ? line.slice(1) : line])
  })
}

/** Whether the two lines that name the files start at this index. */
function isHeadAt(lines: readonly string[], index: number): boolean {
  return lines[index]?.startsWith("--- ") === true && lines[index + 1]?.startsWith("+++ ") === true
}

/** Whether a text is a diff: it has changes, and most of its lines are lines of a diff. */
export function looksLikeDiff(text: string): boolean {
  const lines = text.split("\n").filter((line) => line !== "")
  const marked = lines.filter((line) => /^(?:[+\- ]|@@|\*\*\* |diff |index )/.test(line)).length
  return lines.some((line) => /^[+-]/.test(line)) && marked >= lines.length * 0.9
}

function compared(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const end = before.length - tail
  const middle = changes(before.slice(head, end), after.slice(head, after.length - tail))
  return [...all("same", before.slice(0, head)), ...middle, ...all("same", before.slice(end))]
}

function all(kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }))
}

/** Computes the changes by the longest common subsequence. */
function changes(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length > MAX_COMPARED || after.length > MAX_COMPARED)
    return [...all("removed", before), ...all("added", after)]
  const width = after.length + 1
  const common = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number): number => common[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    const [old = "", now = ""] = [before[row], after[column]]
    const kind = old === now ? "same" : at(row + 1, column) >= at(row, column + 1) ? "removed" : "added"
    lines.push({ kind, text: kind === "added" ? now : old })
    if (kind !== "added") row++
    if (kind !== "removed") column++
  }
  return [...lines, ...all("removed", before.slice(row)), ...all("added", after.slice(column))]
}

function withoutFarLines(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length)
  lines.forEach(({ kind }, index) => {
    if (kind !== "same") near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  })
  return lines.flatMap((line, index): DiffLine[] => {
    if (near[index]) return [line]
    return index > 0 && !near[index - 1] ? [] : [{ kind: "gap", text: "" }]
  })
}
