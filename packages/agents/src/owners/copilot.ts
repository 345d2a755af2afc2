import { dirname, join } from "node:path"
import {
  type Change,
  type Edit,
  ends,
  movedInLines,
  movedPath,
  namesIn,
  type OwnedSession,
  type OwnedStore,
  type OwnerRules,
  objectIn,
  type Relocation,
  realFolder,
  recordsOf,
  rowsOf,
  textIfThere,
  textIn,
  type WhyHidden,
} from "./kit.js"

// As Copilot CLI 1.0.102 lists sessions to resume: each folder with a `workspace.yaml` and events.

const FOLDERS = [
  ["data", "context", "cwd"],
  ["data", "context", "gitRoot"],
  ["data", "cwd"],
] as const

async function whyHidden(store: OwnedStore, session: OwnedSession): Promise<WhyHidden | undefined> {
  const { path, cwd, error } = session
  if (error) return { reason: "damaged", detail: error.message }
  if (!path.endsWith("/events.jsonl")) return { reason: "version", detail: path }
  const records = recordsOf((await ends(store.fs, path))?.head ?? "")
  const start = objectIn(records.find(({ type }) => type === "session.start") ?? {}, "data") ?? {}
  if (textIn(start, "detachedFromSpawningParentSessionId") !== undefined) return { reason: "child" }
  if (!records.some(({ type }) => type === "user.message")) return { reason: "no-prompt" }
  return (await realFolder(cwd)) === undefined ? { reason: "folder-gone", detail: cwd } : undefined
}

async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const changes: Change[] = []
  for (const { session } of relocation.sessions) {
    changes.push({ kind: "rewrite", path: session.path, edit: movedInLines(FOLDERS, relocation) })
    const workspace = join(dirname(session.path), "workspace.yaml")
    const text = await textIfThere(store.fs, workspace)
    if (text !== undefined) changes.push({ kind: "rewrite", path: workspace, edit: movedYaml(text, relocation) })
  }
  const path = join(store.folder, "session-store.db")
  if ((await namesIn(store.fs, store.folder)).includes("session-store.db"))
    for (const { id, cwd } of await rowsOf(store, path, "SELECT id, cwd FROM sessions")) {
      const moved = movedPath(relocation, cwd)
      if (moved !== undefined)
        changes.push({ kind: "row", path, table: "sessions", id: { id: String(id) }, set: { cwd: moved } })
    }
  return changes
}

/** Its values are plain words, or JSON. */
function movedYaml(text: string, relocation: Relocation): Edit {
  const moved = text.replace(/^(cwd|git_root): (.*)$/gm, (line, name: string, value: string) => {
    const isQuoted = value.startsWith('"')
    const next = movedPath(relocation, isQuoted ? JSON.parse(value) : value)
    return next === undefined ? line : `${name}: ${isQuoted || /[:#'"]/.test(next) ? JSON.stringify(next) : next}`
  })
  return () => [new TextEncoder().encode(moved)]
}

export const owner: OwnerRules = {
  whyHidden: async (store) => (session) => whyHidden(store, session),
  relocate,
}
