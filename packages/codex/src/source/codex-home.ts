import { sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { FileNotes } from "@treelog-internal/agent-files"
import {
  type FsPort,
  type StatOutcome,
  sessionNotFound,
  statIfThere,
  statMany,
  withStorageErrors,
} from "@treelog-internal/fs"
import { rootsOf } from "../convert/convert-codex.js"
import { planThread, type ThreadStep } from "../convert/thread-plan.js"
import { generationId, rolloutName } from "../rollout/rollout-name.js"
import { type FoundRollout, findRollouts } from "./find-rollouts.js"
import { type HeadedRollout, RolloutHeads } from "./rollout-heads.js"
import type { StateTitles } from "./state-titles.js"
import { threadTitles } from "./thread-titles.js"

/** A thread: its files by time, and what its conversion reads. */
export interface Thread {
  readonly id: string
  readonly files: readonly HeadedRollout[]
  readonly steps: readonly ThreadStep[]
  readonly title: string | undefined
}

/** A thread, and the id of the one that it works for: its own, if nobody started it, or if that one is gone. */
export interface RootedThread extends Thread {
  readonly root: string
}

/** A folder that cannot be read, or a rollout. */
export interface Unreadable {
  readonly path: string
  readonly threadId?: string
  readonly error: Error
}

/** So many heads are read at a time: enough to keep a disk busy. */
const AT_A_TIME = 16
/** So often files are looked for again that Codex has compressed, restored or archived since they were found. */
const ATTEMPTS = 5

/** The folder of Codex. */
export class CodexHome {
  readonly folder: string
  readonly fs: FsPort
  readonly #heads: RolloutHeads
  readonly #state: StateTitles

  constructor(folder: string, fs: FsPort, state: StateTitles) {
    this.folder = folder
    this.fs = fs
    this.#state = state
    this.#heads = new RolloutHeads(fs)
  }

  useNotes(notes: FileNotes): void {
    this.#heads.notes = notes
  }

  /** All threads, each with the one that it was started for, and what cannot be read. Of each rollout, only the head is read. */
  async threads(): Promise<{ threads: RootedThread[]; unreadable: readonly Unreadable[] }> {
    const { byThread, find, errors, titles } = await this.#all()
    const rootOf = rootsOf(byThread)
    const threads = [...byThread].map(([id, files]) => ({ ...threadOf(id, files, find, titles), root: rootOf(id) }))
    return { threads, unreadable: errors }
  }

  /** The threads that this one started, and those that they started. */
  async subAgents(threadId: string): Promise<Thread[]> {
    const { threads } = await this.threads()
    return threads.filter(({ id, root }) => id !== threadId && root === threadId)
  }

  /**
   * The thread that has this rollout, wherever Codex has put it since. Reads only the heads of its files, and of those that they go on
   * from. A rollout outside the folder, whatever its name is, is a thread by itself.
   * @throws StorageError
   */
  threadAt(path: string): Promise<Thread | undefined> {
    return whileMoved(async () => {
      const { rollouts } = await findRollouts(this.fs, this.folder)
      const name = path.startsWith(this.folder + sep) ? rolloutName(path) : undefined
      const generation = name && generationId(name)
      const at = rollouts.find((rollout) => rollout.generation === generation)
      if (at) {
        const own = rollouts.filter(({ threadId }) => threadId === at.threadId)
        return this.#thread(at.threadId, own, rollouts)
      }
      const elsewhere = name ? undefined : await this.#elsewhere(path)
      return elsewhere && this.#thread(elsewhere.threadId, [elsewhere], rollouts)
    })
  }

  /** A rollout that is not in the folder. */
  async #elsewhere(path: string): Promise<FoundRollout | undefined> {
    if (!/\.jsonl(\.zst)?$/.test(path)) return undefined
    const stat = await withStorageErrors(path, "read", () => statIfThere(this.fs, path))
    if (!stat?.isFile()) return undefined
    const isCompressed = path.endsWith(".zst")
    const unnamed = { path, threadId: "", revisionId: undefined, time: "", isCompressed, generation: "" }
    const threadId = (await this.#heads.read(unnamed, stat)).head.threadId
    const name = rolloutName(path) ?? (threadId === undefined ? undefined : { ...unnamed, threadId })
    return name && { ...name, path, generation: generationId(name) }
  }

  /** Reads in the files of a thread, again where they were moved since it was found. @throws SessionNotFoundError, StorageError */
  readThread<Result>(
    path: string,
    found: Thread | undefined,
    read: (thread: Thread) => Promise<Result>,
  ): Promise<Result> {
    let known = found
    return whileMoved(async () => {
      const thread = known ?? (await this.threadAt(path))
      known = undefined
      if (!thread) throw sessionNotFound(path)
      return read(thread)
    })
  }

  /** A rollout by the id of its generation, without its head. */
  async rolloutOf(generation: string): Promise<FoundRollout | undefined> {
    return (await findRollouts(this.fs, this.folder)).rollouts.find((rollout) => rollout.generation === generation)
  }

  async #thread(id: string, own: readonly FoundRollout[], rollouts: readonly FoundRollout[]): Promise<Thread> {
    const byGeneration = new Map(rollouts.map((rollout) => [rollout.generation, rollout]))
    const read = new Map<string, HeadedRollout>()
    const readBases = async (rollout: FoundRollout | undefined): Promise<void> => {
      if (!rollout || read.has(rollout.generation)) return
      const [stat] = await statMany(this.fs, [rollout.path])
      const headed = await this.#heads.read(rollout, stat)
      read.set(rollout.generation, headed)
      const { base, forkedFrom } = headed.head
      await readBases(byGeneration.get(base?.id ?? forkedFrom ?? ""))
    }
    for (const rollout of own) await readBases(rollout)
    const files = own.flatMap(({ generation }) => read.get(generation) ?? [])
    const titles = await threadTitles(this.fs, this.folder, this.#state)
    return threadOf(id, files, (generation) => read.get(generation), titles)
  }

  async #all(): Promise<{
    byThread: Map<string, HeadedRollout[]>
    find: (generation: string) => HeadedRollout | undefined
    errors: readonly Unreadable[]
    titles: ReadonlyMap<string, string>
  }> {
    const byGeneration = new Map<string, HeadedRollout>()
    let unreadable: Unreadable[] = []
    for (let attempt = 1, isComplete = false; !isComplete && attempt <= ATTEMPTS; attempt++) {
      const { rollouts, errors } = await findRollouts(this.fs, this.folder)
      unreadable = [...errors]
      isComplete = await this.#readHeads(rollouts, byGeneration, unreadable)
    }
    const byThread = new Map<string, HeadedRollout[]>()
    for (const headed of byGeneration.values()) {
      const files = byThread.get(headed.threadId)
      if (files) files.push(headed)
      else byThread.set(headed.threadId, [headed])
    }
    const find = (generation: string): HeadedRollout | undefined => byGeneration.get(generation)
    return { byThread, find, errors: unreadable, titles: await threadTitles(this.fs, this.folder, this.#state) }
  }

  /** @returns false when a file was moved since it was found */
  async #readHeads(
    rollouts: readonly FoundRollout[],
    into: Map<string, HeadedRollout>,
    unreadable: Unreadable[],
  ): Promise<boolean> {
    let isComplete = true
    into.clear()
    const paths = rollouts.map(({ path }) => path)
    const stats = await statMany(this.fs, paths)
    const unread: { readonly rollout: FoundRollout; readonly stat: StatOutcome }[] = []
    for (const [index, rollout] of rollouts.entries()) {
      const known = this.#heads.known(rollout, stats[index])
      if (known) into.set(known.generation, known)
      else unread.push({ rollout, stat: stats[index] })
    }
    for (let at = 0; at < unread.length; at += AT_A_TIME) {
      const some = unread.slice(at, at + AT_A_TIME)
      const outcomes = await Promise.allSettled(some.map(({ rollout, stat }) => this.#heads.read(rollout, stat)))
      for (const [index, outcome] of outcomes.entries()) {
        const { path = "", threadId = "" } = some[index]?.rollout ?? {}
        if (outcome.status === "fulfilled") into.set(outcome.value.generation, outcome.value)
        else if (isMoved(outcome.reason)) isComplete = false
        else unreadable.push({ path, threadId, error: outcome.reason })
      }
    }
    return isComplete
  }
}

/** Whether a file is not where it was a moment ago, or not what it was. */
function isMoved(error: unknown): boolean {
  return isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")
}

/** Repeats what found a file moved or cut. */
async function whileMoved<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (attempts === ATTEMPTS || !isMoved(error)) throw error
    }
  }
}

function threadOf(
  id: string,
  files: readonly HeadedRollout[],
  find: (generation: string) => HeadedRollout | undefined,
  titles: ReadonlyMap<string, string>,
): Thread {
  const sorted = [...files].sort((a, b) => (a.time + a.generation < b.time + b.generation ? -1 : 1))
  return { id, files: sorted, steps: planThread(sorted, find), title: titles.get(id) }
}
