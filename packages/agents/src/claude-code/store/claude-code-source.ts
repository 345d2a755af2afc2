import { basename, join, sep } from "node:path"
import type { SessionEntry, SessionInfo } from "@treelog/session-core"
import type { ListFilter, SessionArtifact } from "@treelog/session-core/adapter"
import {
  type AgentSource,
  type Checkpoint,
  type Conversion,
  type EndOptions,
  type SourceSession,
  type SourceUsage,
  unreadable,
} from "@treelog-internal/agent-files"
import {
  entriesIn,
  type FileStat,
  type FsPort,
  isStat,
  lstatIfThere,
  matchingPaths,
  notAFile,
  statMany,
  withStorageErrors,
  withStorageErrorsSync,
} from "@treelog-internal/fs"
import { COWORK, IN_COWORK } from "../place.js"
import { artifactsOf } from "./artifacts.js"
import {
  agentsOf,
  appRecordFile,
  type BesideFile,
  besideFiles,
  filesIn,
  isSubagent,
  partsVersion,
} from "./beside-files.js"
import { convertFile, fileFacts, isSettled, pathOfEnd, usageOfFile } from "./convert-file.js"
import { mayBeOf } from "./project-folders.js"

const SUFFIX = ".jsonl"
/** Older versions put the transcripts of sub-agents beside the sessions. */
const SUBAGENT = /^agent-/
/** Also the name of the folder of a session. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/**
 * The sessions of Claude Code in a folder, such as `~/.claude`: `projects/<name of the working directory>/<id>.jsonl`. In that of the app of Claude,
 * each session of Cowork has such a folder of its own.
 */
export class ClaudeCodeSource implements AgentSource {
  readonly agent = "claude-code"
  readonly changesBeside = true
  readonly folder: string
  readonly #fs: FsPort
  readonly #isCowork: boolean

  /** @param sessions what has the sessions in the folder */
  constructor(folder: string, fs: FsPort, sessions?: string) {
    this.folder = folder
    this.#fs = fs
    this.#isCowork = sessions === COWORK
  }

