import { TreelogError } from "@treelog/session-core"
import { conversionError, type FileNotes, isObject, without } from "@treelog-internal/agent-files"
import {
  type FileStat,
  type FsPort,
  identityOf,
  isStat,
  lstatIfThere,
  sessionNotFound,
  statMany,
  storageError,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import type { NamedRollout, RolloutFile } from "../convert/thread-plan.js"
import { type RolloutHead, rolloutHead } from "../rollout/rollout-head.js"
import { headIn } from "../rollout/rollout-line.js"
import { rolloutReader } from "./read-rollout.js"

/** A rollout with its head, and which file it was. */
export interface HeadedRollout extends RolloutFile {
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

const NO_HEAD: RolloutHead = rolloutHead({})

/** Reads the first lines of rollouts, and keeps what they say of files that do not change; in notes, if it gets some. */
export class RolloutHeads {
  readonly #fs: FsPort
  notes: FileNotes | undefined
  readonly #known = new Map<string, { readonly version: string; readonly head: RolloutHead | undefined }>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  /** What is known of a rollout that has not changed. */
  #unchanged(rollout: NamedRollout, stat: FileStat): HeadedRollout | undefined {
    const version = versionOf(stat)
    const known = this.#known.get(rollout.name)
    if (known?.version === version) return headed(rollout, stat, known.head)
    const note = this.notes?.get(rollout.name, version)
    return note && this.#keep(rollout, stat, "meta" in note && isObject(note.meta) ? rolloutHead(note.meta) : undefined)
  }

  /** @throws InvalidSessionError, SessionNotFoundError, StorageError */
  async read(rollout: NamedRollout): Promise<HeadedRollout> {
    const { name } = rollout
    try {
      const [stat] = await statMany(this.#fs, [name])
      if (stat && !isStat(stat)) throw toStorageError(stat, name, "read")
      if (!stat) throw (await this.#isLink(name)) ? storageError(name, "read", "ENOENT") : sessionNotFound(name)
      const known = this.#unchanged(rollout, stat)
      if (known) return known
      const head = await this.#head(name)
      this.notes?.put(name, versionOf(stat), head ? { meta: head.meta } : {})
      return this.#keep(rollout, stat, head)
    } catch (error) {
      throw conversionError(name, error)
    }
  }

  #keep(rollout: NamedRollout, stat: FileStat, head: RolloutHead | undefined): HeadedRollout {
    this.#known.set(rollout.name, { version: versionOf(stat), head })
    return headed(rollout, stat, head)
  }

  /** Then it leads to nothing, and looking for the file again finds it again. */
  async #isLink(path: string): Promise<boolean> {
    const stat = await withStorageErrors(path, "read", () => lstatIfThere(this.#fs, path))
    return stat?.isSymbolicLink() ?? false
  }

  async #head(path: string): Promise<RolloutHead | undefined> {
    const linesIn = await rolloutReader(this.#fs, [path], BLOCK)
    const head = headIn(linesIn(path))
    return head && rolloutHead(without(head, INSTRUCTIONS))
  }
}

function headed(rollout: NamedRollout, stat: FileStat, head: RolloutHead | undefined): HeadedRollout {
  const file = { size: Number(stat.size), modified: Number(stat.mtimeNs) / 1e6, identity: identityOf(stat) }
  return { ...rollout, ...file, head: head ?? NO_HEAD, hasHead: head !== undefined }
}

function versionOf(stat: FileStat): string {
  return `${identityOf(stat)} ${stat.size} ${Number(stat.mtimeNs) / 1e6}`
}

export function noHead(key: string): TreelogError<"InvalidSessionError"> {
  const found = "no session_meta in the first line"
  return new TreelogError("InvalidSessionError", `Not a rollout of Codex (${found}): ${key}`, { key, found })
}
