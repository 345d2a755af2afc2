import { dirname, join } from "node:path"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import {
  hasTable,
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

/** The database of each window, beside the file that says what its folder is. */
const WINDOWS = "workspaceStorage/*/state.vscdb"

/** Composers with what the windows that list them say: their folders, names and archive marks, which older versions write nowhere else. */
export function withWindows(options: StoreOptions, composers: RecordStore): RecordStore {
  const windows = sessionDatabase(options, { file: WINDOWS, sessions: composersIn, records: () => [] })
  let lists: Promise<ReadonlyMap<string, Listed>> | undefined

  /** What windows list, by the ids of composers. */
  async function listsOf(): Promise<ReadonlyMap<string, Listed>> {
    const found = new Map<string, Listed>()
    for await (const some of windows.list({}))
      for (const { id, key, version } of some)
        if (id !== undefined)
          found.set(id, { file: join(dirname(dirname(key)), "workspace.json"), facts: parsedObject(version) ?? {} })
    return found
  }

  const store = withFacts(options, composers, async ({ id = "" }, files) => {
    lists ??= listsOf()
    const listed = (await lists).get(id)
    if (!listed) return {}
    const { folder } = ((await files.of(listed.file, workspaceIn)) ?? {}) as { folder?: string }
    return { cwd: folder, ...(Object.keys(listed.facts).length > 0 && { facts: listed.facts }) }
  })
  return {
    ...store,
    list(filter) {
      lists = undefined
      return store.list(filter)
    },
    useNotes(notes) {
      store.useNotes?.(notes)
      windows.useNotes?.(notes)
    },
  }
}

interface Listed {
  /** That says what the folder of the window is. */
  readonly file: string
  readonly facts: Json
}

/** The facts are what changes of them: their version. */
function composersIn(db: SqliteDatabase): readonly SessionRow[] {
  if (!hasTable(db, "ItemTable")) return []
  const row = db
    .prepare("SELECT CAST(value AS TEXT) AS text FROM ItemTable WHERE key = 'composer.composerData'")
    .get<Json>()
  const composers = objectsIn(parsedObject(String(row?.text))?.allComposers)
  return composers.flatMap(({ composerId, name, isArchived }) => {
    const version = JSON.stringify({ ...(typeof name === "string" && { name }), ...(isArchived === true && { isArchived }) }) // biome-ignore format: one call
    return typeof composerId === "string" ? [{ id: composerId, version, size: 0, modified: 0 }] : []
  })
}

function workspaceIn(bytes: Uint8Array): object {
  return { folder: folderIn(parsedObject(new TextDecoder().decode(bytes))) }
}