  /** The sessions of one project after the other. */
  async *list(filter: ListFilter = {}): AsyncGenerator<SourceSession[]> {
    if (!this.#isCowork) yield* this.#projectsIn(join(this.folder, "projects"), filter)
    else
      for (const path of IN_COWORK) {
        const failed: SourceSession[] = []
        const folders = matchingPaths(
          this.#fs,
          join(this.folder, COWORK),
          `${path}/.claude/projects`,
          (folder, error) => failed.push(unreadable(folder, error)),
        )
        for await (const { path } of folders) yield* this.#projectsIn(path, filter)
        yield failed
      }
  }

  async *#projectsIn(projects: string, filter: ListFilter): AsyncGenerator<SourceSession[]> {
    const cwd = this.listsAll(filter) ? undefined : filter.cwd
    const entries = await entriesIn(this.#fs, projects).catch((error: unknown) => unreadable(projects, error))
    if (!Array.isArray(entries)) yield [entries]
    else
      for (const entry of entries)
        if (!entry.isFile() && (cwd === undefined || mayBeOf(entry.name, cwd))) {
          filter.signal?.throwIfAborted()
          const folder = join(projects, entry.name)
          if (!entry.isSymbolicLink() || (await this.#isFolder(folder)))
            yield await this.#sessionsIn(folder).catch((error: unknown) => [unreadable(folder, error)])
        }
  }

  listsAll({ cwd, project }: ListFilter): boolean {
    return this.#isCowork || cwd === undefined || project !== undefined
  }

  async find(key: string): Promise<SourceSession | undefined> {
    if (!key.endsWith(SUFFIX) || key.includes("\0")) return undefined
    // Without promises: an update of thousands asks for each.
    const stat = withStorageErrorsSync(key, "stat", () => this.#fs.statSync(key))
    if (stat && !stat.isFile()) throw notAFile(key, stat.isDirectory())
    // A link that leads nowhere is something.
    if (!stat && withStorageErrorsSync(key, "stat", () => this.#fs.lstatSync(key)))
      await withStorageErrors(key, "stat", () => this.#fs.stat(key, { bigint: true }))
    const beside = await besideFiles(this.#fs, key)
    return stat ? sessionOf(key, stat, beside) : leftSession(key, beside.filter(isSubagent))
  }

  facts(session: SourceSession): Promise<Omit<SessionInfo, "path">> {
    return fileFacts(this.#fs, session)
  }

  convert({ key }: SourceSession, from?: Checkpoint): Promise<Conversion> {
    return convertFile(this.#fs, key, from)
  }

  artifacts({ key }: SourceSession): AsyncGenerator<SessionArtifact> {
    return artifactsOf(this.#fs, key)
  }

  end({ key }: SourceSession, options: EndOptions): Promise<readonly SessionEntry[] | undefined> {
    return pathOfEnd(this.#fs, key, options)
  }

  usage({ key }: SourceSession): Promise<SourceUsage | undefined> {
    return usageOfFile(this.#fs, key)
  }

  async files({ key }: SourceSession): Promise<readonly string[]> {
    if ((await lstatIfThere(this.#fs, key)) !== undefined) return [key]
    return (await besideFiles(this.#fs, key)).filter(isSubagent).map(({ path }) => path)
  }

  async #sessionsIn(folder: string): Promise<SourceSession[]> {
    const entries = await entriesIn(this.#fs, folder)
    const agents = await agentsOf(this.#fs, folder, entries)
    const record = await appRecordFile(this.#fs, folder)
    const pathOf = (id: string): string => folder + sep + id + SUFFIX
    const names = entries.filter((entry) => entry.name.endsWith(SUFFIX) && !entry.isDirectory()).map(({ name }) => name)
    const paths = names.filter((name) => !SUBAGENT.test(name)).map((name) => folder + sep + name)
    const outcomes = await statMany(this.#fs, paths)
    const stats = new Map(paths.map((path, index) => [path, outcomes[index]]))
    const folders = new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name))
    // Of some sessions only sub-agents are left.
    const left = [...entries.filter((entry) => entry.isDirectory()).map(({ name }) => name), ...agents.keys()]
    const ids = left.filter((id) => id !== undefined && SESSION_ID.test(id)) as string[]
    const sessions: SourceSession[] = []
    for (const path of new Set([...paths, ...ids.map(pathOf)])) {
      const stat = stats.get(path)
      const id = basename(path, SUFFIX)
      const isFile = isStat(stat) && stat.isFile()
      // `find` meets the error again, where it lasts.
      const files = isFile && folders.has(id) ? await filesIn(this.#fs, join(folder, id)).catch(() => undefined) : []
      const beside = files && [...(agents.get(id) ?? []), ...files, ...record]
      // Versions from 2.0.20 on made a file without a byte each time that they went on with a session, some with sub-agents that warmed up.
      if (isFile && stat.size === 0n && beside && !beside.some(isSubagent)) continue
      const session =
        isFile && beside
          ? sessionOf(path, stat, beside)
          : await this.find(path).catch((error: unknown) => unreadable(path, error))
      if (session) sessions.push(session)
    }
    return sessions
  }

  async #isFolder(path: string): Promise<boolean> {
    const [stat] = await statMany(this.#fs, [path])
    return isStat(stat) && stat.isDirectory()
  }
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

/** A session whose own file is gone; undefined where no sub-agent is left of it, either. */
function leftSession(key: string, agents: readonly BesideFile[]): SourceSession | undefined {
  if (agents.length === 0) return undefined
  return {
    key,
    id: basename(key, SUFFIX),
    size: agents.reduce((sum, { size }) => sum + size, 0),
    modified: agents.reduce((last, { modified }) => Math.max(last, modified), 0) / 1e6,
    version: `left${partsVersion(agents)}`,
  }
}
