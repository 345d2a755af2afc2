import { basename, dirname, join } from "node:path"
import { withoutPasteMarks } from "../claude-code/source/prompt-text.js"
import {
  type Change,
  changedLines,
  type Deletion,
  ends,
  type Json,
  type Member,
  movedInLines,
  movedStrings,
  namesIn,
  type OwnedSession,
  type OwnedStore,
  type OwnerRules,
  objectFrom,
  objectIn,
  type Relocation,
  realFolder,
  recordsOf,
  replacedBy,
  textIn,
  type WhyHidden,
} from "./kit.js"

// As Claude Code 2.1.332 lists sessions, which its SDK does by the same rules (`listSessions` with `includeProgrammatic: false`).

const SDKS = new Set(["sdk-cli", "sdk-ts", "sdk-py"])
const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/i
/** What the program says in the name of the user. */
const NO_PROMPT = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/
/** Where the records of a session, and of its sub-agents, name its folder. */
const FOLDERS = [["cwd"], ["relocatedCwd"]] as const
/** Where its records of processes and jobs do. */
const PLACES = [["cwd"], ["originCwd"], ["worktreePath"]] as const
/** Longer names of folders are cut, and a hash follows. */
const LONGEST = 200
const DAYS = 30
const DAY = 24 * 60 * 60 * 1000
/** The app of Claude, and Cowork in it. */
const APPS: ReadonlySet<unknown> = new Set(["claude-desktop", "claude-desktop-3p", "local-agent", "local_agent"])

/** The name of the folder with the sessions of a working directory. */
export function bucketOf(cwd: string): string {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, "-")
  if (name.length <= LONGEST) return name
  let hash = 0
  for (let at = 0; at < cwd.length; at++) hash = ((hash << 5) - hash + cwd.charCodeAt(at)) | 0
  return `${name.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`
}

async function whyHidden(
  store: OwnedStore,
  session: OwnedSession,
  hidesArchived: boolean,
): Promise<WhyHidden | undefined> {
  const { path, cwd, error } = session
  if (error) return { reason: "damaged", detail: error.message }
  if (!SESSION.test(basename(path))) return { reason: "version", detail: basename(path) }
  const both = await ends(store.fs, path)
  if (!both) return { reason: "damaged", detail: "its file is gone, and only sub-agents are left" }
  const [head, tail] = [recordsOf(both.head), recordsOf(both.tail)]
  const all = both.head === both.tail ? head : [...head, ...tail]
  const entrypoint = entrypointOf(head, tail)
  if (entrypoint !== undefined && SDKS.has(entrypoint)) return { reason: "entrypoint", detail: entrypoint }
  const kind = textIn(head.find((one) => "parentUuid" in one) ?? {}, "sessionKind")
  if (kind?.startsWith("daemon")) return { reason: "entrypoint", detail: kind }
  if (head[0]?.isSidechain === true) return { reason: "child" }
  const last = tail.filter(({ type }) => ["continued-in", "user", "assistant"].includes(String(type))).at(-1)
  const next = last?.type === "continued-in" ? textIn(last, "continuedInSessionId") : undefined
  if (next && (await ends(store.fs, join(dirname(path), `${next}.jsonl`)))) return { reason: "continued", detail: next }
  const noted = await objectFrom(store.fs, join(path.replace(/\.jsonl$/, ""), "custom-title.json"))
  const isNamed = all.some(isTitled) || Boolean(textIn(noted ?? {}, "customTitle")?.trim())
  // A file with nothing but the title of another session names no folder.
  if (cwd === "" || !isNamed) return { reason: "no-prompt" }
  if (hidesArchived && (await isArchived(store, path, all))) return { reason: "archived" }
  return folderReason(path, cwd)
}

/** With which program it began, where that is near its start; else with which it goes on. */
function entrypointOf(head: readonly Json[], tail: readonly Json[]): string | undefined {
  return [...head, ...[...tail].reverse()].map((one) => textIn(one, "entrypoint")).find(Boolean)
}

/** What Claude Code keeps of folders and of its account: in its folder, or beside it. */
async function stateOf({ fs, folder }: OwnedStore): Promise<{ readonly path: string; readonly state: Json }> {
  const [own, beside] = [join(folder, ".claude.json"), join(dirname(folder), ".claude.json")]
  const state = await objectFrom(fs, own)
  return state ? { path: own, state } : { path: beside, state: (await objectFrom(fs, beside)) ?? {} }
}

/** Whether its list leaves archived sessions out: a feature flag of the account, which it caches in its state. Where the former field is there, it reads that. */
async function hidesArchived(store: OwnedStore): Promise<boolean> {
  const { state } = await stateOf(store)
  const flags = objectIn(state, "cachedGrowthBookFeatures") ?? objectIn(state, "cachedFeatureFlags")
  return flags?.tengu_tender_wren === true
}

