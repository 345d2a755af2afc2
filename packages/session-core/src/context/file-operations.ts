import { isEntry, type SessionEntry } from "../entry/entry.js"
import { type CalledFiles, filesOfCall } from "../entry/file-tools.js"
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
  /** By the id of the call: files of calls without a result so far. */
  readonly #waiting = new Map<unknown, CalledFiles>()

  /** Adds the files of an entry: from the tool calls of an answer, or from a summary unless an extension wrote it. */
  addEntry(entry: SessionEntry): void {
    if (isEntry(entry, "message")) for (const call of toolCalls(entry.message)) this.#addCall(call)
    else if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary")) {
      // The details of an extension's summary have a format of their own.
      if (!entry.fromHook && !entry.fromExtension) this.addLists(entry.details)
    }
  }

  /**
   * Adds the result of a call, if the entry is one: a call that failed read and changed nothing. Without it the call counts, as for the
   * summaries of pi.
   * @returns whether files were removed
   */
  addResult(entry: SessionEntry): boolean {
    if (!isEntry(entry, "message") || !isJsonObject(entry.message) || entry.message.role !== "toolResult") return false
    const { toolCallId, isError } = entry.message
    if (isError !== true) this.#settle(toolCallId)
    return this.#waiting.delete(toolCallId) && isError === true
  }

  /** Whether a call that names files has no result so far. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Adds lists of files as summaries store them; ignores any other value. */
  addLists(details: unknown): void {
    if (!isJsonObject(details)) return
    addTexts(this.#read, details.readFiles)
    addTexts(this.#modified, details.modifiedFiles)
  }

  lists(): FileLists {
    const waiting = [...this.#waiting.values()]
    const modified = new Set([...this.#modified, ...waiting.flatMap(({ changed }) => changed)])
    const read = new Set([...this.#read, ...waiting.flatMap((files) => files.read)])
    return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
  }

  /** The tools of calls of which nobody can say what they did to files, sorted. */
  get unknownTools(): string[] {
    return [...this.#unknown].sort()
  }

  #addCall({ id, name, arguments: args }: ToolCall): void {
    const files = filesOfCall(name, args)
    if (!files) this.#unknown.add(String(name))
    else if (files.read.length + files.changed.length > 0) {
      // Some models use the same ids again.
      this.#settle(id)
      this.#waiting.set(id, files)
    }
  }

  #settle(id: unknown): void {
    addTexts(this.#read, this.#waiting.get(id)?.read)
    addTexts(this.#modified, this.#waiting.get(id)?.changed)
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
