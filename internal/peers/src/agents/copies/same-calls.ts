import type { Block } from "../frame/compare-blocks.js"
import type { Json } from "../model/blocks.js"

// Calls of several agents that do the same, by what the agents' own descriptions of their tools say. What says nothing of what is done, such as a
// description or a time, is left out: the receipt names a call without it.

/** What a tool does: the names of the agents for it, with the arguments that say what is done, in one order for all. */
const TOOLS: readonly (readonly string[])[] = [
  ["Bash command", "bash command", "exec_command cmd", "run_shell_command command"],
  ["Read file_path", "read_file file_path", "read filePath", "read path", "view path", "view_image path"],
  ["Glob pattern", "glob pattern", "find pattern"],
  ["Grep pattern", "grep pattern", "grep_search pattern"],
]

/** Tools that write a file, and that change one: its path, the old text, and the new one. */
const CHANGES: readonly (readonly string[])[] = [
  [
    "Write file_path content",
    "write_file file_path content",
    "write filePath content",
    "write path content",
    "create path file_text",
  ],
  [
    "Edit file_path old_string new_string",
    "edit file_path old_string new_string",
    "replace file_path old_string new_string",
    "edit filePath oldString newString",
    "edit path old_str new_str",
  ],
]

/** The change of a file in one form: the name of the file, and what is not the same before and after it. Patches name whole lines, and the path from the folder. */
function sameChange(name: string, args: Json): Json | undefined {
  const [, action, file, body = ""] =
    /^\*\*\* Begin Patch\n\*\*\* (Add|Update) File: (.+)\n([\s\S]*)\n\*\*\* End Patch\s*$/.exec(String(args.input)) ??
    []
  if (file !== undefined && name === "apply_patch") {
    const of = (marks: string): string =>
      body
        .split("\n")
        .flatMap((line) => (marks.includes(line.charAt(0)) ? [`${line.slice(1)}\n`] : []))
        .join("")
    return action === "Add"
      ? { file: lastOf(file), is: of("+") }
      : { file: lastOf(file), ...difference(of("- "), of("+ ")) }
  }
  for (const each of CHANGES.flat()) {
    const [called, path = "", ...own] = each.split(" ")
    const [old, next = old] = own.map((one) => args[one])
    if (called !== name || typeof args[path] !== "string" || typeof old !== "string") continue
    return own.length === 1
      ? { file: lastOf(args[path]), is: old }
      : { file: lastOf(args[path]), ...difference(old, String(next)) }
  }
  return undefined
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

function difference(old: string, next: string): Json {
  let same = 0
  while (same < old.length && old[same] === next[same]) same++
  let end = 0
  while (end < Math.min(old.length, next.length) - same && old.at(-1 - end) === next.at(-1 - end)) end++
  return { from: old.slice(same, old.length - end), to: next.slice(same, next.length - end) }
}

/** A call in one form for all agents. @param agent whose names it has */
export function sameCall(agent: string, name: string, { patchText, ...others }: Json): Json {
  const args: Json = patchText === undefined ? others : { ...others, input: patchText }
  const change = sameChange(name, args)
  if (change) return change
  for (const [tool, names] of TOOLS.entries())
    for (const each of names) {
      const [called, ...own] = each.split(" ")
      if (called === name && own.every((one) => typeof args[one] === "string"))
        return { tool, does: own.map((one) => args[one]), lines: linesOf(agent, args) }
    }
  // A name that the other agent has for something else has that of the agent before it.
  return {
    name: name.replace(/^(?:claude_code|codex|gemini|qwen|opencode|copilot|pi|treelog)__/, "").replace(/[^\w-]/g, "_"),
    args,
  }
}

/** Which lines of a file are read: the first one, counted from 1, and the last one. */
function linesOf(agent: string, { offset, limit, start_line, end_line, view_range }: Json): unknown[] {
  if (Array.isArray(view_range)) return [view_range[0], view_range[1] === -1 ? undefined : view_range[1]]
  if (start_line !== undefined || end_line !== undefined) return [start_line ?? 1, end_line]
  const first = typeof offset === "number" ? offset + (agent === "qwen" ? 1 : 0) : 1
  return [first, typeof limit === "number" ? first + limit - 1 : undefined]
}

/** Blocks of which calls of the same kind are equal, whichever agent's names they have, and ids are the places of the calls. */
export function inOneForm(agent: string, blocks: readonly Block[]): Block[] {
  const ids = new Map<unknown, number>()
  return blocks.map((block): Block => {
    if (block.call !== undefined) {
      ids.set(block.call, ids.size)
      const { name, args, ...others } = block
      return { ...others, call: ids.get(block.call), ...sameCall(agent, String(name), args as Json) }
    }
    return block.result === undefined ? block : { ...block, result: ids.get(block.result) }
  })
}
