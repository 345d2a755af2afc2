import { isJsonObject, type JsonObject } from "../entry/json-object.js"
import { type DiffLine, lineDiff, looksLikeDiff, parseDiff } from "./line-diff.js"

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

/** The path of the file that the arguments of a tool call name, in the field names of any known program. */
export function filePathIn(toolArguments: JsonObject): string | undefined {
  const paths = ["path", "file_path", "filePath"].map((name) => toolArguments[name])
  return paths.find((path) => typeof path === "string" && path !== "") as string | undefined
}

/** The language of a file for a Markdown code fence: the extension of its name, if it has one. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase()
  if (name === "dockerfile" || name === "makefile") return name
  return /\.([a-z0-9+#_-]{1,20})$/.exec(name)?.[1]
}

/** As pi, xcsh, omp and Anthropic's text editor name them. */
const CONTENT_NAMES = ["content", "file_text"] as const
const TEXT_NAMES = [
  ["oldText", "newText"],
  ["old_string", "new_string"],
  ["old_text", "new_text"],
  ["old_str", "new_str"],
] as const
const PATCH_NAMES = ["diff", "patch", "input"] as const

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
