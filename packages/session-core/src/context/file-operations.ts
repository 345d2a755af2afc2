import { isEntry, type SessionEntry } from "../entry/entry.js"
import { filesOfCall } from "../entry/file-tools.js"
import type { ToolCall } from "../entry/message.js"
import { isJsonObject } from "../entry/values.js"
import { toolCalls } from "./message-part.js"

/** The files that part of a conversation read and modified, each list sorted (FORMAT.md, section 9). */
export interface FileLists {
  /** Files that were read but not modified. */
  readonly readFiles: string[]
  readonly modifiedFiles: string[]
}

/** Collects files that were read and modified, from tool calls and from the lists of earlier summaries. */
export class FileOperations {
  readonly #read = new Set<string>()
  readonly #modified = new Set<string>()
  readonly #unknown = new Set<string>()

  /** Adds the files of an entry: from the tool calls of an answer, or from a summary unless an extension wrote it. */
  addEntry(entry: SessionEntry): void {
    if (isEntry(entry, "message")) for (const call of toolCalls(entry.message)) this.#addCall(call)
    else if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary")) {
      // The details of an extension's summary have a format of their own.
      if (!entry.fromHook && !entry.fromExtension) this.addLists(entry.details)
    }
  }

  /** Adds lists of files as summaries store them; ignores any other value. */
  addLists(details: unknown): void {
    if (!isJsonObject(details)) return
    addTexts(this.#read, details.readFiles)
    addTexts(this.#modified, details.modifiedFiles)
  }

  lists(): FileLists {
    const readFiles = [...this.#read].filter((path) => !this.#modified.has(path)).sort()
    return { readFiles, modifiedFiles: [...this.#modified].sort() }
  }

  /** The tools of calls of which nobody can say what they did to files, sorted. */
  get unknownTools(): string[] {
    return [...this.#unknown].sort()
  }

  #addCall({ name, arguments: args }: ToolCall): void {
    const files = filesOfCall(name, args)
    if (!files) this.#unknown.add(String(name))
    addTexts(this.#read, files?.read)
    addTexts(this.#modified, files?.changed)
  }
}

/** Merges lists: a file that any of them lists as modified is not listed as read. */
export function joinFileLists(...lists: readonly FileLists[]): FileLists {
  const files = new FileOperations()
  for (const one of lists) files.addLists(one)
  return files.lists()
}

function addTexts(set: Set<string>, list: unknown): void {
  if (Array.isArray(list)) for (const text of list) if (typeof text === "string") set.add(text)
}

/** Appends lists of files to the text of a summary, for the model to read (FORMAT.md, section 9). */
export function withFileLists(summary: string, { readFiles, modifiedFiles }: FileLists): string {
  return [summary, ...tagged("read-files", readFiles), ...tagged("modified-files", modifiedFiles)].join("\n\n")
}

/** The reverse of `withFileLists`: splits a stored summary into its text and its lists of files. */
export function splitFileLists(stored: string): FileLists & { readonly summary: string } {
  const modified = takeTagged(stored, "modified-files")
  const read = takeTagged(modified.before, "read-files")
  return { summary: read.before, readFiles: read.lines, modifiedFiles: modified.lines }
}

function tagged(tag: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`<${tag}>\n${lines.join("\n")}\n</${tag}>`]
}

function takeTagged(stored: string, tag: string): { before: string; lines: string[] } {
  const text = stored.trimEnd()
  const [open, close] = [`<${tag}>\n`, `\n</${tag}>`]
  const from = text.endsWith(close) ? text.lastIndexOf(open) : -1
  if (from < 0) return { before: stored, lines: [] }
  const lines = text.slice(from + open.length, -close.length).split("\n")
  return { before: text.slice(0, from).trimEnd(), lines }
}
