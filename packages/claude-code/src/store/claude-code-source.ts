import { basename, join, sep } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import type { ListFilter } from "@treelog/session-core/adapter"
import {
  type AgentSource,
  type Conversion,
  entriesIn,
  type SourceSession,
  unreadable,
} from "@treelog-internal/agent-files"
import {
  type FileStat,
  type FsPort,
  isErrno,
  isStat,
  lstatIfThere,
  notAFile,
  statMany,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import { agentsIn, type BesideFile, besideFiles, filesIn, isSubagent, partsVersion } from "./beside-files.js"
import { convertFile, fileFacts, isSettled } from "./convert-file.js"
import { leftSession } from "./left-session.js"
import { mayBeOf } from "./project-folders.js"

const SUFFIX = ".jsonl"
/** Older versions put the transcripts of sub-agents beside the sessions. */
const SUBAGENT = /^agent-/
/** Also the name of the folder of a session. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** The sessions of Claude Code in a folder, such as `~/.claude`: `projects/<name of the working directory>/<id>.jsonl`. */
export class ClaudeCodeSource implements AgentSource {
  readonly agent = "claude-code"
  readonly conversionVersion = 7
  readonly changesBeside = true
  readonly folder: string
  readonly #fs: FsPort

  constructor(folder: string, fs: FsPort) {
    this.folder = folder
    this.#fs = fs
  }

  /** The sessions of one project after the other. */
  async *list({ cwd, project, signal }: ListFilter = {}): AsyncGenerator<SourceSession[]> {
    const projects = join(this.folder, "projects")
    const [entries] = await Promise.allSettled([entriesIn(this.#fs, projects)])
    if (entries.status === "rejected") yield [unreadable(projects, entries.reason)]
    else
      for (const entry of entries.value) {
        if (!entry.isFile() && (cwd === undefined || project !== undefined || mayBeOf(entry.name, cwd))) {
          signal?.throwIfAborted()
          yield await this.#sessionsIn(join(projects, entry.name), entry.isSymbolicLink())
        }
      }
  }

  async find(key: string): Promise<SourceSession | undefined> {
    if (!key.endsWith(SUFFIX) || key.includes("\0")) return undefined
    try {
      const stat = await this.#fs.stat(key, { bigint: true })
      if (!stat.isFile()) throw notAFile(key, stat.isDirectory())
      return sessionOf(key, stat, await besideFiles(this.#fs, key))
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR")) throw toStorageError(error, key, "stat")
      // A link that leads nowhere is something.
      const isLink = await withStorageErrors(key, "stat", async () => (await lstatIfThere(this.#fs, key)) !== undefined)
      if (isLink) throw toStorageError(error, key, "stat")
      return leftSession(this.#fs, key)
    }
  }

  facts(session: SourceSession): Promise<Omit<SessionInfo, "path">> {
    return fileFacts(this.#fs, session)
  }

  convert({ key }: SourceSession): Promise<Conversion> {
    return convertFile(this.#fs, key)
  }

  async files({ key }: SourceSession): Promise<readonly string[]> {
    if ((await lstatIfThere(this.#fs, key)) !== undefined) return [key]
    return (await besideFiles(this.#fs, key)).filter(isSubagent).map(({ path }) => path)
  }

  /** @param isLink to a folder, or to something else, which has no sessions */
  async #sessionsIn(folder: string, isLink: boolean): Promise<SourceSession[]> {
    if (isLink && !isFolder((await statMany(this.#fs, [folder]))[0])) return []
    const prefix = folder + sep
    const paths: string[] = []
    const [listed] = await Promise.allSettled([entriesIn(this.#fs, folder)])
    if (listed.status === "rejected") return [unreadable(folder, listed.reason)]
    const entries = listed.value
    for (const entry of entries)
      if (entry.name.endsWith(SUFFIX) && !SUBAGENT.test(entry.name) && !entry.isDirectory())
        paths.push(prefix + entry.name)
    const stats = await statMany(this.#fs, paths)
    const sessions: SourceSession[] = []
    const folders = new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name))
    const [agents] = await Promise.allSettled([agentsIn(this.#fs, folder, entries)])
    if (agents.status === "rejected") return [unreadable(folder, agents.reason)]
    const beside = agents.value
    for (const [index, path] of paths.entries()) {
      const stat = stats[index]
      const id = basename(path, SUFFIX)
      const inFolder = folders.has(id) ? await this.#filesIn(join(folder, id)) : []
      const session =
        isStat(stat) && stat.isFile() && !(inFolder instanceof Error)
          ? sessionOf(path, stat, [...(beside.get(id) ?? []), ...inFolder])
          : await this.#odd(path)
      if (session) sessions.push(session)
    }
    // Sessions of which only sub-agents are left.
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const ids = [...names, ...beside.keys()].filter((id) => id !== undefined && SESSION_ID.test(id))
    const left = new Set(ids.map((id) => `${prefix}${id}${SUFFIX}`))
    for (const path of paths) left.delete(path)
    for (const path of left) {
      // What is gone by now is none, and what cannot be read is listed with its error.
      const session = await this.#odd(path)
      if (session) sessions.push(session)
    }
    return sessions
  }

  /** Their error where they cannot be read. */
  async #filesIn(folder: string): Promise<BesideFile[] | Error> {
    const [found] = await Promise.allSettled([filesIn(this.#fs, folder)])
    return found.status === "fulfilled" ? found.value : (found.reason as Error)
  }

  /** What is gone, is no file, or has no stat. */
  async #odd(path: string): Promise<SourceSession | undefined> {
    const [found] = await Promise.allSettled([this.find(path)])
    return found.status === "fulfilled" ? found.value : unreadable(path, found.reason)
  }
}

function isFolder(outcome: FileStat | Error | undefined): boolean {
  return isStat(outcome) && outcome.isDirectory()
}

/** @param beside files of its parts: it changes with them */
function sessionOf(key: string, { dev, ino, size, mtimeNs }: FileStat, beside: readonly BesideFile[]): SourceSession {
  const stem = basename(key, SUFFIX)
  const modified = Number(mtimeNs) / 1e6
  return {
    key,
    // In a name with bytes that are not UTF-8 it is not what it was.
    ...(!stem.includes("\uFFFD") && { id: stem }),
    size: Number(size),
    modified,
    // What it is converted to changes when it has settled.
    version: `${dev}:${ino} ${size} ${mtimeNs}${isSettled(modified) ? "" : " live"}${partsVersion(beside)}`,
  }
}
