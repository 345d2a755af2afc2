import type { JsonObject } from "../entry/values.js"
import { filePathIn } from "./file-change.js"

/** The files that a call of a tool reads and changes. */
export interface CalledFiles {
  readonly read?: readonly string[]
  readonly changed?: readonly string[]
}

/** What each tool of a known agent does to files, by its name: pi, Claude Code, Codex. Of other tools it is not known. */
const TOOLS: Readonly<Record<string, (args: JsonObject) => CalledFiles>> = {
  read: readFile,
  Read: readFile,
  NotebookRead: readFile,
  write: changeFile,
  edit: changeFile,
  Write: changeFile,
  Edit: changeFile,
  MultiEdit: changeFile,
  NotebookEdit: changeFile,
  str_replace_editor: editorFiles,
  str_replace_based_edit_tool: editorFiles,
  apply_patch: ({ input, patch }) => ({ changed: patchedFiles(input ?? patch) }),
}

/** The files that a call reads and changes, as far as the tool is known. */
export function filesOfCall(tool: string, args: JsonObject): CalledFiles {
  return Object.hasOwn(TOOLS, tool) ? (TOOLS[tool]?.(args) ?? {}) : {}
}

function readFile(args: JsonObject): CalledFiles {
  return { read: named(args) }
}

function changeFile(args: JsonObject): CalledFiles {
  return { changed: named(args) }
}

function named(args: JsonObject): string[] {
  const path = filePathIn(args) ?? args.notebook_path
  return typeof path === "string" && path !== "" ? [path] : []
}

/** Anthropic's text editor has one tool for all. */
function editorFiles(args: JsonObject): CalledFiles {
  return args.command === "view" ? readFile(args) : changeFile(args)
}

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

function patchedFiles(patch: unknown): string[] {
  return typeof patch === "string" ? [...patch.matchAll(PATCHED)].map(([, path = ""]) => path.trim()) : []
}
