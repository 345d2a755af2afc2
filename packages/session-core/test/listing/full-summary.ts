import type { SessionEntry, SessionInfo } from "@treelog/session-core"
import { contentText, TreelogError } from "@treelog/session-core"
import { linesOf, readLog, type SessionLog } from "@treelog/session-core/adapter"
import { addUsages, type ModelUsage, usagesOf } from "@treelog/session-core/search"
import { brokenFacts, isJsonObject, type JsonObject, millisOf, noBytes, reportedModel } from "../door.js"

export const KEY = "memory:/project/x"
const MODIFIED = 77

export function statOf(bytes: Uint8Array) {
  return { size: bytes.length, modified: MODIFIED, identity: "1" }
}

/** What a list has to say of these bytes: everything is parsed, and then looked at. */
export async function fullInfo(bytes: Uint8Array): Promise<SessionInfo> {
  try {
    const log = await readLog(linesOf(bytes), KEY)
    if (!log) throw noBytes(KEY)
    return infoOf(log, bytes)
  } catch (error) {
    if (error instanceof TreelogError)
      return { path: KEY, ...brokenFacts("x", { code: error.code, message: error.message }, statOf(bytes)) }
    throw error
  }
}

export async function fullLog(bytes: Uint8Array): Promise<SessionLog | undefined> {
  return readLog(linesOf(bytes), KEY)
}

function infoOf({ header, titleSlot, records }: SessionLog, bytes: Uint8Array): SessionInfo {
  const entries = records.map(({ value }) => value)
  const messages = entries.filter(({ type }) => type === "message")
  const spoken = messages.filter(({ message }) => isJsonObject(message)) as {
    message: JsonObject
    timestamp: unknown
  }[]
  const named = entries.reduce<unknown>((name, { type, ...entry }) => {
    if (type === "session_info") return typeof entry.name === "string" ? entry.name : ""
    return type === "title_change" && typeof entry.title === "string" ? entry.title : name
  }, undefined)
  const times = spoken
    .filter(({ message: { role } }) => role === "user" || role === "assistant")
    .map(({ message, timestamp }) => (typeof message.timestamp === "number" ? message.timestamp : millisOf(timestamp)))
  const texts = spoken.flatMap(({ message: { role, content } }) => (role === "user" ? contentText(content) || [] : []))
  const name = named ?? titleSlot?.title ?? header.title
  const models = spoken.flatMap(({ message: { role, provider, model } }) =>
    role === "assistant" ? (reportedModel(provider, model) ?? []) : [],
  )
  const usages: ModelUsage[] = []
  addUsages(
    usages,
    entries.flatMap((entry) => usagesOf(entry as unknown as SessionEntry)),
  )
  const created = millisOf(header.timestamp)
  const text = (value: unknown) => (typeof value === "string" ? value : undefined)
  return {
    path: KEY,
    id: header.id,
    cwd: text(header.cwd) ?? "",
    ...(text(name) && { name: text(name) as string }),
    ...(text(header.parentSession) && { parentSession: text(header.parentSession) as string }),
    created,
    modified: times.reduce((newest, time) => Math.max(newest, time), 0) || created,
    messageCount: messages.length,
    firstMessage: texts[0] ?? "",
    size: bytes.length,
    status:
      spoken
        .map(({ message }) => statusAfter(message))
        .filter((status) => status !== undefined)
        .at(-1) ?? "unknown",
    ...(models.length > 0 && { model: models.at(-1) as string }),
    ...(usages.length > 0 && { usages }),
  }
}

function statusAfter({ role, stopReason }: JsonObject): SessionInfo["status"] | undefined {
  if (role === "user") return stopReason === "aborted" ? "aborted" : stopReason === undefined ? "pending" : undefined
  if (role === "toolResult" && stopReason === "stop") return "complete"
  if (role === "toolResult" || (role === "assistant" && stopReason === "toolUse")) return "interrupted"
  if (role !== "assistant") return undefined
  return stopReason === "aborted" || stopReason === "error" ? stopReason : "complete"
}
