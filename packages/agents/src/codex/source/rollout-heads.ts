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
  /** Whether its lines say what it is. Otherwise `head` says nothing. */
  readonly hasHead: boolean
  /** Whether its first line is damaged. */
  readonly isDamaged: boolean
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
  readonly #known = new Map<string, { readonly version: string; readonly found: Found }>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  /** What is known of a rollout that has not changed. */
  #unchanged(rollout: NamedRollout, stat: FileStat): HeadedRollout | undefined {
    const version = versionOf(stat)
    const known = this.#known.get(rollout.name)
    if (known?.version === version) return headed(rollout, stat, known.found)
    const note = this.notes?.get(rollout.name, version) as { meta?: unknown; isDamaged?: unknown } | undefined
    if (!note) return undefined
    const head = isObject(note.meta) ? rolloutHead(note.meta) : undefined
    return this.#keep(rollout, stat, { head, isDamaged: note.isDamaged === true })
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
      const found = await this.#find(rollout)
      const { head, isDamaged } = found
      this.notes?.put(name, versionOf(stat), { ...(head && { meta: head.meta }), isDamaged })
      return this.#keep(rollout, stat, found)
    } catch (error) {
      throw conversionError(name, error)
    }
  }

  #keep(rollout: NamedRollout, stat: FileStat, found: Found): HeadedRollout {
    this.#known.set(rollout.name, { version: versionOf(stat), found })
    return headed(rollout, stat, found)
  }

  /** Then it leads to nothing, and looking for the file again finds it again. */
  async #isLink(path: string): Promise<boolean> {
    const stat = await withStorageErrors(path, "read", () => lstatIfThere(this.#fs, path))
    return stat?.isSymbolicLink() ?? false
  }

  async #find({ name, threadId }: NamedRollout): Promise<Found> {
    const linesIn = await rolloutReader(this.#fs, [name], { block: BLOCK })
    const { meta, isDamaged } = headIn(linesIn(name), threadId)
    return { head: meta && rolloutHead(without(meta, INSTRUCTIONS)), isDamaged }
  }
}

interface Found {
  readonly head: RolloutHead | undefined
  readonly isDamaged: boolean
}

function headed(rollout: NamedRollout, stat: FileStat, { head, isDamaged }: Found): HeadedRollout {
  const file = { size: Number(stat.size), modified: Number(stat.mtimeNs) / 1e6, identity: identityOf(stat) }
  return { ...rollout, ...file, head: head ?? NO_HEAD, hasHead: head !== undefined, isDamaged }
}

export function versionOf(stat: FileStat): string {
  return `${identityOf(stat)} ${stat.size} ${Number(stat.mtimeNs) / 1e6}`
}

export function noHead({ name: key, isDamaged }: HeadedRollout): TreelogError<"InvalidSessionError"> {
  const found = isDamaged ? "nothing but damage" : "no session_meta in the first line"
  return new TreelogError("InvalidSessionError", `Not a rollout of Codex (${found}): ${key}`, { key, found, isDamaged })
}
