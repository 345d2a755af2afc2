import { resolve } from "node:path"
import type { SessionInfo, TreelogError } from "@treelog/session-core"
import type { ListFilter, PartOfSession } from "@treelog/session-core/adapter"
import type { AgentSource, Conversion, FileNotes, SourceSession } from "@treelog-internal/agent-files"
import { type FsPort, nodeFs } from "@treelog-internal/fs"
import { includedDriver, type SqliteDriver } from "@treelog-internal/sqlite"
import { CodexHome, type Thread } from "./codex-home.js"
import { StateTitles } from "./state-titles.js"
import { convertThread } from "./thread-conversion.js"
import { threadFacts } from "./thread-facts.js"

/** Where Codex keeps its sessions. */
export interface CodexSourceOptions {
  /** The folder with `sessions` and `archived_sessions`: `CODEX_HOME`, or `~/.codex`. */
  readonly dir: string
  /** The folder with Codex's database, such as `state_5.sqlite`: `CODEX_SQLITE_HOME`. Default: `dir`. */
  readonly stateDir?: string | undefined
  /** The driver of SQLite to read that with. Default: the one that the runtime includes (Node 22.13 and newer, Bun). */
  readonly loadDriver?: (() => Promise<SqliteDriver | undefined>) | undefined
  /** Called once, with the first reason why the names of threads cannot be read in Codex's database. */
  readonly onTitlesError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
}

/** The sessions in a folder of Codex. The key of one is the path of its first rollout. */
export class CodexSource implements AgentSource {
  readonly agent = "codex"
  readonly conversionVersion = 3
  readonly folder: string
  readonly #home: CodexHome
  /** The threads of sessions that were listed or found. */
  readonly #threads = new WeakMap<SourceSession, Thread>()

  constructor({ dir, stateDir = dir, loadDriver, onTitlesError, fs = nodeFs }: CodexSourceOptions) {
    this.folder = resolve(dir)
    const titles = new StateTitles({
      folder: resolve(stateDir),
      fs,
      loadDriver: loadDriver ?? (async () => includedDriver()),
      onError: onTitlesError,
    })
    this.#home = new CodexHome(this.folder, fs, titles)
  }

  /** Reads the first line of each rollout that is new or has changed. Threads of sub-agents are sessions where their parent is gone. */
  async *list({ cwd, project, signal, parts = false }: ListFilter = {}): AsyncGenerator<SourceSession[]> {
    const { threads, unreadable } = await this.#home.threads()
    signal?.throwIfAborted()
    const isListed = ({ files }: Thread): boolean =>
      cwd === undefined || project !== undefined || files.some(({ head, hasHead }) => !hasHead || head.meta.cwd === cwd)
    const roots = new Map(threads.filter(({ id, root }) => id === root).map((thread) => [thread.id, thread]))
    const listed = threads.filter(({ id, root }) => (parts || id === root) && isListed(roots.get(root) as Thread))
    yield listed.map((thread) => {
      const of = thread.id === thread.root ? undefined : roots.get(thread.root)?.files[0]?.path
      return this.#session(thread, of === undefined ? undefined : partOf(thread, of))
    })
    yield unreadable.map(({ path, threadId, error }) => {
      return { key: path, ...(threadId !== undefined && { id: threadId }), error, size: 0, modified: 0, version: "" }
    })
  }

  /** @param key the path of any of its rollouts */
  async find(key: string): Promise<SourceSession | undefined> {
    const thread = await this.#home.threadAt(key)
    return thread && this.#session(thread)
  }

  useNotes(notes: FileNotes): void {
    this.#home.useNotes(notes)
  }

  async facts(session: SourceSession): Promise<Omit<SessionInfo, "path">> {
    const read = (thread: Thread): ReturnType<typeof threadFacts> => threadFacts(this.#home.fs, thread)
    return this.#home.readThread(session.key, this.#threads.get(session), read)
  }

  convert({ key }: SourceSession): Promise<Conversion> {
    return convertThread(this.#home, key)
  }

  /** The rollouts of the session and those that it goes on from. */
  async files(session: SourceSession): Promise<readonly string[]> {
    return this.#home.readThread(session.key, this.#threads.get(session), async ({ steps }) =>
      steps.map(({ file }) => file.name),
    )
  }

  #session(thread: Thread, part?: PartOfSession): SourceSession {
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
      ...(part && { part }),
    }
    this.#threads.set(session, thread)
    return session
  }
}

function partOf({ id, files }: Thread, of: string): PartOfSession {
  return { of, name: `${id}.jsonl`, role: files[0]?.head.role ?? "subagent" }
}
