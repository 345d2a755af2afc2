import { isEntry, type SessionEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/json-object.js"

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

  /** Adds the files of an entry: from the tool calls of an answer, or from a summary unless an extension wrote it. */
  addEntry(entry: SessionEntry): void {
    if (isEntry(entry, "message")) this.#addCalls(entry.message)
    else if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary")) {
      if (!isByExtension(entry)) this.addLists(entry.details)
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

  #addCalls(message: unknown): void {
    if (!isJsonObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return
    for (const block of message.content) {
      if (!isJsonObject(block) || block.type !== "toolCall" || !isJsonObject(block.arguments)) continue
      const path = pathIn(block.arguments.path) ?? pathIn(block.arguments.file_path)
      if (path === undefined) continue
      if (block.name === "read") this.#read.add(path)
      else if (block.name === "write" || block.name === "edit") this.#modified.add(path)
    }
  }
}

/** Merges lists: a file that any of them lists as modified is not listed as read. */
export function joinFileLists(...lists: readonly FileLists[]): FileLists {
  const files = new FileOperations()
  for (const one of lists) files.addLists(one)
  return files.lists()
}

/** Whether an extension wrote a summary. Its `details` then have a format of the extension's own. */
function isByExtension({ fromHook, fromExtension }: { fromHook?: unknown; fromExtension?: unknown }): boolean {
  return Boolean(fromHook) || Boolean(fromExtension)
}

function pathIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

function addTexts(set: Set<string>, list: unknown): void {
  if (Array.isArray(list)) for (const text of list) if (typeof text === "string") set.add(text)
}
