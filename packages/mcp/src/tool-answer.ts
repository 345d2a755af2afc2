import { isTreelogError, type TreelogError, type TreelogErrorCode } from "@treelog/session-core"
import { z } from "zod"
import { quoted } from "./quote.js"
import type { Scope } from "./scope.js"

/** Something that a tool points to. A type and no interface, as `ToolAnswer`. */
export type EntryLink = { type: "resource_link"; uri: string; name: string; mimeType: string }

/** The answer of a tool. A type and no interface: the protocol allows further fields. */
export type ToolAnswer = {
  content: ({ type: "text"; text: string } | EntryLink)[]
  isError?: boolean
}

/** The input of a tool that says how long its answer may be. */
export function tokensInput() {
  return z.number().int().min(200).max(100_000).default(2_000).describe("About how long the answer may be.")
}

export function answer(text: string, links: readonly EntryLink[] = []): ToolAnswer {
  return { content: [{ type: "text", text }, ...links] }
}

/** Errors of this package about what was asked: they say nothing that a file says. */
const OF_THE_REQUEST: ReadonlySet<TreelogErrorCode> = new Set<TreelogErrorCode>([
  "SessionNotFoundError",
  "EntryNotFoundError",
  "InvalidArgumentError",
])

/** The answer of the work, or what the agent can do about its error. Faults of the program are not answers. */
export async function answered(scope: Scope, work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!isTreelogError(error)) throw error
    return { content: [{ type: "text", text: errorText(scope, error) }], isError: true }
  }
}

/** What others say of a session has what is in it, such as its path. */
export function errorText(scope: Scope, { code, message }: TreelogError): string {
  return OF_THE_REQUEST.has(code) ? `${code}: ${message}` : `${code}:\n${quoted(scope, scope.shortTitle(message))}`
}

/** Of all tools: nothing is changed, and nothing outside this machine is contacted. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const
