import type { ContentBlock } from "@treelog/session-core"
import { callArguments, countIn, type Json, objectIn, objectsIn, textIn } from "../kit.js"

const FAILED = "<system>ERROR: Tool execution failed.</system>"

/** What a call gets whose result was never stored. */
export const INTERRUPTED = `${FAILED}\nTool execution was interrupted before its result was recorded. Do not assume the tool completed successfully.`

/** The parts of a message as blocks. Those that say nothing are not sent. */
export function blocksOf(parts: unknown): ContentBlock[] {
  if (typeof parts === "string") return blocksOf([{ type: "text", text: parts }])
  return objectsIn(parts).flatMap((part): ContentBlock[] => {
    if (part.type === "text") return isBlank(part) ? [] : [{ type: "text", text: String(part.text) }]
    if (part.type === "think") {
      const signature = textIn(part, "encrypted")
      const thinking = { type: "thinking", thinking: String(part.think ?? "") } as const
      return [signature === undefined ? thinking : { ...thinking, thinkingSignature: signature }]
    }
    const url = String(objectIn(part, "imageUrl")?.url)
    const [, mimeType, data] = /^data:(image\/[\w+.-]+);base64,(.*)$/s.exec(url) ?? []
    if (mimeType !== undefined && data !== undefined) return [{ type: "image", data, mimeType }]
    return [part as unknown as ContentBlock]
  })
}

/** The texts of a message. */
export function textOf({ content }: { readonly content?: unknown }): string {
  return objectsIn(content)
    .map((part) => textIn(part, "text") ?? "")
    .join("")
}

/** What the user typed, where more of it is sent: a skill, a command of a plugin or for a shell. */
export function typedIn(origin: Json | undefined, content: readonly ContentBlock[]): string | undefined {
  const { skillName, skillArgs, pluginId, commandName, commandArgs, skillActivations } = origin ?? {}
  if (origin?.kind === "skill_activation") return `/${skillName} ${skillArgs ?? ""}`.trim()
  if (origin?.kind === "plugin_command") return `/${pluginId}:${commandName} ${commandArgs ?? ""}`.trim()
  if (origin?.kind === "shell_command")
    return `!${unescaped(
      textOf({ content })
        .replace(/<\/?bash-input>/g, "")
        .trim(),
    )}`
  const skills = objectsIn(skillActivations).length
  return skills === 0 ? undefined : textOf({ content: content.slice(skills) })
}

const ESCAPES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ESCAPES[name] ?? "")
}

/** Whether a part has nothing for the model. */
export function isBlank(part: Json): boolean {
  if (part.type === "text") return String(part.text).trim() === ""
  return part.type === "think" && part.encrypted === undefined && String(part.think).trim() === ""
}

/** Calls, as records before 1.1 and later ones have them. */
export function callsOf(calls: unknown): ContentBlock[] {
  return objectsIn(calls).map((call) => {
    const { name, arguments: given } = objectIn(call, "function") ?? call
    return { type: "toolCall", id: String(call.id), name: String(name), arguments: callArguments(given) }
  })
}

/** Tools whose results say how long they took. */
const TIMED = new Set(["Agent", "AgentSwarm", "Bash", "FetchURL", "Glob", "Grep", "WebSearch"])

/** The content of a result, as the model gets it. @param tool that was called */
export function resultContent({ output, isError, note, durationMs }: Json, tool: string): ContentBlock[] {
  const parts = typeof output === "string" ? [text(output)] : objectsIn(output)
  const only = parts.length === 1 && parts[0]?.type === "text" ? String(parts[0].text) : undefined
  const isEmpty = only === undefined ? parts.every((part) => part.type === "text" && isBlank(part)) : only === ""
  let content = [...parts]
  if (isError === true) {
    if (isEmpty) content = [text("<system>ERROR: Tool execution failed. Tool output is empty.</system>")]
    else content = only === undefined ? [text(FAILED), ...parts] : [text(`${FAILED}\n${only}`)]
  } else if (isEmpty || only?.trim() === "" || only?.trim() === "Tool output is empty.")
    content = [text("<system>Tool output is empty.</system>")]
  const [first] = content
  if (durationMs !== undefined && (TIMED.has(tool) || tool.startsWith("mcp__"))) {
    const took = `Wall time: ${(countIn({ durationMs }, "durationMs") / 1000).toFixed(3)} seconds`
    if (first?.type === "text") content[0] = text(`${took}\n${first.text}`)
    else content.unshift(text(took))
  }
  if (typeof note === "string" && note !== "") {
    const [last] = content
    if (content.length === 1 && last?.type === "text") content = [text(`${last.text}\n${note}`)]
    else content.push(text(note))
  }
  return blocksOf(content)
}

function text(said: string): Json {
  return { type: "text", text: said }
}
