import { isTreelogError } from "@treelog/session-core"

/** Something that a tool points to. */
export interface EntryLink {
  readonly uri: string
  readonly name: string
}

/** The answer of a tool. A type and no interface: the protocol allows further fields. */
export type ToolAnswer = {
  content: ({ type: "text"; text: string } | { type: "resource_link"; uri: string; name: string; mimeType: string })[]
  isError?: boolean
}

export function answer(text: string, links: readonly EntryLink[] = []): ToolAnswer {
  return {
    content: [
      { type: "text", text },
      ...links.map(({ uri, name }) => ({ type: "resource_link" as const, uri, name, mimeType: "text/plain" })),
    ],
  }
}

/** The answer of the work, or what the agent can do about its error. Faults of the program are not answers. */
export async function answered(work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!isTreelogError(error)) throw error
    return { content: [{ type: "text", text: `${error.code}: ${error.message}` }], isError: true }
  }
}

/** Of all tools: nothing is changed, and nothing outside this machine is contacted. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const
