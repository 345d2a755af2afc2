import type { JsonObject } from "../../entry/values.js"
import type { TreelogError } from "../../errors.js"
import type { SessionArtifact, SessionSource } from "../../ports/session-source.js"
import type { AddedArtifacts, SessionStorage } from "../../ports/session-storage.js"
import type { ProjectOf } from "../../session/listing/is-of-folder.js"
import type { BlobStores } from "./blob-copier.js"

/** What a copy needs of the source that it reads. */
export type CopySource = Pick<
  SessionSource,
  "stat" | "statContent" | "readRange" | "list" | "find" | "openRanges" | "artifacts"
>

/** What to copy, and where to. */
export interface CopySessionsOptions {
  readonly from: CopySource
  readonly to: SessionStorage
  /** Keys of `from`. Default: every session that it lists. */
  readonly keys?: Iterable<string>
  /** Copy the blobs that sessions refer to, before these are stored. Default: blobs are not copied. */
  readonly blobs?: BlobStores
  /**
   * Store sessions in the current version, with images and long texts in `blobs.to`, instead of their bytes. Default false.
   */
  readonly slim?: boolean
  /** The files that are kept with a session, in the order in which they are to be stored. Default: those that `from` has. */
  readonly artifactsOf?: (key: string, to: string) => AsyncIterable<SessionArtifact>
  /**
   * Whether `from` is where the sessions are made, so that what it rewrote takes the place of what was copied before: its branch becomes the
   * current one, and its artifacts replace those of the same names. Default false: what the target has stays.
   */
  readonly isOriginal?: boolean
  /**
   * The name of the project of a folder, as a `SessionManager` of `to` has it (see `SessionManagerOptions`). A session that `from` groups
   * by a project stays in that. Default: only these have one.
   */
  readonly projectOf?: ProjectOf
  /**
   * Where sessions of the same machine are, too. A session that has the id of a session there, and is no copy of it (they have no entry in common, or one
   * with different contents), gets an id of its own and names the other in its header, in `otherContentOf`: its maker may claim any id. Default: nowhere.
   */
  readonly others?: readonly SessionSource[]
  /**
   * The folder of a copy, empty where the header of the source has none. Where it is another one, the `cwd` in the header of the copy is
   * that. Default: the folder of the source.
   */
  readonly cwdOf?: (cwd: string) => string
  /** What the header of a copy says in `source` of where the session is from, such as its `agent`, as far as it does not say it itself. Default: nothing. */
  readonly source?: JsonObject | undefined
  /** Report what would be copied, and write nothing. Default false. */
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes that were compared or stored since the last call. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

/** What became of a session. */
export interface CopiedSession {
  /** Its key in the source. */
  readonly key: string
  /** Its key in the target. */
  readonly to: string
  /** Its id in the target. */
  readonly id: string
  /** The id that it has in the source, if it has another one in the target: that is the id of another session, or cannot be part of a name. */
  readonly formerId?: string
  /**
   * `created`: stored as a new session. `appended`: what the source has in addition follows what was stored. `branched`: it is a branch
   * there, since the target has entries that the source lacks, or the source was rewritten. `unchanged`: the target has all of it.
   * Nothing that was stored is ever changed or removed.
   */
  readonly status: "created" | "appended" | "branched" | "unchanged"
  /** Bytes of the source. */
  readonly size: number
  /** Bytes that were stored, or would be. */
  readonly written: number
  /** How many entries were added to a session that was stored before. */
  readonly added: number
  /** How many of these are entries that are stored with another content, too. */
  readonly rewritten: number
  /** Its artifacts, such as the transcripts of sub-agents; undefined in a dry run. */
  readonly artifacts?: AddedArtifacts
  /** Why not all of its artifacts could be stored; the session itself is. The next copy adds the rest. */
  readonly artifactsError?: TreelogError
  /** Hashes of the blobs that were copied. */
  readonly copiedBlobs: readonly string[]
  /** Hashes of the blobs that it refers to in what was stored, and that neither side has, or not undamaged. */
  readonly missingBlobs: readonly string[]
}

/** A session that could not be copied. */
export interface UncopiedSession {
  readonly key: string
  readonly error: unknown
}
