import { dirname, join } from "node:path"
import { gitDirIn } from "@treelog-internal/fs"
import {
  type Change,
  type Json,
  movedPath,
  type OwnedSession,
  type OwnedStore,
  type OwnerRules,
  type Relocation,
  realFolder,
  rowsOf,
  textIn,
  type WhyHidden,
} from "./kit.js"

// As opencode 1.18 lists sessions (`opencode session list`): those of the project of the folder that no other session started. The project is the
// repository that the folder is in. Archived ones are among them; only the app leaves these out.

/** The project of all folders that are in no repository. */
const GLOBAL = "global"

function pathOf({ folder, sessions }: OwnedStore): string {
  return join(folder, sessions)
}

async function tableOf(store: OwnedStore, table: string): Promise<readonly Json[]> {
  const [known] = await rowsOf(
    store,
    pathOf(store),
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
    table,
  )
  return known ? rowsOf(store, pathOf(store), `SELECT * FROM ${table}`) : []
}

async function whyHidden(
  row: Json | undefined,
  session: OwnedSession,
  ids: ReadonlySet<unknown>,
): Promise<WhyHidden | undefined> {
  if (session.error) return { reason: "damaged", detail: session.error.message }
  // Of the files of older versions, which wrote no database.
  if (!row) return { reason: "version", detail: session.path }
  if (textIn(row, "parent_id"))
    return ids.has(row.parent_id) ? { reason: "child" } : { reason: "child", detail: "its parent is gone" }
  if ((row.project_id ?? GLOBAL) === GLOBAL) return undefined
  const folder = textIn(row, "directory") ?? session.cwd
  const real = await realFolder(folder)
  if (real === undefined) return { reason: "folder-gone", detail: folder }
  return isInRepository(real) ? undefined : { reason: "repository-gone", detail: folder }
}

/** The home folder can be one, too. */
function isInRepository(folder: string): boolean {
  return gitDirIn(folder, "") !== undefined || (dirname(folder) !== folder && isInRepository(dirname(folder)))
}

async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const path = pathOf(store)
  const changes: Change[] = []
  const moved = (value: unknown): string | undefined => movedPath(relocation, value)
  for (const table of ["session", "session_v2", "workspace"])
    for (const row of await tableOf(store, table)) {
      const directory = moved(row.directory)
      if (directory === undefined) continue
      // Without its first slash.
      const plain = typeof row.path === "string" ? moved(`/${row.path}`)?.slice(1) : undefined
      const set = { directory, ...(plain !== undefined && { path: plain }) }
      changes.push({ kind: "row", path, table, id: { id: String(row.id) }, set })
    }
  for (const row of await tableOf(store, "project")) {
    const worktree = moved(row.worktree)
    const sandboxes = movedList(row.sandboxes, relocation)
    const set = { ...(worktree !== undefined && { worktree }), ...(sandboxes !== undefined && { sandboxes }) }
    if (Object.keys(set).length > 0)
      changes.push({ kind: "row", path, table: "project", id: { id: String(row.id) }, set })
  }
  for (const row of await tableOf(store, "project_directory")) {
    const directory = moved(row.directory)
    const id = { project_id: String(row.project_id), directory: String(row.directory) }
    if (directory !== undefined) changes.push({ kind: "row", path, table: "project_directory", id, set: { directory } })
  }
  return changes
}

function movedList(text: unknown, relocation: Relocation): string | undefined {
  if (typeof text !== "string" || !text.startsWith("[")) return undefined
  const next = JSON.stringify(JSON.parse(text), (_, value) => movedPath(relocation, value) ?? value)
  return next === text ? undefined : next
}

export const owner: OwnerRules = {
  async whyHidden(store) {
    const rows = [...(await tableOf(store, "session")), ...(await tableOf(store, "session_v2"))]
    const known = new Map(rows.map((row) => [row.id, row]))
    return (session) => whyHidden(known.get(session.id), session, new Set(known.keys()))
  },
  deletion: async () => undefined,
  relocate,
}
