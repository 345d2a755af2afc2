import { basename, dirname, join, sep } from "node:path"
import { isListed, sourceIn } from "../codex/rollout/rollout-head.js"
import { findRollouts } from "../codex/source/find-rollouts.js"
import { RolloutHeads } from "../codex/source/rollout-heads.js"
import { chosenProvider } from "../codex/write/chosen-provider.js"
import {
  type Change,
  changedLines,
  type Edit,
  ends,
  type Folders,
  type Json,
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
  withMovedPaths,
} from "./kit.js"

// As Codex 0.171 lists threads for a person: `thread/list` of its app-server without other filters, which its picker shows. Its database is made
// from the rollouts, and again where a row differs from one: these are what is changed, with what the database has of them.

const ROLLOUT = /(?:^|-)rollout-(\d{4})-(\d\d)-(\d\d)T/
/** Where the records of a rollout name folders. */
const FOLDERS = [
  ["payload", "cwd"],
  ["payload", "runtime_workspace_roots", "*"],
  ["payload", "workspace_roots", "*"],
  ["payload", "thread_settings", "cwd"],
  ["payload", "thread_settings", "runtime_workspace_roots", "*"],
] as const

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
  if (texts && !isListed(meta)) return { reason: "entrypoint", detail: source }
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

/** What a row of the database gets. */
async function stateChange(store: OwnedStore, id: string, set: (row: Json) => Json): Promise<Change[]> {
  const state = await rowOf(store, id)
  const values = state ? changedIn(state.row, set(state.row)) : {}
  if (!state || Object.keys(values).length === 0) return []
  return [{ kind: "row", path: state.path, table: "threads", id: { id }, set: values }]
}

/** The rollouts of threads, as they are changed, and those whose history goes on from one of them: they name a place in it. */
async function rewritten(store: OwnedStore, threads: ReadonlySet<string>, edit: Edited): Promise<Change[]> {
  const { fs, folder } = store
  const { rollouts } = await findRollouts(fs, folder)
  const plain = rollouts.filter(({ isCompressed }) => !isCompressed)
  const heads = new RolloutHeads(fs)
  const bases = new Map<string, string | undefined>()
  for (const rollout of plain) bases.set(rollout.generation, (await heads.read(rollout)).head.base?.id)
  const edits = new Map<string, Rewrite>()
  const places = new Map<string, Promise<(place: number) => number>>()
  /** Undefined of one that does not change. */
  const editOf = (generation: string, after: readonly string[] = []): Rewrite | undefined => {
    // In a circle, as only damage makes one.
    if (after.includes(generation)) return undefined
    const rollout = plain.find((one) => one.generation === generation)
    const base = bases.get(generation)
    const isBaseChanged = base !== undefined && editOf(base, [...after, generation]) !== undefined
    const isMeant = rollout !== undefined && threads.has(rollout.threadId)
    if (!rollout || (!isMeant && !isBaseChanged)) return undefined
    const known = edits.get(generation)
    if (known) return known
    const made: Rewrite = async function* (port, path) {
      const placeInBase = isBaseChanged && base !== undefined ? await places.get(base) : undefined
      yield* changedLines((one) => withBase(isMeant ? edit(one) : one, placeInBase))(port, path)
    }
    edits.set(generation, made)
    places.set(generation, movedPlaces(store, rollout.name, made))
    return made
  }
  const changes: Change[] = []
  for (const { generation, name } of plain) {
    const made = editOf(generation)
    if (!made) continue
    changes.push({ kind: "rewrite", path: name, edit: made })
    changes.push(...(await offsets(store, generation, (await places.get(generation)) ?? ((place) => place))))
  }
  return changes
}

type Edited = (record: Json) => Json

function withBase(record: Json, placeAfter: ((place: number) => number) | undefined): Json {
  const payload = objectIn(record, "payload") ?? {}
  const base = record.type === "session_meta" && placeAfter ? objectIn(payload, "history_base") : undefined
  if (!base || !placeAfter || typeof base.end_byte_offset !== "number") return record
  const next = { ...base, end_byte_offset: placeAfter(base.end_byte_offset) }
  return { ...record, payload: { ...payload, history_base: next } }
}

type Rewrite = Edit

function changedIn(before: Json, after: Json): Record<string, string | number | null> {
  const changed = Object.entries(after).filter(([name, value]) => name in before && before[name] !== value)
  return Object.fromEntries(changed) as Record<string, string | number | null>
}

/** The history of newer threads has places in the rollout: they move by what the lines before them grow. */
async function offsets(
  store: OwnedStore,
  generation: string,
  placeAfter: (place: number) => number,
): Promise<Change[]> {
  const database = await databaseOf(store, "thread_history")
  if (database === undefined) return []
  const [turns, states] = [
    await rowsOf(store, database, "SELECT * FROM thread_turns WHERE thread_id = ?", generation),
    await rowsOf(store, database, "SELECT * FROM thread_history_projection_state WHERE thread_id = ?", generation),
  ]
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

function metaChanged(change: (meta: Json) => Json): Edited {
  return (one) =>
    one.type === "session_meta" && objectIn(one, "payload") ? { ...one, payload: change(one.payload as Json) } : one
}

/** Paths within the texts of a row: the sandbox names the folders that may be written. */
function movedText(text: unknown, folders: Folders): unknown {
  if (typeof text !== "string" || !text.startsWith("{")) return text
  return JSON.stringify(JSON.parse(text), (_, value) => movedPath(folders, value) ?? value)
}

async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const threads = new Set(relocation.sessions.map(({ session }) => session.id))
  const changes = await rewritten(store, threads, (one) => withMovedPaths(one, FOLDERS, relocation))
  for (const { session, cwd } of relocation.sessions)
    changes.push(
      ...(await stateChange(store, session.id, (row) => ({
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
    const set =
      reason === "provider" ? { model_provider: await chosenProvider(store.fs, store.folder) } : { source: "cli" }
    if (reason === "provider" || reason === "entrypoint")
      return [
        ...(await rewritten(
          store,
          new Set([session.id]),
          metaChanged((meta) => ({ ...meta, ...set })),
        )),
        ...(await stateChange(store, session.id, () => set)),
      ]
    const [, year = "", month = "", day = ""] = ROLLOUT.exec(basename(session.path)) ?? []
    if (reason !== "archived" || year === "") return undefined
    const to = join(dirname(dirname(session.path)), "sessions", year, month, day, basename(session.path))
    const state = await rowOf(store, session.id)
    const values = { archived: 0, archived_at: null, rollout_path: to }
    return [
      { kind: "move", from: session.path, to },
      ...(state
        ? [{ kind: "row", path: state.path, table: "threads", id: { id: session.id }, set: values } as const]
        : []),
    ]
  },
}
