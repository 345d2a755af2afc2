import type { SideUsage } from "../source/record-head.js"
import type { SourceRecord } from "../source/source-record.js"

interface PlannedHead {
  readonly id: string
  readonly parentId: string | null
  /** ISO 8601, or what the source has in its place. */
  readonly timestamp: string
}

/** Entries of one record. `beside-results` has the blocks of a line of results that are no results. */
export type RecordLineType = "meta" | "reminder" | "queued" | "local-command" | "beside-results" | "kept" | "damaged"

/** The transcript of a sub-agent, in a file of its own or within that of the session, or a result that was kept in a file. */
export interface PartPlace {
  /** Of the artifact. */
  readonly name: string
  /** When it began; empty where that is not known. */
  readonly time: string
  /** The call that it works for, where its own lines say so. */
  readonly call?: string | undefined
}

/** One entry of the conversion: which records it is made of, and all that linking decided about it. */
export type PlannedLine = PlannedHead &
  (
    | {
        readonly type: "reply"
        readonly records: readonly SourceRecord[]
        /** The one that has the usage. */
        readonly usage: SourceRecord | undefined
        readonly isAborted: boolean
        /** Whether the model got a reminder that its path lacks. */
        readonly isLacking: boolean
      }
    | { readonly type: RecordLineType; readonly record: SourceRecord }
    /** @param isFirst whether it is a command, and what the session begins with */
    | {
        readonly type: "user"
        readonly record: SourceRecord
        readonly state: PromptState
        readonly isFirst: boolean
      }
    /** @param block position among the results of its line. */
    | { readonly type: "result"; readonly record: SourceRecord; readonly block: number; readonly toolName: string }
    | {
        readonly type: "compaction"
        readonly boundary: SourceRecord | undefined
        readonly summary: SourceRecord
        readonly firstKept: string
      }
    /** Of messages that were taken back. @param from the last of them */
    | {
        readonly type: "branch-summary"
        readonly boundary: SourceRecord
        readonly summary: SourceRecord
        readonly from: string
      }
    | { readonly type: "model"; readonly model: string }
    | { readonly type: "place"; readonly cwd: string; readonly gitBranch: string | undefined }
    | { readonly type: "title"; readonly name: string }
    | { readonly type: "label"; readonly target: string; readonly label: string }
    | { readonly type: "usage"; readonly usage: SideUsage; readonly role?: string }
    /** The content of an edit: its record and the position in it; null omits the target. */
    | {
        readonly type: "edit"
        readonly target: string
        readonly content: { readonly record: SourceRecord; readonly item: number } | null
      }
    /** The words in which the model got a message: of its own record, or of messages of requests that hold it. */
    | {
        readonly type: "sent"
        readonly target: string
        readonly record: SourceRecord
        readonly sent: readonly SourceRecord[]
      }
    | {
        readonly type: "part"
        readonly part: PartPlace
        readonly call: string | undefined
        readonly toolName: string | undefined
      }
    | { readonly type: "leaf" }
  )

/** The lines of one type. */
export type LineOf<Type extends PlannedLine["type"]> = Extract<PlannedLine, { type: Type }>

/** Whether a prompt waits for a reply, the client ended before it had one, or none was to come. */
export type PromptState = "waits" | "left" | "done"

/** The header of the conversion. */
export interface PlannedHeader {
  readonly id: string
  readonly timestamp: string
  readonly cwd: string
  readonly parentSession: string | undefined
  /** Of a part: the session that has what is searched and counted of it. */
  readonly countedIn?: string | undefined
  readonly version: string | undefined
  readonly gitBranch: string | undefined
  readonly path: string | undefined
  /** Whether a program had the session, by an SDK. */
  readonly isSdk: boolean
}
