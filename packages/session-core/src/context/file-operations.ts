import { isEntry, type SessionEntry } from "../entry/entry.js"
import { type CalledFiles, filesOfCall } from "../entry/file-tools.js"
import type { ToolCall } from "../entry/message.js"
import { isJsonObject, valueText } from "../entry/values.js"
import { toolCalls } from "./message-part.js"

/** The files that part of a conversation read and modified, each list sorted (FORMAT.md, section 9). */
export interface FileLists {
  /** Files that were read but not modified. */
  readonly readFiles: string[]
  readonly modifiedFiles: string[]
}

/** Collects files that were read and modified, from tool calls and from the lists of earlier summaries. */
export class FileOperations {
  /** The files of a call that has no result so far by its id, all others by themselves. */
  readonly #files = new Map<unknown, CalledFiles>()
  readonly #unknown = new Set<string>()

  /**
   * Adds the files of an entry: from the tool calls of an answer, the lists of a result, as of a shell command whose changes are known, of a custom
   * message, or of a summary unless an extension wrote it.
   */
  addEntry(entry: SessionEntry): void {
    if (isEntry(entry, "message")) {
      for (const call of toolCalls(entry.message)) this.#addCall(call)
      if (isJsonObject(entry.message) && entry.message.role === "toolResult") this.addLists(entry.message.details)
    } else if (isEntry(entry, "custom_message")) this.addLists(entry.details)
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
    return this.#files.delete(toolCallId) && isError === true
  }

  /** Whether a call that names files has no result so far. */
  get isWaiting(): boolean {
    return [...this.#files].some(([id, files]) => id !== files)
  }

  /** Adds lists of files as summaries store them; ignores any other value. */
  addLists(details: unknown): void {
    if (!isJsonObject(details)) return
    const files = { read: textsIn(details.readFiles), changed: textsIn(details.modifiedFiles) }
    if (files.read.length + files.changed.length > 0) this.#files.set(files, files)
  }

  lists(): FileLists {
    const all = [...this.#files.values()]
    const read = new Set(all.flatMap((files) => files.read))
    const modified = new Set(all.flatMap(({ changed }) => changed))
    return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
  }

  /** The tools of calls of which it is unknown what they did to files, sorted. */
  get unknownTools(): string[] {
    return [...this.#unknown].sort()
  }

  #addCall({ id, name, arguments: args }: ToolCall): void {
    const files = filesOfCall(name, args)
    if (!files) this.#unknown.add(valueText(name))
    else if (files.read.length + files.changed.length > 0) {
      // Some models use the same ids again.
      this.#settle(id)
      this.#files.set(id, files)
    }
  }

  #settle(id: unknown): void {
    const files = this.#files.get(id)
    if (files && this.#files.delete(id)) this.#files.set(files, files)
  }
}

/** Merges lists: a file that any of them lists as modified is not listed as read. */
export function joinFileLists(...lists: readonly FileLists[]): FileLists {
  const files = new FileOperations()
  for (const one of lists) files.addLists(one)
  return files.lists()
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === "string") : []
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
