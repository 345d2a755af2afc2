import type { Diagnostic, LostResult } from "@treelog/session-core"
import type { Json } from "../json.js"
import type { EntryWriter } from "./entry-writer.js"
import type { RecordStore, StoreOptions } from "./record-store.js"

/** Where an agent keeps its sessions, and how it goes on with one. Nothing of its code is loaded for that. */
export interface AgentPlace {
  /** As `--store` takes it. */
  readonly name: string
  /** Its folder. The first counts whose variables are set: `["$COPILOT_HOME", "~/.copilot"]`. */
  readonly folders: readonly string[]
  /** Whether the variable of its folder may name several, with commas between them: the second has the name `AGENT:2`. */
  readonly listsFolders?: boolean
  /** A file or folder in there with its sessions. */
  readonly sessions: string
  /** Others in there with sessions of the same store, such as archives, or what older versions wrote. Without any of them there is no store. */
  readonly alsoSessions?: readonly string[]
  /** A variable that names another file or folder with sessions: in there, or an absolute path. */
  readonly sessionsVariable?: string
  /** Stores of its own beside that one: of channels, profiles, remote hosts, further folders. Each has the name `AGENT:OTHER`. */
  readonly others?: readonly OtherStore[]
  /** Settings that name another folder. What is there is a store with the name of the one that has the setting, and `custom`. */
  readonly folderSettings?: FolderSettings
  /** What else its versions write that may have sessions, and is not read. */
  readonly unread?: readonly UnreadLayout[]
  /**
   * What `keep` copies of the agent's folder in the place of `sessions` and `alsoSessions`, where these have more than sessions, or sessions need other
   * files: paths in which `*` stands for any part of a name.
   */
  readonly kept?: readonly string[]
  /** Whether each session has a folder of its own, whose files belong together. */
  readonly isKeptByFolder?: boolean
  /** The command that goes on with a session, such as `["opencode", "--session", "$ID"]`. */
  readonly resume?: readonly [program: string, ...args: string[]]
  /** The command that goes on in a copy that it makes: `["opencode", "--session", "$ID", "--fork"]`. */
  readonly fork?: readonly [program: string, ...args: string[]]
  /**
   * Files in which its processes say which session they have: the pid alone, or JSON with `pid`, `sessionId`, `status` and `waitingFor`. From the
   * folder of the session's file, with `*` for any part of a name, and `$ID`: `["inuse.*.lock"]`.
   */
  readonly pidFiles?: readonly string[]
  /** Whether its process has the file of a session open for as long as it has the session. */
  readonly keepsOpen?: boolean
  /** The types of its records that say how a turn stands. */
  readonly turnRecords?: TurnRecords
  /** Whether a call is stored when it has ended, with its result: before that, the reply looks as the last of a turn. */
  readonly notesCallsLate?: boolean
}

/** Types of records: the last one decides. */
export interface TurnRecords {
  readonly begin?: readonly string[]
  readonly end?: readonly string[]
  /** A permission is asked for. */
  readonly ask?: readonly string[]
  readonly answer?: readonly string[]
}

/** A store of an agent beside its own. One `*` in the name of its folder or of its sessions is its name, and stands for any part. */
export interface OtherStore {
  /** Behind the colon of its name. Default: what `*` stands for: of `opencode-*.db`, `dev`. */
  readonly name?: string
  /** Its folder, as in a place. Default: the one of the agent. */
  readonly folders?: readonly string[]
  /** What has its sessions in there. Default: as in the agent's own folder. */
  readonly sessions?: string
  /** What `keep` copies of the folder in the place of `sessions`, as in a place. */
  readonly kept?: readonly string[]
  /** Whether an app has it: the command of the agent lists and continues none of its sessions. */
  readonly isOfApp?: boolean
  /** With `*`: files or folders in there, of which one shows that it is one, where others have `sessions` too: `workspaceStorage/*` + `/chatSessions`. */
  readonly shownBy?: readonly string[]
}

