import { join, resolve } from "node:path"
import type { SessionEntry, SessionInfo } from "@treelog/session-core"
import { type FoundSession, isSameFolder, type ListFilter, type SessionArtifact } from "@treelog/session-core/adapter"
import {
  type AgentSource,
  type Checkpoint,
  type Conversion,
  type EndOptions,
  type FileNotes,
  pathToLast,
  type SourceSession,
  sessionBytes,
} from "@treelog-internal/agent-files"
import { type FsPort, nodeFs, sessionNotFound } from "@treelog-internal/fs"
import { CodexHome, type Thread, whileMoved } from "./codex-home.js"
import { convertThread } from "./convert-thread.js"
import { StateTitles, type TitleOptions } from "./state-titles.js"
import { pathOfEnd } from "./thread-end.js"
import { threadFacts } from "./thread-facts.js"
import { threadTitles } from "./thread-titles.js"

/** Where Codex keeps its sessions. */
export interface CodexSourceOptions extends TitleOptions {
  /** The folder with `sessions` and `archived_sessions`: `CODEX_HOME`, or `~/.codex`. */
  readonly dir: string
  /** The folder with Codex's database, such as `state_5.sqlite`: `CODEX_SQLITE_HOME`. Default: `dir`. */
  readonly stateDir?: string | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
}

/** The sessions in a folder of Codex. The key of one is the path of its first rollout. */
export class CodexSource implements AgentSource {
  readonly agent = "codex"
  readonly folder: string
  readonly #home: CodexHome
  readonly #databases: readonly StateTitles[]
  #notes: FileNotes | undefined
  /** The threads of sessions that were listed or found. */
  readonly #threads = new WeakMap<SourceSession, Thread>()

  constructor({ dir, stateDir = dir, fs = nodeFs, ...options }: CodexSourceOptions) {
    this.folder = resolve(dir)
    // The desktop app has a database of its own.
    this.#databases = [stateDir, join(dir, "sqlite")].map((folder) => new StateTitles(resolve(folder), fs, options))
    this.#home = new CodexHome(this.folder, fs, () => threadTitles(fs, this.folder, this.#databases))
  }

  /** Reads the first line of each rollout that is new or has changed. Threads of sub-agents are sessions where their parent is gone. */
  async *list(filter: ListFilter = {}): AsyncGenerator<readonly SourceSession[]> {
    const { threads, unread } = await this.#home.threads()
    filter.signal?.throwIfAborted()
    const cwd = this.listsAll(filter) ? undefined : filter.cwd
    const isListed = ({ files }: Thread): boolean =>
      cwd === undefined || files.some(({ head, hasHead }) => !hasHead || isSameFolder(String(head.meta.cwd ?? ""), cwd))
    const listed = threads.filter(({ thread, root }) => (filter.parts || thread === root) && isListed(root))
    yield listed.map(({ thread, root }) => {
      if (thread === root) return this.#session(thread)
      const { id, files } = thread
      return this.#session(thread, { of: root.files[0].name, name: `${id}.jsonl`, role: files[0].head.role })
    })
    yield unread
  }

  listsAll({ cwd, project }: ListFilter): boolean {
    return cwd === undefined || project !== undefined
  }

  /** @param key the path of any of its rollouts */
  async find(key: string): Promise<SourceSession | undefined> {
    const thread = await this.#home.threadAt(key)
    return thread && this.#session(thread)
  }

  useNotes(notes: FileNotes): void {
    this.#notes = notes
    for (const database of this.#databases) database.notes = notes
    this.#home.useNotes(notes)
  }

  facts(session: SourceSession): Promise<Omit<SessionInfo, "path">> {
    return this.#read(session, (thread) => threadFacts(this.#home.fs, thread))
  }

  /** @throws InvalidSessionError, SessionNotFoundError, SessionChangedError, StorageError */
  async convert({ key }: Pick<SourceSession, "key">, from?: Checkpoint): Promise<Conversion> {
    const thread = await this.#home.threadAt(key)
    if (!thread) throw sessionNotFound(key)
    return convertThread(this.#home.fs, thread, from)
  }

  /** Where the end is not enough, and no parts are wanted, the whole path. */
  async end(session: SourceSession, options: EndOptions): Promise<readonly SessionEntry[] | undefined> {
    const end = await this.#read(session, async (thread) => pathOfEnd(this.#home.fs, thread, options, this.#notes))
    if (end || options.withParts) return end
    return pathToLast([...(await this.convert(session)).entries] as SessionEntry[])
  }

  async *artifacts(session: SourceSession): AsyncGenerator<SessionArtifact> {
    for (const { id, files } of await this.#read(session, (thread) => this.#home.subAgents(thread)))
      yield { name: `${id}.jsonl`, chunks: this.#bytesOf(files[0].name) }
  }

  async *#bytesOf(key: string): AsyncGenerator<Uint8Array> {
    yield* sessionBytes(await this.convert({ key }))
  }

  /** The rollouts of the session and those that it goes on from. */
  files(session: SourceSession): Promise<readonly string[]> {
    return this.#read(session, async ({ steps }) => steps.map(({ file }) => file.name))
  }

  /** Reads in the files of a thread, again where they were moved since it was found. @throws SessionNotFoundError, StorageError */
  #read<Result>(session: SourceSession, read: (thread: Thread) => Promise<Result>): Promise<Result> {
    let found = this.#threads.get(session)
    return whileMoved(async () => {
      const thread = found ?? (await this.#home.threadAt(session.key))
      found = undefined
      if (!thread) throw sessionNotFound(session.key)
      return read(thread)
    })
  }

  #session(thread: Thread, part?: NonNullable<FoundSession["part"]>): SourceSession {
    const { id, files, steps, title } = thread
    const own = files.map(({ name, size, modified, identity }) => [name, size, modified, identity])
    const bases = steps.filter(({ isForeign }) => isForeign).map(({ file, end }) => [file.name, end])
    const session: SourceSession = {
      key: files[0].name,
      id,
      size: files.reduce((sum, { size }) => sum + size, 0),
      modified: Math.max(...files.map(({ modified }) => modified)),
      version: JSON.stringify([own, bases, title]),
      ...(part && { part }),
    }
    this.#threads.set(session, thread)
    return session
  }
}
