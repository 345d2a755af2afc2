import { resolve } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import type { ListFilter } from "@treelog/session-core/adapter"
import type { AgentSource, SessionConversion, SourceSession } from "@treelog-internal/agent-files"
import { type FsPort, nodeFs, sessionNotFound } from "@treelog-internal/fs"
import { CodexHome, type Thread } from "./codex-home.js"
import { ThreadConversion } from "./thread-conversion.js"
import { threadFacts } from "./thread-facts.js"

/** Where Codex keeps its sessions. */
export interface CodexSourceOptions {
  /** The folder with `sessions` and `archived_sessions`: `CODEX_HOME`, or `~/.codex`. */
  readonly dir: string
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
}

/** The sessions in a folder of Codex. The key of one is the path of its first rollout. */
export class CodexSource implements AgentSource {
  readonly agent = "codex"
  readonly conversionVersion = 1
  readonly folder: string
  readonly #home: CodexHome
  /** The threads of sessions that were listed or found. */
  readonly #threads = new WeakMap<SourceSession, Thread>()

  constructor({ dir, fs = nodeFs }: CodexSourceOptions) {
    this.folder = resolve(dir)
    this.#home = new CodexHome(this.folder, fs)
  }

  /** Reads the first line of each rollout that is new or has changed. Threads of sub-agents are listed where their parent is gone. */
  async *list({ cwd, signal }: ListFilter = {}): AsyncGenerator<SourceSession> {
    const { threads, unreadable } = await this.#home.threads()
    for (const thread of threads) {
      if (signal?.aborted) return
      if (cwd === undefined || thread.files.some(({ head, hasHead }) => !hasHead || head.meta.cwd === cwd))
        yield this.#session(thread)
    }
    for (const { path, threadId, error } of unreadable)
      yield { key: path, ...(threadId !== undefined && { id: threadId }), error, size: 0, modified: 0, version: "" }
  }

  /** @param key the path of any of its rollouts */
  async find(key: string): Promise<SourceSession | undefined> {
    const thread = await this.#home.threadAt(key)
    return thread && this.#session(thread)
  }

  async facts(session: SourceSession): Promise<Omit<SessionInfo, "path">> {
    return threadFacts(this.#home.fs, await this.#thread(session))
  }

  convert({ key }: SourceSession): SessionConversion {
    return new ThreadConversion(this.#home, key)
  }

  /** The rollouts of the session and those that it goes on from. */
  async files(session: SourceSession): Promise<readonly string[]> {
    return (await this.#thread(session)).steps.map(({ file }) => file.name)
  }

  async #thread(session: SourceSession): Promise<Thread> {
    const thread = this.#threads.get(session) ?? (await this.#home.threadAt(session.key))
    if (!thread) throw sessionNotFound(session.key)
    return thread
  }

  #session(thread: Thread): SourceSession {
    const { id, files, steps, title } = thread
    const bases = steps.filter(({ isForeign }) => isForeign).map(({ file, end }) => [file.name, end])
    const session: SourceSession = {
      key: files[0]?.path ?? "",
      id,
      size: files.reduce((sum, { size }) => sum + size, 0),
      modified: Math.max(...files.map(({ modified }) => modified)),
      version: JSON.stringify([
        files.map(({ path, size, modified, identity }) => [path, size, modified, identity]),
        bases,
        title,
      ]),
    }
    this.#threads.set(session, thread)
    return session
  }
}
