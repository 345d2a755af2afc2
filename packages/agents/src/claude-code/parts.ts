import type { SourceIndex } from "./source/source-index.js"

/** A transcript of a sub-agent, or what has the place of one. */
export interface Part {
  readonly name: string
  readonly index: SourceIndex
  /** Whether it is a file, and not within that of the session. */
  readonly isFile: boolean
  /** The call that it works for, where that is known. */
  readonly call?: string | undefined
}

/** The requests that compactions made have the form of transcripts. Their usage counts, but nothing was said in them. */
export function isCompactionRequest(name: string): boolean {
  return baseName(name).startsWith("agent-acompact-")
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
