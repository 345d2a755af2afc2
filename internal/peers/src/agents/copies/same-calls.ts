import type { Block } from "../frame/compare-blocks.js"
import type { Json } from "../model/blocks.js"

// Calls of several agents that do the same, by what the agents' own descriptions of their tools say. What says nothing of what is done, such as a
// description or a time, is left out: the receipt names a call without it.

/** What a tool does: the names of the agents for it, with the arguments that say what is done, in one order for all. */
const TOOLS: readonly (readonly string[])[] = [
  ["Bash command", "bash command", "exec_command cmd", "run_shell_command command"],
  ["Read file_path", "read_file file_path", "read filePath", "read path", "view path", "view_image path"],
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
  ["Glob pattern", "glob pattern", "find pattern"],
  ["Grep pattern", "grep pattern", "grep_search pattern"],
]

/** A call in one form for all agents. @param agent whose names it has */
export function sameCall(agent: string, name: string, args: Json): Json {
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
