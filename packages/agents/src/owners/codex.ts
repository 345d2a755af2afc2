import { basename, dirname, join, sep } from "node:path"
import { chosenProvider } from "../codex/write/chosen-provider.js"
import {
  type Change,
  changedLines,
  ends,
  type Folders,
  type Json,
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
  textIn,
  type WhyHidden,
} from "./kit.js"

// As Codex 0.171 lists threads for a person: `thread/list` of its app-server without other filters, which its picker shows. Its database is made
// from the rollouts, and again where a row differs from one: these are what is changed, with what the database has of them.

const LISTED = new Set(["cli", "vscode", "custom"])
const ROLLOUT = /(?:^|-)rollout-(\d{4})-(\d\d)-(\d\d)T/
/** Where the records of a rollout name folders. */
const FOLDERS = [
  ["payload", "cwd"],
  ["payload", "runtime_workspace_roots", "*"],
  ["payload", "workspace_roots", "*"],
  ["payload", "thread_settings", "cwd"],
  ["payload", "thread_settings", "runtime_workspace_roots", "*"],
] as const

/** How Codex was started: absent is as an editor. */
function sourceIn({ source }: Json): string {
  if (source === undefined || source === null) return "vscode"
  return typeof source === "string" ? source : (Object.keys(source)[0] ?? "unknown")
}

async function whyHidden(store: OwnedStore, session: OwnedSession, provider: string): Promise<WhyHidden | undefined> {
  const { path, cwd, error } = session
  if (error) return { reason: "damaged", detail: error.message }
  if (path.startsWith(join(store.folder, "archived_sessions", sep))) return { reason: "archived" }
  // Compressed ones are read by treelog, and listed by their rows.
  const texts = path.endsWith(".zst") ? undefined : await ends(store.fs, path, LARGE)
  const records = recordsOf(texts?.head ?? "")
  const meta = objectIn(records[0] ?? {}, "payload") ?? {}
  const source = sourceIn(meta)
  if (source === "subagent") return { reason: "child" }
  if (texts && !LISTED.has(source)) return { reason: "entrypoint", detail: source }
  const own = textIn(meta, "model_provider") ?? provider
  if (own !== provider) return { reason: "provider", detail: own }
  if (texts && !records.some(isPrompt)) return { reason: "no-prompt" }
  return (await realFolder(cwd)) === undefined ? { reason: "folder-gone", detail: cwd } : undefined
}

/** Enough for instructions and tools, which stand before the first prompt. Bytes. */
const LARGE = 4 * 1024 * 1024

/** What a person said, for the list: the words to the model alone do not count. */
function isPrompt({ type, payload }: Json): boolean {
  if (type !== "event_msg" || typeof payload !== "object" || payload === null) return false
  const { type: kind, item } = payload as Json
  return kind === "user_message" || (kind === "item_completed" && /^userMessage$/i.test(String((item as Json)?.type)))
}

/** The database with a table of Codex, of the newest generation; undefined where there is none. */
async function databaseOf({ fs, folder, env }: OwnedStore, name: string): Promise<string | undefined> {
  const at = env.CODEX_SQLITE_HOME || folder
  const number = (file: string): number => Number(/_(\d+)\.sqlite$/.exec(file)?.[1])
  const names = (await namesIn(fs, at, ".sqlite")).filter((file) => file.startsWith(`${name}_`) && number(file) >= 0)
  const [newest] = names.sort((a, b) => number(b) - number(a))
  return newest && join(at, newest)
}

async function rowOf(store: OwnedStore, id: string): Promise<{ path: string; row: Json } | undefined> {
  const path = await databaseOf(store, "state")
  const [row] = path === undefined ? [] : await rowsOf(store, path, "SELECT * FROM threads WHERE id = ?", id)
  return path !== undefined && row ? { path, row } : undefined
}

/** A change of a rollout, and of what Codex's databases have of it. */
async function rewritten(
  store: OwnedStore,
  session: OwnedSession,
  edit: Rewrite,
  set: (row: Json) => Json,
): Promise<Change[]> {
  const { id, path } = session
  const state = await rowOf(store, id)
  const values = state ? changedIn(state.row, set(state.row)) : {}
  return [
    { kind: "rewrite", path, edit },
    ...(await offsets(store, session, edit)),
    ...(state && Object.keys(values).length > 0
      ? [{ kind: "row", path: state.path, table: "threads", id: { id }, set: values } as const]
      : []),
  ]
}

type Rewrite = ReturnType<typeof changedLines>

function changedIn(before: Json, after: Json): Record<string, string | number | null> {
  const changed = Object.entries(after).filter(([name, value]) => name in before && before[name] !== value)
  return Object.fromEntries(changed) as Record<string, string | number | null>
}

