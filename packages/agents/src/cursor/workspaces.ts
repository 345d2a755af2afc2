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
  textIn,
  withFolders,
} from "../kit.js"
import { folderIn } from "../vscode/convert.js"

/** The database of each window, beside the file that says what its folder is. */
const WINDOWS = "workspaceStorage/*/state.vscdb"

/** Composers with the folders of the windows that list them: older versions write these nowhere else. */
export function withWindows(options: StoreOptions, composers: RecordStore): RecordStore {
  const windows = sessionDatabase(options, { file: WINDOWS, sessions: composersIn, records: () => [] })
  let files: Promise<ReadonlyMap<string, string>> | undefined

  /** The file of the window that lists a composer, by the id of this. */
  async function filesOf(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for await (const some of windows.list({}))
      for (const { id, key } of some) if (id !== undefined) found.set(id, join(dirname(dirname(key)), "workspace.json"))
    return found
  }

  const store = withFolders(options, composers, async ({ id = "" }, facts) => {
    files ??= filesOf()
    const file = (await files).get(id)
    return file === undefined ? undefined : textIn(((await facts.of(file, workspaceIn)) ?? {}) as Json, "folder")
  })
  return {
    ...store,
    list(filter) {
      files = undefined
      return store.list(filter)
    },
    useNotes(notes) {
      store.useNotes?.(notes)
      windows.useNotes?.(notes)
    },
  }
}

function composersIn(db: SqliteDatabase): readonly SessionRow[] {
  if (!hasTable(db, "ItemTable")) return []
  const row = db
    .prepare("SELECT CAST(value AS TEXT) AS text FROM ItemTable WHERE key = 'composer.composerData'")
    .get<Json>()
  const composers = objectsIn(parsedObject(String(row?.text))?.allComposers)
  return composers.flatMap(({ composerId }) =>
    typeof composerId === "string" ? [{ id: composerId, version: "", size: 0, modified: 0 }] : [],
  )
}

function workspaceIn(bytes: Uint8Array): object {
  return { folder: folderIn(parsedObject(new TextDecoder().decode(bytes))) }
}
