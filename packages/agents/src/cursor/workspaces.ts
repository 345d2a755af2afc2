import { dirname, join, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import {
  isObject,
  type Json,
  objectsIn,
  parsedObject,
  type RecordStore,
  type SessionRow,
  type StoreOptions,
  sessionDatabase,
  withFacts,
} from "../kit.js"
import { folderIn } from "../vscode/convert.js"
import { itemIn } from "../vscode/window.js"
import { recordsOf, sessionsIn } from "./rows.js"

/** The database of each window, beside the file that says what its folder is. */
const WINDOWS = "workspaceStorage/*/state.vscdb"

/**
 * The conversations in the database of all windows, and of older versions in that of each window, with what lists of them say: their folders, names
 * and archive marks, which some versions write nowhere else.
 */
export function cursorSessions(options: StoreOptions): RecordStore {
  const file = [options.sessions, WINDOWS]
  const sessions = (db: SqliteDatabase) => [...sessionsIn(db), ...listedIn(db)]
  const databases = sessionDatabase(options, { file, sessions, records: recordsOf })
  let lists: Promise<ReadonlyMap<string, Listed>> | undefined

  /** What windows list, by the ids of composers. */
  async function listsOf(): Promise<ReadonlyMap<string, Listed>> {
    const found = new Map<string, Listed>()
    for await (const some of databases.list({}))
      for (const { id, key, version, size } of some)
        if (id !== undefined && size === 0) {
          const composer = id.slice(LISTED.length)
          const facts = { ...found.get(composer)?.facts, ...parsedObject(version) }
          found.set(composer, { file: workspaceFile(key), facts })
        }
    return found
  }

  const store = withFacts(options, databases, async ({ id = "", key }, files) => {
    lists ??= listsOf()
    const listed = isInWindow(key) ? { file: workspaceFile(key), facts: {} } : (await lists).get(id)
    if (!listed) return {}
    const { folder } = ((await files.of(listed.file, workspaceIn)) ?? {}) as { folder?: string }
    return { cwd: folder, ...(Object.keys(listed.facts).length > 0 && { facts: listed.facts }) }
  })
  return {
    ...store,
    async *list(filter) {
      lists = undefined
      const found = new Set<string>()
      for await (const some of store.list(filter)) {
        // What an older version has in a window, a newer one may have taken over.
        const own = some.filter(({ id, size, error }) => {
          const name = needsDriver(error) ? "no driver" : id
          if ((size === 0 && !error) || (name !== undefined && found.has(name))) return false
          if (name !== undefined) found.add(name)
          return true
        })
        yield own
      }
    },
  }
}

interface Listed {
  /** That says what the folder of the window is. */
  readonly file: string
  readonly facts: Json
}

/** Where composers are listed: by each window, and since 3.0 for all windows. */
const LISTS = ["composer.composerData", "composer.composerHeaders"]

/** Before the id of a composer that is listed, which can be in the same database. */
const LISTED = "listed:"

/** What is listed are rows without a size; the facts are what changes of them: their version. */
function listedIn(db: SqliteDatabase): SessionRow[] {
  const lists = LISTS.map((key) => parsedObject(itemIn(db, key) ?? "") ?? {})
  // A window whose list was moved to that of all windows still says which are open in it.
  const open = lists.flatMap(({ selectedComposerIds: ids }) => (Array.isArray(ids) ? ids : []))
  const composers = [
    ...open.map((composerId) => ({ composerId })),
    ...lists.flatMap((list) => objectsIn(list.allComposers)),
  ]
  return composers.flatMap(({ composerId, name, isArchived, workspaceIdentifier }: Json) => {
    const version = JSON.stringify({
      ...(typeof name === "string" && { name }),
      ...(isArchived === true && { isArchived }),
      ...(isObject(workspaceIdentifier) && { workspaceIdentifier }),
    })
    return typeof composerId === "string" ? [{ id: LISTED + composerId, version, size: 0, modified: 0 }] : []
  })
}

function isInWindow(key: string): boolean {
  return key.includes(`${sep}workspaceStorage${sep}`)
}

function workspaceFile(key: string): string {
  return join(dirname(dirname(key)), "workspace.json")
}

/** Where there is no SQLite, one of a hundred databases says so. */
function needsDriver(error: unknown): boolean {
  return isTreelogError(error, "StorageError") && error.data.operation === "open" && error.data.errno === undefined
}

function workspaceIn(bytes: Uint8Array): object {
  return { folder: folderIn(parsedObject(new TextDecoder().decode(bytes))) }
}
