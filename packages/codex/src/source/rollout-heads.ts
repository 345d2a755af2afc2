import { type FsPort, identityOf, sessionNotFound, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import type { RolloutFile } from "../convert/thread-plan.js"
import { without } from "../rollout/json.js"
import { type RolloutHead, rolloutHead } from "../rollout/rollout-head.js"
import { readRolloutLine } from "../rollout/rollout-line.js"
import type { FoundRollout } from "./find-rollouts.js"
import { rolloutLines } from "./read-rollout.js"

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

const NO_HEAD: RolloutHead = rolloutHead({})

/** Reads the first lines of rollouts, and keeps what they say of files that do not change. */
export class RolloutHeads {
  readonly #fs: FsPort
  readonly #known = new Map<string, HeadedRollout>()

  constructor(fs: FsPort) {
    this.#fs = fs
  }

  /** @throws SessionNotFoundError, StorageError */
  async read(rollout: FoundRollout): Promise<HeadedRollout> {
    const { path } = rollout
    const stat = await withStorageErrors(path, "read", () => statIfThere(this.#fs, path))
    if (!stat) throw sessionNotFound(path)
    const identity = identityOf(stat)
    const [size, modified] = [Number(stat.size), Number(stat.mtimeNs) / 1e6]
    const known = this.#known.get(path)
    if (known?.identity === identity && known.size === size && known.modified === modified) return known
    const head = await this.#head(path)
    const { threadId, generation, time } = rollout
    const read = {
      name: path,
      path,
      threadId,
      generation,
      time,
      size,
      modified,
      identity,
      hasHead: head !== undefined,
      head: head ?? NO_HEAD,
    }
    this.#known.set(path, read)
    return read
  }

  async #head(path: string): Promise<RolloutHead | undefined> {
    for await (const line of rolloutLines(this.#fs, path, BLOCK)) {
      const read = readRolloutLine(line)
      if (!read) continue
      return "line" in read && read.line.type === "session_meta"
        ? rolloutHead(without(read.line.payload, INSTRUCTIONS))
        : undefined
    }
    return undefined
  }
}