/** Until a prompt continues it. */
async function isArchived({ fs }: OwnedStore, path: string, records: readonly Json[]): Promise<boolean> {
  const { archived, at } = (await objectFrom(fs, join(path.replace(/\.jsonl$/, ""), "archived.json"))) ?? {}
  const since = Date.parse(String(at))
  if (archived !== true || Number.isNaN(since)) return false
  return !records.some((one) => isPrompt(one) && Date.parse(String(one.timestamp)) > since)
}

async function folderReason(path: string, cwd: string): Promise<WhyHidden | undefined> {
  const bucket = basename(dirname(path))
  const real = await realFolder(cwd)
  if (real === undefined) return { reason: "folder-gone", detail: cwd }
  return bucketOf(real) === bucket ? undefined : { reason: "other-folder", detail: real === cwd ? bucket : real }
}

function isTitled(record: Json): boolean {
  return ["customTitle", "aiTitle", "lastPrompt", "summary"].some((name) => textIn(record, name)) || isPrompt(record)
}

/** Whether a person said it. */
function isPrompt(record: Json): boolean {
  const content = objectIn(record, "message")?.content
  if (record.type !== "user" || record.isMeta === true || record.isCompactSummary === true) return false
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : []
  if (blocks.some(({ type }) => type === "tool_result")) return false
  return blocks.some(
    ({ type, text = "" }) =>
      type === "image" ||
      type === "document" ||
      (String(text).trim() !== "" &&
        (/<command-name>|<bash-input>/.test(text) || !NO_PROMPT.test(withoutPasteMarks(String(text))))),
  )
}

/** Where the settings of an organization are, by system. */
const MANAGED: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
}

/**
 * It deletes in all folders what is older than the settings say that it is started with: those of an organization, else those of the folder, the local
 * ones first, else those of the user. What the shortest of them deletes is not safe. It leaves those of the app, unless the user gives them a period of
 * their own, or the app has released one.
 */
async function deletion({ fs, folder }: OwnedStore, cwds: ReadonlySet<string>): Promise<Deletion> {
  const periodIn = async (paths: readonly string[]): Promise<Deletion | undefined> => {
    for (const path of paths) {
      const days = (await objectFrom(fs, path))?.cleanupPeriodDays
      if (typeof days === "number" && days > 0) return settingOf(path, days)
    }
    return undefined
  }
  const user = join(folder, "settings.json")
  const ofApp = Number((await objectFrom(fs, user))?.desktopSessionCleanupPeriodDays ?? 0)
  const settingOf = (path: string, days?: number): Deletion => {
    const setting = `cleanupPeriodDays in ${path}`
    const afterDays = days ?? DAYS
    const isExempt: Deletion["isExempt"] = async (path, modified, now) =>
      !(ofApp > 0 && modified < now - ofApp * DAY) &&
      !(await isReleased(fs, path, now - afterDays * DAY)) &&
      (await isOfApp(fs, path))
    return { afterDays, setting, isDefault: days === undefined, isExempt }
  }
  const managed = MANAGED[process.platform] ?? "/etc/claude-code"
  const parts = (await namesIn(fs, join(managed, "managed-settings.d"), ".json")).sort().reverse()
  const ofAll = await periodIn([
    join(folder, "remote-settings.json"),
    ...parts.map((name) => join(managed, "managed-settings.d", name)),
    join(managed, "managed-settings.json"),
  ])
  if (ofAll) return ofAll
  let shortest = (await periodIn([user])) ?? settingOf(user)
  for (const cwd of cwds) {
    const own = await periodIn(["settings.local.json", "settings.json"].map((name) => join(cwd, ".claude", name)))
    if (own && own.afterDays < shortest.afterDays) shortest = own
  }
  return shortest
}

async function isOfApp(fs: OwnedStore["fs"], path: string): Promise<boolean> {
  const both = await ends(fs, path)
  return both !== undefined && APPS.has(entrypointOf(recordsOf(both.head), recordsOf(both.tail)))
}

/** Whether the app leaves a session to Claude Code: one that was deleted there, or archived before a time. */
async function isReleased(fs: OwnedStore["fs"], path: string, before: number): Promise<boolean> {
  const note = path.replace(/\.jsonl$/, ".desktop-released.json")
  const reason = (await objectFrom(fs, note))?.reason
  return reason === "delete" || (reason === "archive" && Number(fs.statSync(note)?.mtimeNs) / 1e6 < before)
}

/** The transcripts of a session, and what else it has in its folder, at another working directory. */
function moved(store: OwnedStore, { path }: OwnedSession, cwd: string): Change[] {
  const to = join(store.folder, "projects", bucketOf(cwd))
  return path.startsWith(join(to, "/")) ? [] : [{ kind: "move", from: path, to: join(to, basename(path)) }]
}

