import type { ContentBlock, Usage } from "@treelog/session-core"
import {
  callArguments,
  countIn,
  type EntryWriter,
  type Json,
  objectIn,
  objectsIn,
  type RecordOutcome,
  textIn,
} from "../kit.js"
import { addPart, entryPlace, fileBlocks, opaqueIn, stopOf, textBlocks, thinkingBlock } from "./blocks.js"

/** Adds what a row of `session_message` says, the table of opencode 2. @param message the data of the row, with its id and its time */
export function addSecondMessage(writer: EntryWriter, type: string, message: Json, usage: Usage): RecordOutcome {
  const place = entryPlace(message)
  const text = typeof message.text === "string" ? message.text : ""
  const tell = (content: string, display: boolean, details?: Json): RecordOutcome => {
    const fields = { customType: `opencode.${type}`, content, display, ...(details && { details }) }
    writer.add("custom_message", place, fields)
    return "converted"
  }
  switch (type) {
    case "user": {
      const skills = objectsIn(message.skills).flatMap((skill) => textBlocks(skill.text))
      const files = objectsIn(message.files).flatMap(attachedBlocks)
      const prompt = skills.length + files.length > 0 && { prompt: text }
      writer.message(place, { role: "user", content: [...skills, ...textBlocks(text), ...files], ...prompt })
      return "converted"
    }
    case "assistant":
      addReply(writer, message, usage)
      return "converted"
    case "synthetic":
    case "skill":
      return tell(text, false)
    case "system":
      return tell(`<system-update>\n${escaped(text)}\n</system-update>`, false)
    case "shell": {
      // What ran in the background reaches the model in another message.
      if (objectIn(message, "metadata")?.background === true) return "kept"
      const { command, exit, status } = message
      const output = textIn(objectIn(message, "output") ?? {}, "output") ?? ""
      const ran = `The following shell command was executed by the user:\n\nCommand:\n${String(command)}\n\nOutput:\n${output}`
      return tell(ran, true, { command, exit, status })
    }
    case "location-switched": {
      const directory = String(objectIn(message, "location")?.directory)
      return tell(`The working directory has been changed to ${directory}.`, true)
    }
    case "model-switched": {
      const { provider, model } = modelOf(message)
      writer.add("model_change", place, { provider, modelId: model, model: `${provider}/${model}` })
      return "converted"
    }
    case "compaction":
      return addCompaction(writer, message, usage)
    case "idle":
      return { skipped: "says that the agent waits" }
    default:
      return type === "agent-switched" ? "kept" : undefined
  }
}

/** The model gets the summary, and in it the last messages as text. One that failed or that the provider made has no summary, but its usage. */
function addCompaction(writer: EntryWriter, message: Json, usage: Usage): RecordOutcome {
  if (message.status === "running") return { skipped: "a compaction that is going on" }
  const { id, time } = entryPlace(message)
  const tokensBefore = usage.input + usage.cacheRead + usage.cacheWrite
  const used = message.tokens !== undefined && { ...modelOf(message), usage }
  const summary = textIn(message, "summary")
  if (summary === undefined || message.status === "failed") {
    if (used) writer.add("usage", { id: `${id}:usage`, time }, { ...used, role: "compaction" })
    return "kept"
  }
  const recent = textIn(message, "recent")
  const kept = recent === undefined ? "" : `\n\n<recent-context>\n${recent}\n</recent-context>`
  writer.add("compaction", { id, time }, { summary: summary + kept, firstKeptEntryId: id, tokensBefore, ...used })
  return "converted"
}

function addReply(writer: EntryWriter, message: Json, usage: Usage): void {
  const error = objectIn(message, "error")
  const content = objectsIn(message.content)
  const calls = content.filter(({ type }) => type === "tool")
  const finish = objectIn(message, "time")?.completed === undefined ? undefined : message.finish
  writer.message(entryPlace(message), {
    role: "assistant",
    content: content.flatMap(replyBlocks),
    ...modelOf(message),
    usage,
    stopReason: error ? (error.type === "aborted" ? "aborted" : "error") : stopOf(finish, calls.length > 0),
    ...(error && { errorMessage: String(error.message ?? error.type) }),
  })
  for (const call of calls) addResult(writer, String(message.id), call)
}

/** A call that runs has no result yet; one that was interrupted has an error. */
function addResult(writer: EntryWriter, message: string, call: Json): void {
  const state = objectIn(call, "state") ?? {}
  const details = objectIn(state, "metadata") ?? objectIn(state, "structured")
  const isError = state.status === "error"
  if (!isError && state.status !== "completed") return
  const { error, content = [], structured } = state
  const toolCallId = String(call.id)
  const time = countIn(objectIn(call, "time") ?? {}, "completed")
  const place = { id: `${message}:${toolCallId}`, ...(time > 0 && { time }) }
  const blocks = objectsIn(content).flatMap((block) =>
    block.type === "text" ? textBlocks(block.text) : fileBlocks({ ...block, url: block.uri, filename: block.name }),
  )
  // A result without a text is sent as what the tool returned, an error with all that is known of it.
  const sent = isError
    ? textBlocks(JSON.stringify({ error, content, structured }))
    : blocks.length === 0 && structured !== undefined
      ? textBlocks(JSON.stringify(structured))
      : blocks
  writer.message(place, {
    role: "toolResult",
    toolCallId,
    toolName: String(call.name),
    content: sent,
    ...(details && { details }),
    isError,
  })
  addPart(writer, place, toolCallId, details && textIn(details, "sessionID"), objectIn(state, "input"))
}

function replyBlocks(block: Json): ContentBlock[] {
  // What the provider says has another name since September 2026; in previews it is under the provider's.
  const state = objectIn(block, "state") ?? objectIn(block, "native") ?? opaqueIn(block.providerMetadata)
  if (block.type === "text") return textBlocks(block.text)
  if (block.type === "file") return fileBlocks(block)
  if (block.type === "reasoning") return [thinkingBlock([textIn(block, "text") ?? ""], state)]
  if (block.type !== "tool") return []
  return [{ type: "toolCall", id: String(block.id), name: String(block.name), arguments: callArguments(state.input) }]
}

function modelOf(message: Json): { provider: string; model: string } {
  const model = objectIn(message, "model") ?? {}
  return { provider: textIn(model, "providerID") ?? "unknown", model: textIn(model, "id") ?? "unknown" }
}

/** Texts and folders stand in texts, images and PDFs are sent. */
function attachedBlocks(file: Json): ContentBlock[] {
  const { mime = "", data = "" } = file as { mime?: string; data?: string }
  const uri = textIn(objectIn(file, "source") ?? {}, "uri")
  const path = uri?.startsWith("file://") ? decodeURIComponent(new URL(uri).pathname) : undefined
  const isFolder = mime === "application/x-directory"
  if (mime === "text/plain" || isFolder) {
    const name =
      (isFolder ? path : undefined) ?? textIn(file, "name") ?? uri ?? (isFolder ? "directory" : "inline attachment")
    const description = textIn(file, "description")
    const lines = [
      `Attached ${isFolder ? "directory" : "file"}: ${name}`,
      ...(description === undefined ? [] : [`Description: ${description}`]),
      ...(isFolder && data === "" ? [] : ["", Buffer.from(data, "base64").toString()]),
    ]
    return textBlocks(`\n\n${lines.join("\n")}`)
  }
  const sent = fileBlocks({ mime, url: textIn(file, "uri") ?? `data:${mime};base64,${data}`, filename: file.name })
  return [...(path === undefined ? [] : textBlocks(`Attached file: ${path}`)), ...sent]
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
