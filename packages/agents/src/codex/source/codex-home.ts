import { sep } from "node:path"
import { type FileNotes, isMoved, type SourceSession, unreadable } from "@treelog-internal/agent-files"
import { type FsPort, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import {
  type Files,
  type NamedRollout,
  planThread,
  rootsOf,
  type ThreadStep,
  threadsOf,
} from "../convert/thread-plan.js"
import { rolloutName } from "../rollout/rollout-name.js"
import { findRollouts, KnownRollouts } from "./find-rollouts.js"
import { type HeadedRollout, RolloutHeads } from "./rollout-heads.js"

/** A thread: its files by time, and what its conversion reads. */
export interface Thread {
  readonly id: string
  readonly files: Files<HeadedRollout>
  readonly steps: readonly ThreadStep[]
  readonly title: string | undefined
}

/** A thread, and the one that it works for: itself, if no thread started it, or if that one is gone. */
export interface RootedThread {
  readonly thread: Thread
  readonly root: Thread
}

type Heads = Map<string, HeadedRollout>

/** So many heads are read at a time: enough to keep a disk busy. */
const AT_A_TIME = 16
/** So often files are looked for again that Codex has compressed, restored or archived since they were found. */
const ATTEMPTS = 5

/** The folder of Codex. */
export class CodexHome {
  readonly folder: string
  readonly fs: FsPort
  readonly #heads: RolloutHeads
  readonly #rollouts: KnownRollouts
  readonly #titles: () => Promise<ReadonlyMap<string, string>>

  /** @param titles the names of threads, by id */
  constructor(folder: string, fs: FsPort, titles: () => Promise<ReadonlyMap<string, string>>) {
    this.folder = folder
    this.fs = fs
    this.#titles = titles
    this.#heads = new RolloutHeads(fs)
    this.#rollouts = new KnownRollouts(fs, folder)
  }

  useNotes(notes: FileNotes): void {
    this.#heads.notes = notes
  }

  /** All threads, each with the one that it was started for, and what cannot be read. Of each rollout, only the head is read. */
  async threads(): Promise<{ threads: RootedThread[]; unread: readonly SourceSession[] }> {
    const heads: Heads = new Map()
    let unread: SourceSession[] = []
    for (let attempt = 1, isComplete = false; !isComplete && attempt <= ATTEMPTS; attempt++) {
      const { rollouts, errors } = await findRollouts(this.fs, this.folder)
      unread = [...errors]
      isComplete = await this.#readHeads(rollouts, heads, unread)
    }
    const titles = await this.#titles()
    const files = threadsOf(heads.values())
    const roots = rootsOf(files)
    const found = new Map([...files].map(([id, own]) => [id, threadOf(id, own, titles, heads)]))
    const threads = [...found].map(([id, thread]) => ({ thread, root: found.get(roots.get(id) ?? id) ?? thread }))
    return { threads, unread }
  }

  /** The threads that this one started, and those that they started. */
  async subAgents({ id }: Thread): Promise<Thread[]> {
    const { threads } = await this.threads()
    return threads.flatMap(({ thread, root }) => (thread !== root && root.id === id ? [thread] : []))
  }

  /**
   * The thread that has this rollout, wherever Codex has put it since. Reads only the heads of its files, and of those that they go on
   * from. A rollout outside the folder, whatever its name is, is a thread by itself.
   * @throws StorageError
   */
  threadAt(path: string): Promise<Thread | undefined> {
    return whileMoved(async () => {
      const { rollouts } = await this.#rollouts.find()
      const name = path.startsWith(this.folder + sep) ? rolloutName(path) : undefined
      const at = rollouts.find(({ generation }) => generation === name?.generation)
      const own = at ? rollouts.filter(({ threadId }) => threadId === at.threadId) : []
      return this.#thread(name ? own : await this.#elsewhere(path), rollouts)
    })
  }

  /** A rollout that is not in the folder; none where there is none. */
  async #elsewhere(name: string): Promise<NamedRollout[]> {
    if (!/\.jsonl(\.zst)?$/.test(name)) return []
    const stat = await withStorageErrors(name, "read", () => statIfThere(this.fs, name))
    if (!stat?.isFile()) return []
    const unnamed = { name, threadId: "", generation: "", time: "", isCompressed: name.endsWith(".zst") }
    const { threadId } = (await this.#heads.read(unnamed)).head
    const named = rolloutName(name)
    if (named) return [{ ...named, name }]
    return threadId === undefined ? [] : [{ ...unnamed, threadId, generation: threadId }]
  }

  async #thread(own: readonly NamedRollout[], rollouts: readonly NamedRollout[]): Promise<Thread | undefined> {
    const all = new Map(rollouts.map((rollout) => [rollout.generation, rollout]))
    const heads: Heads = new Map()
    const readBases = async (rollout: NamedRollout | undefined): Promise<void> => {
      if (!rollout || heads.has(rollout.generation)) return
      const headed = await this.#heads.read(rollout)
      heads.set(rollout.generation, headed)
      const { base, forkedFrom } = headed.head
      await readBases(all.get(base?.id ?? forkedFrom ?? ""))
    }
    for (const rollout of own) await readBases(rollout)
    const [thread] = threadsOf(own.flatMap(({ generation }) => heads.get(generation) ?? []))
    return thread && threadOf(...thread, await this.#titles(), heads, all)
  }

  /** @returns false when a file was moved since it was found */
  async #readHeads(rollouts: readonly NamedRollout[], into: Heads, unread: SourceSession[]): Promise<boolean> {
    let isComplete = true
    into.clear()
    for (let at = 0; at < rollouts.length; at += AT_A_TIME) {
      const some = rollouts.slice(at, at + AT_A_TIME)
      const outcomes = await Promise.allSettled(some.map((rollout) => this.#heads.read(rollout)))
      for (const [index, outcome] of outcomes.entries()) {
        const { name = "", threadId: id = "" } = some[index] ?? {}
        if (outcome.status === "fulfilled") into.set(outcome.value.generation, outcome.value)
        else if (isMoved(outcome.reason)) isComplete = false
        else unread.push({ ...unreadable(name, outcome.reason), id })
      }
    }
    return isComplete
  }
}

/** Repeats what found a file moved or cut. */
export async function whileMoved<Result>(attempt: () => Promise<Result>): Promise<Result> {
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
  files: Thread["files"],
  titles: ReadonlyMap<string, string>,
  ...known: [heads: Heads, all?: ReadonlyMap<string, NamedRollout>]
): Thread {
  return { id, files, steps: planThread(files, ...known), title: titles.get(id) }
}
