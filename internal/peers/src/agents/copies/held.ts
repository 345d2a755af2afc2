import { isEntry } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"
import { blocksOf, type Json } from "../model/blocks.js"
import type { SourceSession } from "./sources.js"

/** What recorded sessions have of what makes a copy difficult. */
export interface Held {
  copies: number
  /** Of the longest session. */
  entries: number
  branches: number
  parallelCalls: number
  failedCalls: number
  callsWithoutResult: number
  imagesInPrompts: number
  imagesInResults: number
  signedThinking: number
  compactions: number
  subAgents: number
  /** Of entries and of calls. */
  idsNotAscii: number
}

export const noneHeld = (): Held => ({
  ...{ copies: 0, entries: 0, branches: 0, parallelCalls: 0, failedCalls: 0, callsWithoutResult: 0 },
  ...{ imagesInPrompts: 0, imagesInResults: 0, signedThinking: 0, compactions: 0, subAgents: 0, idsNotAscii: 0 },
})

/** Counts what a session has: all but its ends once for the session. */
export function heldBy({ session, isFirst }: SourceSession, held: Held): void {
  held.copies++
  held.branches += isFirst ? 0 : 1
  if (!isFirst) return
  const calls = new Set<unknown>()
  let entries = 0
  for (const entry of session.iterateEntries()) {
    entries++
    if (!isAscii(entry.id)) held.idsNotAscii++
    if (partOf(entry)) held.subAgents++
    if (isEntry(entry, "compaction")) held.compactions++
    // A file that a prompt names.
    if (isEntry(entry, "custom_message")) held.imagesInPrompts += imagesIn(entry.content)
    if (!isEntry(entry, "message")) continue
    const { role, content, toolCallId, isError } = entry.message as unknown as Json
    const blocks = blocksOf(content)
    const images = imagesIn(content)
    const own = blocks.filter(({ type }) => type === "toolCall").map(({ id }) => id)
    held.parallelCalls += own.length > 1 ? own.length : 0
    for (const id of own) {
      calls.add(id)
      if (!isAscii(String(id))) held.idsNotAscii++
    }
    held.signedThinking += blocks.filter(
      ({ type, thinkingSignature }) => type === "thinking" && thinkingSignature,
    ).length
    if (role === "toolResult") {
      held.imagesInResults += images
      held.failedCalls += isError ? 1 : 0
      calls.delete(toolCallId)
    } else if (role === "user") held.imagesInPrompts += images
  }
  held.callsWithoutResult += calls.size
  held.entries = Math.max(held.entries, entries)
}

function imagesIn(content: unknown): number {
  return blocksOf(content).filter(({ type }) => type === "image").length
}

function isAscii(id: string): boolean {
  return /^[ -~]*$/.test(id)
}
