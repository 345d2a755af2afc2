import { contentText } from "@treelog/session-core"
import { countIn, type Json, objectIn } from "@treelog-internal/agent-files"
import { type EntryBody, keptBody, userBody } from "../entries/entry-bodies.js"
import type { Links } from "../link/link-nodes.js"
import { isBelow, type Node } from "../link/node.js"
import type { Scope } from "../link/scope.js"
import { messageOf, type SourceRecord } from "../source/source-record.js"

/** What compactions become: each names the entry of the first message that it kept. */
export class Compactions {
  readonly #scope: Scope
  readonly #links: Links

  constructor(scope: Scope, links: Links) {
    this.#scope = scope
    this.#links = links
  }

  /** @param node a boundary with its summary, or one of them alone */
  bodyOf(node: Node): EntryBody {
    const { record, records, role } = node
    const [, summary] = records
    // A summary that has lost its boundary is a message, behind what stands before it. Versions before 1.0.109 wrote none: there it has no parent.
    if (role === "summary" && node.parent && record.parent !== undefined)
      return userBody(messageOf(record.value).content, record.millis)
    if (role === "summary") return compactionBody(undefined, record, record.id)
    if (!summary) return keptBody(record)
    if (this.#links.kept.has(node) && record.boundary?.keepsBefore)
      return { type: "branch_summary", ...summaryFields(record, summary), fromId: this.#lastBefore(node) }
    return compactionBody(record, summary, this.#firstKept(node, node.parent) ?? record.id)
  }

  /** The compaction that kept what a node hangs on, whose summary stands behind those messages as well. */
  bodyAbove(node: Node): EntryBody | undefined {
    const boundary = this.#links.rewound.get(node)
    const [first, summary] = boundary?.records ?? []
    const firstKept = boundary && this.#firstKept(boundary, node.parent)
    return first && summary && firstKept !== undefined ? compactionBody(first, summary, firstKept) : undefined
  }

  /** The entry of the first message that a compaction kept, if the end of a path is below it. */
  #firstKept(node: Node, end: Node | undefined): string | undefined {
    const number = this.#links.kept.get(node)?.first ?? this.#scope.positionOf(node.record.boundary?.firstKept)
    // The first record that is kept may be one that becomes no entry.
    for (let at = number ?? node.at; at < node.at; at++) {
      const kept = this.#scope.entryNodeAt(at)
      if (kept?.lastId !== undefined && isBelow(end, kept)) return kept.record.id
    }
    return undefined
  }

  /** The last of the messages that were taken back, which a summary replaces. */
  #lastBefore({ at, record }: Node): string {
    for (let number = at - 1; number >= 0; number--) {
      const { lastId } = this.#scope.nodeOf[number] ?? {}
      if (lastId) return lastId
    }
    return record.id
  }
}

/** @param boundary undefined where only the summary is left */
function compactionBody(
  boundary: SourceRecord | undefined,
  summary: SourceRecord,
  firstKeptEntryId: string,
): EntryBody {
  const tokensBefore = countIn(boundary ? metadataOf(boundary) : {}, "preTokens")
  return { type: "compaction", ...summaryFields(boundary, summary), firstKeptEntryId, tokensBefore }
}

function summaryFields(boundary: SourceRecord | undefined, { value, uuid }: SourceRecord): object {
  const metadata = boundary && metadataOf(boundary)
  const details = { ...metadata, ...(uuid !== undefined && { summaryUuid: uuid }) }
  return { summary: contentText(messageOf(value).content), details }
}

function metadataOf({ value }: SourceRecord): Json {
  return objectIn(value, "compactMetadata") ?? {}
}