async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const { fs, folder } = store
  const edit = movedInLines(FOLDERS, relocation)
  const changes: Change[] = []
  const buckets = new Map<string, string>()
  for (const { session, cwd } of relocation.sessions) {
    const own = session.path.replace(/\.jsonl$/, "")
    changes.push({ kind: "rewrite", path: session.path, edit })
    for (const name of await namesIn(fs, join(own, "subagents"), ".jsonl"))
      changes.push({ kind: "rewrite", path: join(own, "subagents", name), edit })
    const move = moved(store, session, cwd)
    changes.push(...move)
    const target = join(folder, "projects", bucketOf(cwd))
    if (move.length > 0 && (await namesIn(fs, dirname(own))).includes(basename(own)))
      changes.push({ kind: "move", from: own, to: join(target, basename(own)) })
    buckets.set(dirname(own), target)
  }
  for (const [from, to] of buckets)
    if (from !== to && (await onlyMoves(store, from, relocation)) && (await namesIn(fs, from)).includes("memory"))
      if (!(await namesIn(fs, to)).includes("memory"))
        changes.push({ kind: "move", from: join(from, "memory"), to: join(to, "memory") })
  return [...changes, ...(await besides(store, relocation))]
}

/** Whether all sessions of a folder move: then its memory does. */
async function onlyMoves({ fs }: OwnedStore, bucket: string, { sessions }: Relocation): Promise<boolean> {
  const moving = new Set(sessions.map(({ session }) => session.path))
  return (await namesIn(fs, bucket, ".jsonl")).every((name) => moving.has(join(bucket, name)))
}

/** What names the folders of projects elsewhere: prompts, trust and settings, processes that have ended, jobs. */
async function besides(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const { fs, folder } = store
  const isNamed = async (path: string): Promise<boolean> => (await ends(fs, path)) !== undefined
  const changes: Change[] = []
  const history = join(folder, "history.jsonl")
  if (await isNamed(history))
    changes.push({ kind: "rewrite", path: history, edit: movedInLines([["project"]], relocation) })
  const sessions = await namesIn(fs, join(folder, "sessions"), ".json")
  const jobs = await namesIn(fs, join(folder, "jobs"))
  const records = [
    ...sessions.map((name) => join(folder, "sessions", name)),
    ...jobs.map((name) => join(folder, "jobs", name, "state.json")),
  ]
  const add = (path: string, at: readonly Member[], paths: readonly unknown[]): void => {
    const strings = movedStrings(paths, relocation)
    if (Object.keys(strings).length > 0) changes.push({ kind: "document", path, at, strings })
  }
  const { path, state } = await stateOf(store)
  add(path, [["projects", "{}"]], Object.keys(objectIn(state, "projects") ?? {}))
  for (const path of records) {
    const record = (await objectFrom(fs, path)) ?? {}
    add(
      path,
      PLACES,
      PLACES.map(([name]) => record[name]),
    )
  }
  return changes
}

export const owner: OwnerRules = {
  async whyHidden(store) {
    const hides = await hidesArchived(store)
    return (session) => whyHidden(store, session, hides)
  },
  deletion,
  unhides: ["entrypoint", "archived", "other-folder"],
  async unhide(store, session, { reason, detail }) {
    const { path, cwd } = session
    const own = path.replace(/\.jsonl$/, "")
    if (reason === "entrypoint" && SDKS.has(detail ?? ""))
      return [
        {
          kind: "rewrite",
          path,
          edit: changedLines((one) => (SDKS.has(String(one.entrypoint)) ? { ...one, entrypoint: "cli" } : one)),
        },
      ]
    if (reason === "archived")
      return [
        {
          kind: "rewrite",
          path: join(own, "archived.json"),
          edit: replacedBy(
            JSON.stringify({ ...(await objectFrom(store.fs, join(own, "archived.json"))), archived: false }),
          ),
        },
      ]
    if (reason !== "other-folder") return undefined
    const real = (await realFolder(cwd)) ?? cwd
    return relocateOne(store, session, real)
  },
  relocate,
}

/** One session alone goes to another folder. */
async function relocateOne(store: OwnedStore, session: OwnedSession, to: string): Promise<Change[]> {
  const own = session.path.replace(/\.jsonl$/, "")
  const move = moved(store, session, to)
  const isFolder = (await namesIn(store.fs, dirname(own))).includes(basename(own))
  const [{ to: target = "" } = {}] = move as { to?: string }[]
  return [
    { kind: "rewrite", path: session.path, edit: movedInLines(FOLDERS, { from: session.cwd, to }) },
    ...move,
    ...(isFolder && move.length > 0 ? [{ kind: "move", from: own, to: target.replace(/\.jsonl$/, "") } as const] : []),
  ]
}
