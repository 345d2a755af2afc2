import type { SessionSource } from "../ports/session-source.js"
import { isWritable } from "../ports/session-storage.js"
import type { CopySource } from "./copy-order.js"
import type { BlobsOf } from "./whole-texts.js"

/** Where an index has sessions from. */
export interface IndexSource {
  /** Distinguishes its sessions from those of other sources, such as its address. Default: empty, of the only one. */
  readonly name?: string | undefined
  readonly storage: SessionSource
  /** The blobs of the sessions: texts that were moved there are found, too. Default: only what is left of them in the sessions. */
  readonly blobs?: BlobsOf | undefined
  /** The agent of sessions whose headers name none, for filters and sums by agent. Default: it is not known. */
  readonly agent?: string | undefined
}

/** The sources of an index. */
export function indexSources(sources: SessionSource | readonly IndexSource[], only: Omit<IndexSource, "storage"> = {}) {
  return isList(sources) ? sources : [{ ...only, storage: sources }]
}

function isList(sources: SessionSource | readonly IndexSource[]): sources is readonly IndexSource[] {
  return Array.isArray(sources)
}

/** What a source is for the order of copies. */
export function copySource({ storage, agent = "" }: IndexSource): CopySource {
  if (!isWritable(storage)) return { agent, rank: 0 }
  return { agent, rank: agent === "treelog" ? 2 : 1 }
}
