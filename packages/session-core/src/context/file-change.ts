import { filePathIn } from "../entry/file-tools.js"
import { isJsonObject, type JsonObject } from "../entry/values.js"

/** The change that a tool call makes to a file, for display. */
export type FileChange = FileEdit | FileWrite

/** An edit of a file, as a diff. */
export interface FileEdit {
  readonly kind: "edit"
  readonly path: string | undefined
  readonly diff: readonly DiffLine[]
  /** The arguments that the diff does not contain. */
  readonly otherArguments: JsonObject
}

/** A write of a whole file. */
export interface FileWrite {
  readonly kind: "write"
  readonly path: string
  readonly content: string
  /** The arguments other than the content. */
  readonly otherArguments: JsonObject
}

/**
 * Reads the arguments of a tool call as a change of a file, by their fields and not by the name of the tool: an old and a new
 * text, several of them in `edits`, a patch, or a path with content. Undefined for anything else. Arguments may be nested to any
 * depth.
 * @param details the `details` of the tool result; a diff in it is preferred, since it has line numbers
 */
export function fileChangeOf(toolArguments: unknown, details?: unknown): FileChange | undefined {
  const args = isJsonObject(toolArguments) ? toolArguments : {}
  const path = filePathIn(args)
  const stored = storedDiff(details)
  if (stored) return { kind: "edit", path, diff: stored, otherArguments: args }
  const edit = Array.isArray(args.edits) ? severalEdits(args.edits) : oneEdit(args)
  if (edit) return { kind: "edit", path, diff: edit.diff, otherArguments: without(args, edit.shown) }
  const name = CONTENT_NAMES.find((one) => typeof args[one] === "string")
  if (path === undefined || name === undefined) return undefined
  return { kind: "write", path, content: args[name] as string, otherArguments: without(args, [name]) }
}

/** What follows the last separator of a path. */
export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
}

/** The language of a file for a Markdown code fence: the extension of its name, if it has one. */
export function languageOfPath(path: string): string | undefined {
  const name = fileNameOf(path).toLowerCase()
  if (name === "dockerfile" || name === "makefile") return name
  return /\.([a-z0-9+#_-]{1,20})$/.exec(name)?.[1]
}

/** As pi, xcsh, omp, opencode and Anthropic's text editor name them. */
const CONTENT_NAMES = ["content", "file_text"] as const
const TEXT_NAMES = [
  ["oldText", "newText"],
  ["old_string", "new_string"],
  ["old_text", "new_text"],
  ["old_str", "new_str"],
  ["oldString", "newString"],
] as const
const PATCH_NAMES = ["diff", "patch", "patchText", "input"] as const

const GAP: DiffLine = { kind: "gap", text: "" }

interface ShownEdit {
  readonly diff: readonly DiffLine[]
  /** The names of the arguments that the diff contains. */
  readonly shown: readonly string[]
}

/** The diff of all edits, or undefined when one of them cannot be read: a part would look like the whole change. */
function severalEdits(edits: readonly unknown[]): ShownEdit | undefined {
  const diffs = edits.map((edit) => (isJsonObject(edit) ? oneEdit(edit)?.diff : undefined))
  if (diffs.length === 0 || diffs.includes(undefined)) return undefined
  return { diff: diffs.flatMap((diff = [], index) => (index > 0 ? [GAP, ...diff] : diff)), shown: ["edits"] }
}

function oneEdit(edit: JsonObject): ShownEdit | undefined {
  for (const names of TEXT_NAMES) {
    const [before, after] = [edit[names[0]], edit[names[1]]]
    if (typeof before === "string" && typeof after === "string") return { diff: lineDiff(before, after), shown: names }
  }
  for (const name of PATCH_NAMES) {
    const patch = edit[name]
    if (typeof patch !== "string" || patch === "") continue
    // omp stores the whole text of a new file there.
    if (edit.op === "create") return { diff: lineDiff("", patch), shown: [name] }
    if (looksLikeDiff(patch)) return { diff: parseDiff(patch), shown: [name] }
  }
  return undefined
}

/** As the edit tools of pi and omp store it beside their results. */
function storedDiff(details: unknown): readonly DiffLine[] | undefined {
  const diff = isJsonObject(details) ? details.diff : undefined
  return typeof diff === "string" && looksLikeDiff(diff) ? parseDiff(diff) : undefined
}

function without(args: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))
}

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
