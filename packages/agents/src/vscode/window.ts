import { join, relative, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import {
  hasTable,
  isObject,
  type Json,
  objectsIn,
  parsedObject,
  type RecordStore,
  type StoreOptions,
  sessionDatabase,
} from "../kit.js"

/** The text of an item that VS Code keeps, of a window or of all. Extensions spell their names in letters of each case. */
export function itemIn(db: SqliteDatabase, key: string): string | undefined {
  if (!hasTable(db, "ItemTable")) return undefined
  const row = db
    .prepare("SELECT CAST(value AS TEXT) AS text FROM ItemTable WHERE key = ? COLLATE NOCASE")
    .get<Json>(key)
  return typeof row?.text === "string" ? row.text : undefined
}

/** Of each window with chats, those that the user has archived. */
export function archivedChats(options: StoreOptions): (key: string, id: string) => Promise<boolean> {
  const databases = sessionDatabase(options, {
    file: "workspaceStorage/*/state.vscdb",
    sessions: archivedIn,
    records: () => [],
  })
  return async (key, id) => {
    const [storage = "", window = ""] = relative(options.folder, key).split(sep)
    const path = join(options.folder, storage, window, "state.vscdb", encodeURIComponent(id))
    return (await foundIn(databases, path)) !== undefined
  }
}

/** What a database says of a session that is elsewhere, which can be read without SQLite, and beside a database that is damaged. */
export async function foundIn(databases: RecordStore, key: string): ReturnType<RecordStore["find"]> {
  const [found] = await Promise.allSettled([databases.find(key)])
  if (found.status === "rejected" && !isTreelogError(found.reason)) throw found.reason
  return found.status === "fulfilled" ? found.value : undefined
}

/** A chat is named by its id in base64, behind the last slash. */
function archivedIn(db: SqliteDatabase) {
  const states = objectsIn(parsedObject(`{"states":${itemIn(db, "agentSessions.state.cache") ?? "[]"}}`)?.states)
  return states.flatMap(({ archived, resource }: Json) => {
    const path = isObject(resource) ? resource.path : resource
    const id = typeof path === "string" ? Buffer.from(path.slice(path.lastIndexOf("/") + 1), "base64").toString() : ""
    return archived === true && id !== "" ? [{ id, version: "archived", size: 0, modified: 0 }] : []
  })
}
