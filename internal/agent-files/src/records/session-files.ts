import { basename, dirname, join } from "node:path"
import { type Diagnostic, isTreelogError, TreelogError } from "@treelog/session-core"
import { type ListFilter, linesOf, sessionChanged } from "@treelog/session-core/adapter"
import {
  entriesIn,
  type FileStat,
  type FolderEntry,
  identityOf,
  isStat,
  type MatchingPath,
  matchingPaths,
  notAFile,
  patternOf,
  type StatOutcome,
  statIfThere,
  statMany,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import type { SourceSession } from "../agent-source.js"
import { type Json, parsedJson } from "../json.js"
import { recordsIn, type SourceRecord } from "../records-in-line.js"
import { wholeFile } from "../whole-file.js"
import { yamlFields } from "../yaml-fields.js"
import { partNameOf, type RecordStore, type StoreOptions, unreadable } from "./record-store.js"

/** How the sessions of an agent lie in files: one session a file. */
export interface SessionFilesOptions {
  /** Paths of the files in the agent's folder, where `*` stands for any part of a name: `tmp/*` + `/chats/session-*.jsonl`. */
  readonly paths: readonly string[]
  /** The id of a session, of the parts of its path that the `*`s stand for; undefined where they do not say. Default: the last of them. */
  readonly idOf?: (stars: readonly string[]) => string | undefined
  /**
   * The session that a file belongs to, by the path of its file in the agent's folder, and as what. Of several paths, the first that is there counts. In
   * its name `*` stands for any part, and the first such file counts. Its name as a part is that of its file, unless another one is said. Default: to none.
   */
  readonly partOf?: (
    stars: readonly string[],
  ) => { readonly of: string | readonly string[]; readonly role: string; readonly name?: string } | undefined
  /** Paths of documents beside a file, which may be missing: with it they make the session. JSON, or YAML of a text in each line. Default: none. */
  readonly beside?: (path: string) => readonly string[]
  /** The converter of a session gets the records of its parts in the same folder, that of a part those of the others: for agents whose calls do not name them. */
  readonly hasPartsBeside?: boolean
  /**
   * The records of a file that is one JSON document, whose name does not end in `.jsonl` where other paths do, with those beside it; undefined for one
   * that is missing. Default: a file has a record in each line.
   */
  readonly recordsOf?: (document: unknown, beside: readonly unknown[]) => Iterable<Json>
}

/** The sessions of an agent in files. Links to files and folders are followed, as the agent does. */
export function sessionFiles({ folder, fs }: StoreOptions, options: SessionFilesOptions): RecordStore {
  const { paths, recordsOf, partOf, beside = () => [], idOf = (stars) => stars.at(-1) ?? "" } = options
  const isLines = (key: string): boolean => key.endsWith(".jsonl") && paths.some((path) => path.endsWith(".jsonl"))
  const statAt = (path: string) => withStorageErrors(path, "stat", () => statIfThere(fs, path))
  const patterns = paths.map((path) => path.split("/").map(patternOf))

  /** @param others the stats of what is beside the file; undefined where it is missing */
  function sessionOf(
    key: string,
    stars: readonly string[],
    stat: FileStat,
    others: readonly StatOutcome[],
    part: SourceSession["part"],
  ): SourceSession {
    const id = idOf(stars)
    return {
      key,
      // In a name with bytes that are not UTF-8 it is not what it was.
      ...(id !== undefined && !id.includes("\uFFFD") && { id }),
      ...(part && { part }),
      size: Number(stat.size),
      modified: Number(stat.mtimeNs) / 1e6,
      version: [stat, ...others]
        .map((one) => (isStat(one) ? `${identityOf(one)} ${one.size} ${one.mtimeNs}` : ""))
        .join(" "),
    }
  }

  /** What a file is of a session that is there. Where that is gone, it is a session of its own. */
  async function partAt(key: string, stars: readonly string[], listed: Listed): Promise<SourceSession["part"]> {
    const part = partOf?.(stars)
    for (const path of part ? [part.of].flat() : []) {
      const of = await ownerAt(join(folder, path), listed)
      if (part && of !== undefined) return { of, name: part.name ?? partNameOf(key), role: part.role }
    }
    return undefined
  }

  /** The path of a file that is there; undefined where it is not. */
  async function ownerAt(path: string, listed: Listed): Promise<string | undefined> {
    const [at, name] = [dirname(path), basename(path)]
    if (!name.includes("*")) return (await statAt(path)) && path
    const [entries] = await Promise.allSettled([listed.get(at) ?? entriesIn(fs, at)])
    // The list has the error.
    if (entries.status === "rejected") return undefined
    listed.set(at, entries.value)
    const pattern = patternOf(name)
    const found = entries.value.find((entry) => pattern.test(entry.name))
    return found && join(at, found.name)
  }

  /** The sessions that a path names. Thousands of stats are made at once. */
  async function sessionsAt(path: string, listed: Listed, signal: AbortSignal | undefined): Promise<SourceSession[]> {
    const files: MatchingPath[] = []
    const sessions: SourceSession[] = []
    const onUnreadable = (at: string, error: unknown) => sessions.push(unreadable(at, error))
    for await (const file of matchingPaths(fs, folder, path, onUnreadable)) {
      signal?.throwIfAborted()
      files.push(file)
    }
    const stats = await statMany(
      fs,
      files.map(({ path }) => path),
    )
    const others = files.map(({ path }, at) => (isStat(stats[at]) ? beside(path) : []))
    const rest = await statMany(fs, others.flat())
    let next = 0
    for (const [at, { path, stars }] of files.entries()) {
      const stat = stats[at]
      const start = next
      next += others[at]?.length ?? 0
      const own = rest.slice(start, next)
      const error = [stat, ...own].find((one) => one instanceof Error)
      if (error) sessions.push(unreadable(path, toStorageError(error, path, "stat") as Error))
      else if (isStat(stat) && stat.isFile())
        sessions.push(sessionOf(path, stars, stat, own, partOf && (await partAt(path, stars, listed))))
      else if (isStat(stat) && !stat.isDirectory()) sessions.push(unreadable(path, notAFile(path, false)))
    }
    return sessions
  }

  async function find(key: string): Promise<SourceSession | undefined> {
    if (key.includes("\0")) return undefined
    const stat = await statAt(key)
    if (!stat) return undefined
    if (!stat.isFile()) throw notAFile(key, stat.isDirectory())
    const [stars, others] = [starsOf(key), await Promise.all(beside(key).map(statAt))]
    return sessionOf(key, stars, stat, others, await partAt(key, stars, new Map()))
  }

  /** What the `*`s of its path stand for; undefined of a file elsewhere. */
  function starsAt(key: string): readonly string[] | undefined {
    const parts = key.split("/")
    for (const pattern of patterns) {
      const found = pattern.map((part, at) => part.exec(parts.at(at - pattern.length) ?? ""))
      if (found.every((one) => one !== null)) return found.flatMap((one) => one.slice(1))
    }
    return undefined
  }

  /** Of a file elsewhere, its name without the ending. */
  function starsOf(key: string): readonly string[] {
    return starsAt(key) ?? [basename(key).replace(/\.[^.]*$/, "")]
  }

  async function* records({ key, version }: SourceSession): AsyncGenerator<SourceRecord> {
    if (!recordsOf || isLines(key)) {
      for (const line of linesOf(wholeFile(fs, key).bytes)) yield* recordsIn(line)
      return
    }
    const faults: Diagnostic[] = []
    const others = await documentsBeside({ key, version }, (fault) => faults.push(fault))
    if (faults.length > 0) yield { faults }
    for (const value of recordsOf(await documentOf(key, key, version), others)) yield { value }
  }

  async function partsBeside(session: SourceSession): Promise<{ name: string; records: Json[] }[]> {
    const parts: { name: string; records: Json[] }[] = []
    if (!options.hasPartsBeside) return parts
    const [at, of] = [dirname(session.key), session.part?.of ?? session.key]
    for (const { name } of await entriesIn(fs, at)) {
      const path = join(at, name)
      const stars = starsAt(path)
      if (path === session.key || !stars || (await partAt(path, stars, new Map()))?.of !== of) continue
      const [found] = await Promise.allSettled([documentOf(path, path, "")])
      // Its own conversion says what is wrong with it.
      if (found.status === "rejected" && !isTreelogError(found.reason)) throw found.reason
      if (found.status === "fulfilled")
        parts.push({ name: partNameOf(name), records: [...(recordsOf?.(found.value, []) ?? [])] })
    }
    return parts
  }

  /** What was said can be read without one that is damaged. */
  async function documentsBeside(
    { key, version }: Pick<SourceSession, "key" | "version">,
    report: (fault: Diagnostic) => void,
  ): Promise<unknown[]> {
    const others: unknown[] = []
    for (const path of beside(key)) {
      const [found] = await Promise.allSettled([documentBeside(path, key, version)])
      if (found.status === "rejected" && !isTreelogError(found.reason, "InvalidSessionError")) throw found.reason
      if (found.status === "rejected") report({ kind: "invalid-json", message: (found.reason as Error).message })
      others.push(found.status === "fulfilled" ? found.value : undefined)
    }
    return others
  }

  /** Undefined for one that is missing. */
  async function documentBeside(path: string, key: string, version: string): Promise<unknown> {
    return (await statAt(path)) && documentOf(path, key, version)
  }

  /** What is not JSON was read while it was written, if the session is another one by now. */
  async function documentOf(path: string, key: string, version: string): Promise<unknown> {
    const text = new TextDecoder().decode(wholeFile(fs, path).bytes)
    if (path.endsWith(".yaml")) return yamlFields(text)
    try {
      return parsedJson(text)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      if ((await find(key))?.version !== version) throw sessionChanged(key, "replaced")
      const found = error.message
      throw new TreelogError("InvalidSessionError", `Not a JSON document (${found}): ${path}`, {
        key,
        found,
        isDamaged: /^\s*[[{]/.test(text),
      })
    }
  }

  return {
    async *list({ signal }: ListFilter) {
      const listed: Listed = new Map()
      for (const path of paths) yield await sessionsAt(path, listed, signal)
    },
    find,
    records,
    beside: async (session, report) => (recordsOf && !isLines(session.key) ? [] : documentsBeside(session, report)),
    parts: partsBeside,
    files: ({ key }) => [key],
    watched: ({ key }) => key,
  }
}

/** What is in folders, of one list. */
type Listed = Map<string, readonly FolderEntry[]>