/** The history of newer threads has places in the rollout: they move by what the lines before them grow. */
async function offsets(store: OwnedStore, { id, path }: OwnedSession, edit: Rewrite): Promise<Change[]> {
  const database = await databaseOf(store, "thread_history")
  if (database === undefined) return []
  const [turns, states] = [
    await rowsOf(store, database, "SELECT * FROM thread_turns WHERE thread_id = ?", id),
    await rowsOf(store, database, "SELECT * FROM thread_history_projection_state WHERE thread_id = ?", id),
  ]
  if (turns.length + states.length === 0) return []
  const placeAfter = await movedPlaces(store, path, edit)
  const changeOf = (table: string, row: Json, key: readonly string[], names: readonly string[]): Change[] => {
    const set = Object.fromEntries(
      names.flatMap((name) => (typeof row[name] === "number" ? [[name, placeAfter(row[name])]] : [])),
    )
    const own = Object.fromEntries(key.map((name) => [name, String(row[name])]))
    return Object.keys(set).length === 0 ? [] : [{ kind: "row", path: database, table, id: own, set }]
  }
  return [
    ...turns.flatMap((row) =>
      changeOf("thread_turns", row, ["thread_id", "turn_id"], ["rollout_byte_offset", "rollout_end_byte_offset"]),
    ),
    ...states.flatMap((row) =>
      changeOf("thread_history_projection_state", row, ["thread_id"], ["next_rollout_byte_offset"]),
    ),
  ]
}

/** Where a byte at the start or the end of a line is afterwards. */
async function movedPlaces({ fs }: OwnedStore, path: string, edit: Rewrite): Promise<(place: number) => number> {
  const starts = (bytes: Buffer): number[] => {
    const found = [0]
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) found.push(at + 1)
    return found
  }
  const pieces: Uint8Array[] = []
  for await (const piece of edit(fs, path)) pieces.push(Uint8Array.from(piece))
  const whole: Uint8Array[] = []
  for await (const piece of changedLines((one) => one)(fs, path)) whole.push(Uint8Array.from(piece))
  const [before, after] = [starts(Buffer.concat(whole)), starts(Buffer.concat(pieces))]
  return (place) => {
    const at = before.filter((start) => start <= place).length - 1
    return (after[at] ?? 0) + place - (before[at] ?? 0)
  }
}

function metaChanged(change: (meta: Json) => Json): Rewrite {
  return changedLines((one) =>
    one.type === "session_meta" && objectIn(one, "payload") ? { ...one, payload: change(one.payload as Json) } : one,
  )
}

/** Paths within the texts of a row: the sandbox names the folders that may be written. */
function movedText(text: unknown, folders: Folders): unknown {
  if (typeof text !== "string" || !text.startsWith("{")) return text
  return JSON.stringify(JSON.parse(text), (_, value) => movedPath(folders, value) ?? value)
}

async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const changes: Change[] = []
  for (const { session, cwd } of relocation.sessions)
    changes.push(
      ...(await rewritten(store, session, movedInLines(FOLDERS, relocation), (row) => ({
        cwd,
        sandbox_policy: movedText(row.sandbox_policy, relocation),
      }))),
    )
  return changes
}

export const owner: OwnerRules = {
  async whyHidden(store) {
    const provider = await chosenProvider(store.fs, store.folder)
    return (session) => whyHidden(store, session, provider)
  },
  relocate,
  unhides: ["entrypoint", "provider", "archived"],
  async unhide(store, session, { reason }) {
    if (session.path.endsWith(".zst")) return undefined
    if (reason === "entrypoint")
      return rewritten(
        store,
        session,
        metaChanged((meta) => ({ ...meta, source: "cli" })),
        () => ({ source: "cli" }),
      )
    if (reason === "provider") {
      const model_provider = await chosenProvider(store.fs, store.folder)
      return rewritten(
        store,
        session,
        metaChanged((meta) => ({ ...meta, model_provider })),
        () => ({ model_provider }),
      )
    }
    const [, year = "", month = "", day = ""] = ROLLOUT.exec(basename(session.path)) ?? []
    if (reason !== "archived" || year === "") return undefined
    const to = join(dirname(dirname(session.path)), "sessions", year, month, day, basename(session.path))
    const state = await rowOf(store, session.id)
    const set = { archived: 0, archived_at: null, rollout_path: to }
    return [
      { kind: "move", from: session.path, to },
      ...(state ? [{ kind: "row", path: state.path, table: "threads", id: { id: session.id }, set } as const] : []),
    ]
  },
}
