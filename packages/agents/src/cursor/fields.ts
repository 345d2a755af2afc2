import type { ContentBlock } from "@treelog/session-core"
import { countIn, isObject, type Json, objectIn, objectsIn, parsedObject, textIn } from "../kit.js"

/** The call in a bubble, which older versions named by a number. What has neither is a leaving of one. */
export function callIn({ toolFormerData }: Json, id: string): Json | undefined {
  if (!isObject(toolFormerData)) return undefined
  const name = textIn(toolFormerData, "name") ?? toolFormerData.tool ?? undefined
  const toolCallId = textIn(toolFormerData, "toolCallId") ?? id
  return name === undefined ? undefined : { ...toolFormerData, name, toolCallId }
}

/** As the model gave them, else as Cursor read them. */
export function argumentsOf({ rawArgs, params }: Json): Json {
  const [raw, read] = [rawArgs, params].map((one) => (isObject(one) ? one : parsedObject(String(one ?? ""))))
  return raw ?? read ?? {}
}

export function thinkingBlocks(value: unknown): ContentBlock[] {
  const { text, signature } = isObject(value) ? value : { text: value }
  if (typeof text !== "string" || text === "") return []
  const signed = typeof signature === "string" && signature !== "" && { thinkingSignature: signature }
  return [{ type: "thinking", thinking: text, ...signed }]
}

export function workspaceOf({ workspaceIdentifier, trackedGitRepos }: Json): string | undefined {
  const pathIn = (name: string): string | undefined => {
    const uri = isObject(workspaceIdentifier) ? (objectIn(workspaceIdentifier, name) ?? {}) : {}
    const path = textIn(uri, "path")
    // Of a folder on a host, `fsPath` is spelled as on this machine.
    const isRemote = path !== undefined && uri.scheme !== undefined && uri.scheme !== "file"
    return isRemote ? path : (textIn(uri, "fsPath") ?? path)
  }
  const [repository = {}] = objectsIn(trackedGitRepos)
  // Of several folders, the one that their workspace file is in.
  const file = pathIn("configPath")
  return pathIn("uri") ?? file?.replace(/[\\/][^\\/]*$/, "") ?? textIn(repository, "repoPath")
}

/** The folder of a window that has one alone. */
export function folderIn(uris: unknown): string | undefined {
  const [uri, ...others] = Array.isArray(uris) ? uris : []
  if (typeof uri !== "string" || others.length > 0 || !uri.startsWith("file:///")) return undefined
  try {
    return decodeURIComponent(uri.slice("file://".length)).replace(/^\/(?=[A-Za-z]:)/, "")
  } catch (error) {
    // An address that is none names no folder.
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** What the user typed: older bubbles have it with its formats alone, as nodes of an editor. */
export function typedIn({ text, richText }: Json): string | undefined {
  if (typeof text === "string" && text !== "") return text
  const editor = typeof richText === "string" ? parsedObject(richText) : undefined
  const nodes = objectsIn(editor && [editor.root])
  let typed = ""
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.type === "linebreak" || (node.type === "paragraph" && typed !== "")) typed += "\n"
    typed += textIn(node, "text") ?? ""
    for (const child of objectsIn(node.children).reverse()) nodes.push(child)
  }
  return typed.trim() === "" ? undefined : typed
}

/** The pictures of a prompt, which are in files. */
export function imagesIn({ context, images }: Json): ContentBlock[] {
  const listed = [isObject(context) ? context.selectedImages : undefined, images].flatMap(objectsIn)
  const paths = new Set(listed.flatMap((image) => textIn(image, "path") ?? []))
  return [...paths].map((path) => ({ type: "file", title: path.replace(/^.*[\\/]/, ""), url: path }))
}

/** When a bubble was made. Before September 2025 replies have only times of their request, some of which count from when a window was opened. */
export function bubbleTime({ createdAt, timingInfo }: Json): number | undefined {
  const timing = isObject(timingInfo) ? timingInfo : {}
  const times = REQUEST_TIMES.map((name) => countIn(timing, name))
  return timeOf(createdAt) ?? times.find((time) => time > 1e12)
}

const REQUEST_TIMES = ["clientRpcSendTime", "clientStartTime", "clientSettleTime", "clientEndTime"]

/** Milliseconds since 1970, or a time in ISO 8601. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value
  return typeof time === "number" && Number.isFinite(time) ? time : undefined
}

/** What Cursor shows where a request failed. */
export function errorIn({ errorDetails }: Json): string | undefined {
  if (!isObject(errorDetails)) return undefined
  const { error } = errorDetails
  const stored = isObject(error) ? error : (parsedObject(String(error ?? "")) ?? {})
  const shown = objectIn(stored, "details") ?? {}
  const said = [shown.title, shown.detail].filter((text) => typeof text === "string" && text !== "").join(": ")
  return said || textIn(errorDetails, "message") || textIn(stored, "error") || textIn(errorDetails, "error")
}
