import { mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import {
  type CreateOptions,
  isTreelogError,
  type Session,
  type SessionEntry,
  type SessionHeader,
  SessionManager,
} from "@treelog/session-core"
import {
  type LogRecord,
  migrate,
  readAllSync,
  readLogBytes,
  type SessionLog,
  toEntry,
} from "@treelog/session-core/adapter"
import { createSync, forkSync, openSync } from "@treelog/session-core/sync"
import { agentDirOf, FileSessionStorage } from "@treelog/storage-fs"

/** Where a session manager makes and opens its sessions. */
export interface Place {
  /** The folder; empty in memory. */
  readonly dir: string
  /** In memory: the file that was opened last. pi names it also for the sessions that follow. */
  readonly file?: string | undefined
  create(cwd: string, options: CreateOptions): Session
  /**
   * @param cwd the folder of a session that is not there yet. Without it: SessionNotFoundError
   * @throws Error for a file that is not a session, as pi 1.x has it
   */
  open(path: string, cwd?: string): Session
}

/**
 * pi opens one file several times, and its users one session in two terminals: so each append takes the lease. Each is with the
 * operating system when it returns, and the file is made with the first answer: where it has only a prompt, pi 0.74 appends all of its
 * entries a second time.
 */
const AS_PI = {
  access: "shared",
  persist: "pi",
} as const

/** The sessions of one folder. */
export class FolderPlace implements Place {
  readonly dir: string
  readonly storage: FileSessionStorage
  readonly sessions: SessionManager

  constructor(dir: string) {
    this.dir = dir
    this.storage = new FileSessionStorage({ sessionDir: resolve(dir), preset: "pi" })
    this.sessions = new SessionManager({ storage: this.storage })
  }

  create(cwd: string, options: CreateOptions): Session {
    return createSync(this.sessions, cwd, { ...AS_PI, ...options })
  }

  open(path: string, cwd?: string): Session {
    try {
      const session = openSync(this.sessions, path, { ...AS_PI, cwd })
      // A file that is empty gets its header at once.
      session.flushSync()
      return session
    } catch (error) {
      throw isTreelogError(error, "InvalidSessionError") ? noSession(path, error) : error
    }
  }

  /** Copies a whole session into this folder. */
  fork(path: string, cwd: string, options: { id?: string }): Session {
    try {
      return forkSync(this.sessions, path, cwd, { ...AS_PI, ...options, parentSession: path })
    } catch (error) {
      if (!isTreelogError(error, "InvalidSessionError") && !isTreelogError(error, "SessionNotFoundError")) throw error
      throw new Error(`Cannot fork: source session file is empty or invalid: ${path}`, { cause: error })
    }
  }
}

/** Sessions that are written nowhere. */
export class MemoryPlace implements Place {
  readonly dir = ""
  #file: string | undefined
  readonly #storage = new FileSessionStorage()
  readonly #sessions = new SessionManager({ storage: this.#storage })

  get file(): string | undefined {
    return this.#file
  }

  create(cwd: string, { entries = [], ...options }: CreateOptions): Session {
    return this.#sessions.inMemory(cwd, { ...options, entries })
  }

  /** Reads a file, and continues in memory: nothing is written to it. */
  open(path: string, cwd: string): Session {
    const log = this.#read(path)
    // pi passes over a line that cannot be read.
    const records = log?.records.filter(({ lost }) => lost === undefined) ?? []
    const session = log ? this.#migrated({ ...log, records }) : this.create(cwd, {})
    this.#file = path
    return session
  }

  /** The session of a header and entries that are at hand, of any version. */
  load(header: SessionHeader, entries: readonly SessionEntry[]): Session {
    const records = entries.map((entry, index) => ({
      value: entry as unknown as LogRecord["value"],
      place: { line: index + 2, offset: 0, length: 0 },
    }))
    return this.#migrated({ header, records })
  }

  #migrated(log: Parameters<typeof migrate>[0]): Session {
    const { header, records } = migrate(log)
    return this.#sessions.inMemory("", { header, entries: records.flatMap((record) => toEntry(record) ?? []) })
  }

  /** Undefined where there is no file, and where it is empty. */
  #read(path: string): SessionLog | undefined {
    try {
      const stat = this.#storage.statSync(path)
      if (!stat) return undefined
      return readLogBytes(readAllSync(this.#storage, path, stat), path)
    } catch (error) {
      throw isTreelogError(error, "InvalidSessionError") ? noSession(path, error) : error
    }
  }
}

function noSession(path: string, cause: Error): Error {
  return new Error(`Session file is not a valid pi session: ${path}`, { cause })
}

/** The folder of the sessions of a project; it is made, as pi makes it. */
export function defaultSessionDir(cwd: string): string {
  const dir = defaultSessionDirPath(cwd)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return dir
}

export function defaultSessionDirPath(cwd: string): string {
  const storage = new FileSessionStorage({ agentDir: agentDirOf("pi"), preset: "pi" })
  return dirname(storage.keyFor({ cwd: resolvedPath(cwd), id: "0", timestamp: new Date(0).toISOString() }))
}

/** A path as pi 1.x takes it: with `~` and file URLs. */
export function normalizedPath(path: string): string {
  if (path === "~") return homedir()
  if (path.startsWith("~/")) return join(homedir(), path.slice(2))
  return path.startsWith("file://") ? fileURLToPath(path) : path
}

export function resolvedPath(path: string): string {
  return resolve(normalizedPath(path))
}

/** Whether a header names this folder. */
export function isFolder(cwd: unknown, folder: string): boolean {
  return typeof cwd === "string" && cwd !== "" && resolvedPath(cwd) === folder
}
