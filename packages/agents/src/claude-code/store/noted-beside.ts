import { basename, join } from "node:path"
import { type Json, OpenedFile, parsedObject, wholeFile } from "@treelog-internal/agent-files"
import type { FsPort } from "@treelog-internal/fs"
import type { NotedBeside } from "../convert.js"

/** Says whether the session was archived, and when. */
const ARCHIVED = "archived.json"
/** Its last title that is not a model's. */
const TITLE = "custom-title.json"
/** What Claude Code notes of a session, in the folder that this has beside its file. */
export const NOTES = [ARCHIVED, TITLE]

/** Of a session of Cowork, the folder that it has in that of its account. */
const IN_COWORK = /^(.*[/\\]local_[^/\\]+)[/\\]\.claude[/\\]projects[/\\]/

/** The file in which the app of Claude says what it knows of a session of Cowork. @param path of its file, or of another in its folder */
export function appRecordPath(path: string): string | undefined {
  const [, own] = IN_COWORK.exec(path) ?? []
  return own && `${own}.json`
}

/** Whether a file has what is noted of a session. */
export function isNote({ name }: { readonly name: string }): boolean {
  return NOTES.includes(name) || /^local_.*\.json$/.test(name)
}

/** What is noted of a session beside its file. What is damaged says nothing, as for Claude Code and its app. @throws StorageError */
export function notedBeside(fs: FsPort, key: string): NotedBeside {
  const folder = key.replace(/\.jsonl$/, "")
  const record = jsonIn(fs, appRecordPath(key))
  return {
    title: (record && appTitle(record, key)) ?? ownTitle(fs, key, folder),
    cwd: record && filled((Array.isArray(record.userSelectedFolders) ? record.userSelectedFolders : [])[0]),
    archivedAt: record?.isArchived === true ? Number.POSITIVE_INFINITY : archivedAt(fs, folder),
    isOfApp: record !== undefined,
  }
}

/** Others in the folder of a session of Cowork are those before it, such as by `/clear`. */
function appTitle({ title, cliSessionId }: Json, key: string): string | undefined {
  return cliSessionId === basename(key, ".jsonl") ? filled(title) : undefined
}

/** Claude Code looks for a title that a person gave it in so much of the end of a file, before it asks what is noted. Bytes. */
const TAIL = 64 * 1024

function ownTitle(fs: FsPort, key: string, folder: string): string | undefined {
  const title = filled(jsonIn(fs, join(folder, TITLE))?.customTitle)
  if (title === undefined || fs.lstatSync(key) === undefined) return title
  const file = new OpenedFile(fs, key)
  try {
    const tail = file.read(Math.max(0, file.size - TAIL), Math.min(TAIL, file.size)).toString()
    return tail.split("\n").some((line) => /"type": ?"custom-title"/.test(line) && parsedObject(line))
      ? undefined
      : title
  } finally {
    file.close()
  }
}

function archivedAt(fs: FsPort, folder: string): number | undefined {
  const { archived, at } = jsonIn(fs, join(folder, ARCHIVED)) ?? {}
  const time = Date.parse(String(at))
  return archived === true && !Number.isNaN(time) ? time : undefined
}

/** Of a file; a link is none. */
function jsonIn(fs: FsPort, path: string | undefined): Json | undefined {
  if (path === undefined || fs.lstatSync(path)?.isFile() !== true) return undefined
  return parsedObject(new TextDecoder().decode(wholeFile(fs, path).bytes))
}

function filled(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}