/** Settings of which each may name another folder, by their names: `roo-cline.customStoragePath`. */
export interface FolderSettings {
  readonly names: readonly string[]
  /** The file in the agent's folder. Default: those of VS Code for an extension, whose folder is `globalStorage/ID` in the one of the user. */
  readonly file?: string
}

/** Files with sessions that are not read. */
export interface UnreadLayout {
  /** In the folder of each store of the agent, or from `~/`: `history-session-state/session_*.json`. */
  readonly path: string
  /** What it is, and what makes it readable: `sessions of versions before 0.0.342`. */
  readonly why: string
  /** A file or folder in the same folder that shows that the agent has taken the sessions over: then they are read there. */
  readonly unless?: string
  /** Whether `doctor` alone looks for it: where thousands of folders have to be read, or most of it is read elsewhere. */
  readonly onlyInDoctor?: boolean
}

/** How the sessions of an agent are found and read. `openAgentStorage` makes a storage of it. */
export interface AgentDefinition {
  /** The version of the kit that it is made with: `defineAgent` sets it. */
  readonly kit?: number
  readonly place: AgentPlace
  /** Of an agent that is not treelog's: incremented when it converts the same records to other entries, or finds other sessions in the same database. */
  readonly conversionVersion?: number
  /** What the agent gives its model for a call whose result was never stored, as of a process that was killed, when it goes on with the session. */
  readonly lostResult?: LostResult
  /** Whether transcripts of sub-agents stand among the records of a session, for `transcript` of its writer. Default: they have files or rows of their own. */
  readonly holdsTranscripts?: boolean
  /** Its sessions: `sessionFiles` or `sessionDatabase`. */
  store(options: StoreOptions): RecordStore
  /** Called for each conversion. */
  converter(session: ConvertedRecords): RecordConverter
}

/** A session that is converted. */
export interface ConvertedRecords {
  /** As it was found; a converter may find another one in the records. */
  readonly id: string
  readonly key: string
  /** Its folder, where the store says it. */
  readonly cwd?: string | undefined
  /** What else the store says of it: see `withFacts`. */
  readonly facts: Json
  /** The JSON documents beside a file of lines; undefined for one that is missing. */
  readonly beside: readonly unknown[]
  /** Its parts, or of a part the others of its session, where they are beside it and calls do not name them, with their records: see `hasPartsBeside` of `sessionFiles`. */
  readonly parts: readonly { readonly name: string; readonly records: readonly Json[] }[]
  readonly writer: EntryWriter
  /** Reports what is wrong and ends nothing. */
  report(diagnostic: Diagnostic): void
}

/**
 * What became of a record: it is in an entry, it is kept as it is in a `custom` entry, which the caller makes, or it is in none, with the reason.
 * Undefined for a kind that the converter does not know: it is kept too, and named.
 */
export type RecordOutcome = "converted" | "kept" | { readonly skipped: string } | undefined

/** What a converter says of its session. Of it, and of its source, what is undefined or false is left out. */
export interface HeaderFields {
  readonly id: string
  /** When it began, in ISO 8601. */
  readonly timestamp: string | undefined
  /** Default: unknown. */
  readonly cwd?: string | undefined
  /** The name of the session. */
  readonly title?: string | undefined
  /** The session that it is a fork of. */
  readonly parentSession?: string | undefined
  /** Such as `{ version, branch, repository, archived }`; the agent is in it. */
  readonly source?: object | undefined
}

/** Converts the records of one session, in their order. It does no I/O. */
export interface RecordConverter {
  /** What reports and `custom` entries call such a record: `message`, `part:tool`. */
  kindOf(record: Json): string
  record(record: Json, kind: string): RecordOutcome
  /** Whether what stands before the records decides about one of them: then the end of a session is not enough for its context. Default: false. */
  readonly isLacking?: boolean
  /** Adds what it holds back. Called before an entry is added that is none of its own. */
  flush?(): void
  /** Called once behind the last record. Undefined where none of them was of a session. */
  end(): HeaderFields | undefined
}
