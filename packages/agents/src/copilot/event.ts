import { isObject, type Json, textIn } from "../kit.js"

export function entryPlace({ id, timestamp }: Json): { id: string; time: number | undefined } {
  const time = Date.parse(String(timestamp))
  return { id: String(id), time: Number.isNaN(time) ? undefined : time }
}

/** The sub-agent that an event is from: by its id, in older versions by the call that started it. */
export function agentOf({ agentId, data }: Json): string | undefined {
  if (typeof agentId === "string") return agentId
  return isObject(data) ? textIn(data, "parentToolCallId") : undefined
}
