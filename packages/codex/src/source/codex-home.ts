import { isTreelogError } from "@treelog/session-core"
import type { FsPort } from "@treelog-internal/fs"
import { rootsOf } from "../convert/convert-codex.js"
import { planThread, type ThreadStep } from "../convert/thread-plan.js"
import { type FoundRollout, findRollouts } from "./find-rollouts.js"
import { type HeadedRollout, RolloutHeads } from "./rollout-heads.js"
import { threadTitles } from "./thread-titles.js"

/** A thread: its files by time, and what its conversion reads. */
export interface Thread {
  readonly id: string
  readonly files: readonly HeadedRollout[]
  readonly steps: readonly ThreadStep[]
  readonly title: string | undefined
}

/** A folder that cannot be read, or a rollout. */
export interface Unreadable {
  readonly path: string
  readonly threadId?: string
  readonly error: Error
}

/** So many heads are read at a time: enough to keep a disk busy. */
const AT_A_TIME = 16

/** The folder of Codex. */
export class CodexHome {
  readonly folder: string
  readonly fs: FsPort
  readonly #heads: RolloutHeads

  constructor(folder: string, fs: FsPort) {
    this.folder = folder
    this.fs = fs
    this.#heads = new RolloutHeads(fs)
  }

  /** All threads that no other one started, and what cannot be read. Of each rollout, only the head is read. */
  async threads(): Promise<{ threads: Thread[]; unreadable: readonly Unreadable[] }> {
    const { byThread, find, errors, titles } = await this.#all()
    const rootOf = rootsOf(byThread)
    const threads = [...byThread].filter(([id]) => rootOf(id) === id)
    return {
      threads: threads.map(([id, files]) => threadOf(id, files, find, titles)),
      unreadable: errors,
    }
  }

  /** The threads that this one started, and those that they started. */
  async subAgents(threadId: string): Promise<Thread[]> {
    const { byThread, find, titles } = await this.#all()
    const rootOf = rootsOf(byThread)
    return [...byThread]
      .filter(([id]) => id !== threadId && rootOf(id) === threadId)
      .map(([id, files]) => threadOf(id, files, find, titles))
  }

  /** The thread that has this rollout. Reads only the heads of its files, and of those that they go on from. @throws StorageError */
  async threadAt(path: string): Promise<Thread | undefined> {
    const { rollouts } = await findRollouts(this.fs, this.folder)
    const plain = path.replace(/\.zst$/, "")
    const at = rollouts.find((rollout) => rollout.path.replace(/\.zst$/, "") === plain)
    return at && this.#thread(at.threadId, rollouts)
  }

  /** A rollout by the id of its generation, without its head. */
  async rolloutOf(generation: string): Promise<FoundRollout | undefined> {
    return (await findRollouts(this.fs, this.folder)).rollouts.find((rollout) => rollout.generation === generation)
  }

  async #thread(id: string, rollouts: readonly FoundRollout[]): Promise<Thread> {
    const byGeneration = new Map(rollouts.map((rollout) => [rollout.generation, rollout]))
    const read = new Map<string, HeadedRollout>()
    const readBases = async (rollout: FoundRollout | undefined): Promise<void> => {
      if (!rollout || read.has(rollout.generation)) return
      const headed = await this.#heads.read(rollout)
      read.set(rollout.generation, headed)
      const { base, forkedFrom } = headed.head
      await readBases(byGeneration.get(base?.id ?? forkedFrom ?? ""))
    }
    for (const rollout of rollouts) if (rollout.threadId === id) await readBases(rollout)
    const own = [...read.values()].filter(({ threadId }) => threadId === id)
    return threadOf(id, own, (generation) => read.get(generation), await threadTitles(this.fs, this.folder))
  }

  async #all(): Promise<{
    byThread: Map<string, HeadedRollout[]>
    find: (generation: string) => HeadedRollout | undefined
    errors: readonly Unreadable[]
    titles: ReadonlyMap<string, string>
  }> {
    const { rollouts, errors } = await findRollouts(this.fs, this.folder)
    const unreadable: Unreadable[] = [...errors]
    const byGeneration = new Map<string, HeadedRollout>()
    const byThread = new Map<string, HeadedRollout[]>()
    for (let at = 0; at < rollouts.length; at += AT_A_TIME) {
      const some = rollouts.slice(at, at + AT_A_TIME)
      const outcomes = await Promise.allSettled(some.map((rollout) => this.#heads.read(rollout)))
      for (const [index, outcome] of outcomes.entries()) {
        const { path = "", threadId = "" } = some[index] ?? {}
        if (outcome.status === "rejected") {
          // What was moved or compressed since it was found is found again by the next list.
          if (!isTreelogError(outcome.reason, "SessionNotFoundError"))
            unreadable.push({ path, threadId, error: outcome.reason })
        } else {
          byGeneration.set(outcome.value.generation, outcome.value)
          byThread.set(threadId, [...(byThread.get(threadId) ?? []), outcome.value])
        }
      }
    }
    const find = (generation: string): HeadedRollout | undefined => byGeneration.get(generation)
    return { byThread, find, errors: unreadable, titles: await threadTitles(this.fs, this.folder) }
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
