import { isObject, type Json, parsedObject } from "@treelog-internal/agent-files"
import { textsIn } from "./item-content.js"

// What Codex writes in the role of the user is a prompt, or text of its own: the whole of a part between two marks, in whichever case.

const TAGS = [
  ..."user_instructions environment_context extension_context recommended_plugins goal_context".split(" "),
  ..."skill user_shell_command turn_aborted subagent_notification".split(" "),
]

/** The marks of such parts. */
const FRAGMENTS: readonly (readonly [start: string, end: string])[] = [
  ...TAGS.map((tag) => [`<${tag}>`, `</${tag}>`] as const),
  ["# agents.md instructions", "</instructions>"],
  ["<external_context", "</external_context>"],
  ["<hook_prompt", "</hook_prompt>"],
  ["warning: apply_patch was requested via ", "use the apply_patch tool instead of exec_command."],
  ["warning: the maximum number of unified exec processes you can keep open is", ""],
  ["warning: your account was flagged for potentially high-risk cyber activity", ""],
]

/** Parts whose mark has a name in it. */
const NAMED = [
  /^<external_([^>]*)>[\s\S]*<\/external_\1>$/,
  /^<codex_internal_context source="[a-z][a-z0-9_]*">[\s\S]*<\/codex_internal_context>$/,
]

/** How texts of the role `developer` begin that are written anew when what they say changes. */
const DEVELOPER = [
  "permissions instructions",
  ..."model_switch collaboration_mode multi_agent_mode realtime_conversation skills_instructions".split(" "),
  ..."personality_spec token_budget token_budget_reminder context_window context_window_guidance".split(" "),
  "rollout_budget",
].map((tag) => `<${tag}>`)

/** How summaries of compactions begin. */
const SUMMARY = "Another language model started to solve this problem and produced a summary"
const BRIDGE = "You were originally given instructions from a user over one or more turns."

export function isSummary(text: string): boolean {
  return text.startsWith(SUMMARY) || text.startsWith(BRIDGE)
}

/** Whether a message of the role `user` is what a person said, and not the program's own text or the summary of a compaction. */
export function isPrompt(item: Json): boolean {
  const kinds = contentKinds(item)
  if (kinds.some((kind) => kind.startsWith("user."))) return true
  if (kinds.length > 0 && kinds.every((kind) => kind !== "unknown")) return false
  const texts = textParts(item)
  return !isSummary(texts[0]?.trimStart() ?? "") && !texts.some(isFragment)
}

/**
 * Whether a message is what a person typed: of those that begin a turn, all but the ones with which the program reports what it did for a
 * person, such as a review.
 */
export function isTyped(item: Json): boolean {
  return isPrompt(item) && !/^\s*<user_action>[\s\S]*<\/user_action>\s*$/.test(textParts(item).join(""))
}

/** Whether a message says what the program wants the model to know before a turn: a rollback takes it back with the turn that follows it. */
export function isTurnContext({ role, content }: Json): boolean {
  if (role === "user") return textParts({ content }).some(isFragment)
  if (role !== "developer") return false
  return textParts({ content }).some((text) => DEVELOPER.some((start) => startsWith(text.trimStart(), start)))
}

/** Whether a message of the role `assistant` is what another agent asked: an object with its author and its recipient. */
export function isAgentRequest(item: Json): boolean {
  const [text = "", ...more] = textParts(item)
  const said = more.length === 0 ? parsedObject(text) : undefined
  return said !== undefined && ["author", "recipient", "content"].every((name) => typeof said[name] === "string")
}

function isFragment(part: string): boolean {
  const text = part.trim()
  return (
    FRAGMENTS.some(([start, end]) => startsWith(text, start) && endsWith(text, end)) ||
    NAMED.some((named) => named.test(text))
  )
}

function endsWith(text: string, end: string): boolean {
  return text.slice(text.length - end.length).toLowerCase() === end
}

function startsWith(text: string, start: string): boolean {
  return text.slice(0, start.length).toLowerCase() === start
}

/** Newer versions name the origin of each part of a message. */
function contentKinds(item: Json): string[] {
  const passed = item.internal_chat_message_metadata_passthrough
  const kinds = isObject(passed) ? passed.content_item_kinds : undefined
  return Array.isArray(kinds) ? kinds.filter((kind) => typeof kind === "string") : []
}

/** What the model got as the prompt: without pictures, and without the marks around them. */
export function promptText(item: Json): string {
  return textParts(item)
    .filter((text) => !/^(?:<image(?: [^>]*)?>|<\/image>)$/.test(text.trim()))
    .join("")
}

/** What editors put their own context in front of. */
const REQUEST = "## My request for Codex:"

/** What was typed: without what an editor put before it. */
export function typedText(item: Json): string {
  const text = promptText(item)
  const at = text.indexOf(REQUEST)
  return at < 0 ? text : text.slice(at + REQUEST.length).trim()
}

function textParts({ content }: Json): string[] {
  return typeof content === "string" ? [content] : textsIn(content)
}
