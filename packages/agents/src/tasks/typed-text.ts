// What stands in the texts of prompts: these programs put what a person typed in tags, and their surroundings beside it.

import { filesOfCall } from "@treelog/session-core/search"

const WORKSPACES = ["# Current Workspace Directory (", "# Current Working Directory ("]
/** Tags around what the user typed. */
const TYPED = ["task", "user_message", "feedback", "user_input"]
/** How a message of versions begins whose calls were texts: with the result of one, or what the program says itself. */
const OWN = /^\[(?:ERROR\]|TASK RESUMPTION\]|\w+(?: for [\s\S]*?)?\] Result:)/

/** The folder that a prompt names; undefined where it names none. */
export function workspaceIn(text: string): string | undefined {
  return WORKSPACES.map((before) => between(text, before, ") Files")).find((cwd) => cwd !== undefined)
}

/** The model that a prompt names; undefined where it names none. */
export function modelIn(text: string): string | undefined {
  return between(text, "<model>", "</model>")
}

/** Whether the program itself says this, to the model. */
export function isOwnText(text: string): boolean {
  return OWN.test(text)
}

/**
 * The files that a call read or changed, as the texts of its result say it, in versions whose calls were texts; undefined where it failed, was
 * denied, or where that is unknown.
 */
export function filesOfResult(texts: readonly string[]): { readFiles: string[]; modifiedFiles: string[] } | undefined {
  const [head = "", tool, path] = RESULT.exec(texts[0] ?? "") ?? []
  const result = texts.join("\n").slice(head.length).trimStart()
  const files = FAILED.test(result) ? undefined : filesOfCall(tool, { path })
  if (!files) return undefined
  const others = tool === "read_file" ? [...result.matchAll(READ_FILE)].map(([, name = ""]) => name) : []
  return { readFiles: [...new Set([...files.read, ...others])], modifiedFiles: [...files.changed] }
}

const RESULT = /^\[(\w+) for '([^'\n]+)'[^\n]*?\] Result:/
const FAILED = /^(?:The user denied this operation|The tool execution failed|Error|<error>)/
/** Of the results of Roo Code that have several files. */
const READ_FILE = /<file><path>([^<\n]+)<\/path>(?!<error>)/g

/** What the user typed: the content of the first tag that is closed; undefined without one. @param isAnswer to a question of the program */
export function typedIn(text: string, isAnswer: boolean): string | undefined {
  const found = [...TYPED, ...(isAnswer ? ["answer"] : [])].flatMap((tag) => {
    const opening = new RegExp(`<${tag}(?: [^<>]*)?>`).exec(text)
    const from = opening ? opening.index + opening[0].length : text.length
    const to = text.lastIndexOf(`</${tag}>`)
    return to < from ? [] : [{ from, typed: text.slice(from, to) }]
  })
  return found.sort((a, b) => a.from - b.from)[0]?.typed.trim()
}

/** What stands between two texts in a line, the first time; undefined where nothing does. */
function between(text: string, before: string, after: string): string | undefined {
  for (const line of text.split("\n")) {
    const at = line.indexOf(before)
    const [from, to] = [at + before.length, at < 0 ? -1 : line.indexOf(after, at + before.length + 1)]
    if (to > 0) return line.slice(from, to)
  }
  return undefined
}
