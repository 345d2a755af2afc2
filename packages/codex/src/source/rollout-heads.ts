import { conversionError, type FileNotes, isObject, without } from "@treelog-internal/agent-files"
import {
  type FileStat,
  type FsPort,
  identityOf,
  isStat,
  lstatIfThere,
  type StatOutcome,
  sessionNotFound,
  storageError,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import type { RolloutFile } from "../convert/thread-plan.js"
import { type RolloutHead, rolloutHead } from "../rollout/rollout-head.js"
import { readRolloutLine } from "../rollout/rollout-line.js"
import type { FoundRollout } from "./find-rollouts.js"
import { rolloutReader } from "./read-rollout.js"

/** A rollout with its head, and which file it was. */
export interface HeadedRollout extends RolloutFile {
  readonly path: string
  /** Bytes, as stored. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly identity: string
  /** Whether the first line is a head. Otherwise `head` says nothing. */
  readonly hasHead: boolean
}

/** More than most first lines have: they hold the instructions of the model. Bytes. */
const BLOCK = 48 * 1024

/** Long texts of heads, which are read again when the session is converted. */
const INSTRUCTIONS = ["base_instructions", "instructions"]

/** Which file it was. */
type FileState = Pick<HeadedRollout, "identity" | "size" | "modified">

function stateOf(stat: FileStat): FileState {
  return { identity: identityOf(stat), size: Number(stat.size), modified: Number(stat.mtimeNs) / 1e6 }
}

function versionOf({ identity, size, modified }: FileState): string {
  return `${identity} ${size} ${modified}`
}

const NO_HEAD: RolloutHead = rolloutHead({})

/** Reads the first lines of rollouts, and keeps what they say of files that do not change; in notes, if it gets some. */
export class RolloutHeads {
  readonly #fs: FsPort
  notes: FileNotes | undefined
  readonly #known = new Map<string, HeadedRollout>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  /** What is known of a rollout that has not changed. @param stat of the file */
  known(rollout: FoundRollout, stat: StatOutcome): HeadedRollout | undefined {
    if (!isStat(stat)) return undefined
    const { path, threadId, generation, time } = rollout
    const file = stateOf(stat)
    const known = this.#known.get(path)
    if (known?.identity === file.identity && known.size === file.size && known.modified === file.modified)
      return { ...known, threadId, generation, time }
    const note = this.notes?.get(path, versionOf(file))
    if (!note) return undefined
    return this.#keep(rollout, file, "meta" in note && isObject(note.meta) ? rolloutHead(note.meta) : undefined)
  }

  /** @param stat of the file @throws InvalidSessionError, SessionNotFoundError, StorageError */
  async read(rollout: FoundRollout, stat: StatOutcome): Promise<HeadedRollout> {
    try {
      return await this.#read(rollout, stat)
    } catch (error) {
      throw conversionError(rollout.path, error)
    }
  }

  async #read(rollout: FoundRollout, stat: StatOutcome): Promise<HeadedRollout> {
    const { path } = rollout
    if (stat && !isStat(stat)) throw toStorageError(stat, path, "read")
    if (!stat) throw (await this.#isLink(path)) ? storageError(path, "read", "ENOENT") : sessionNotFound(path)
    const known = this.known(rollout, stat)
    if (known) return known
    const head = await this.#head(path)
    const file = stateOf(stat)
    this.notes?.put(path, versionOf(file), head ? { meta: head.meta } : {})
    return this.#keep(rollout, file, head)
  }

  #keep(rollout: FoundRollout, file: FileState, head: RolloutHead | undefined): HeadedRollout {
    const { path, threadId, generation, time } = rollout
    const { size, modified, identity } = file
    const [hasHead, known] = [head !== undefined, head ?? NO_HEAD]
    const headed = { name: path, path, threadId, generation, time, size, modified, identity, hasHead, head: known }
    this.#known.set(path, headed)
    return headed
  }

  /** Then it leads to nothing, and looking for the file again finds it again. */
  async #isLink(path: string): Promise<boolean> {
    const stat = await withStorageErrors(path, "read", () => lstatIfThere(this.#fs, path))
    return stat?.isSymbolicLink() ?? false
  }

  async #head(path: string): Promise<RolloutHead | undefined> {
    const linesIn = await rolloutReader(this.#fs, [path], BLOCK)
    for (const line of linesIn(path)) {
      const read = readRolloutLine(line)
      if (!read) continue
      return "line" in read && read.line.type === "session_meta"
        ? rolloutHead(without(read.line.payload, INSTRUCTIONS))
        : undefined
    }
    return undefined
  }
}
