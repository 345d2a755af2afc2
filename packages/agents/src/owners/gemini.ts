import { basename, dirname, join } from "node:path"
import { LEFT_OUT } from "../gemini/messages.js"
import { partsOf } from "../gemini/parts.js"
import {
  type Change,
  ends,
  type FsPort,
  type Json,
  movedStrings,
  namesIn,
  type OwnedSession,
  type OwnedStore,
  type OwnerRules,
  objectFrom,
  objectIn,
  objectsIn,
  type Relocation,
  realFolder,
  recordsOf,
  replacedBy,
  textIfThere,
  textIn,
  type WhyHidden,
} from "./kit.js"

// As Gemini CLI 0.61 lists sessions (`gemini --list-sessions`): those in the folder that `projects.json` gives to the project.

const OWNER = ".project_root"
const DIGEST = /^[0-9a-f]{64}$/
const DAYS = 30

async function whyHidden(store: OwnedStore, session: OwnedSession): Promise<WhyHidden | undefined> {
  const { path, cwd, error } = session
  if (error) return { reason: "damaged", detail: error.message }
  const texts = await ends(store.fs, path)
  const records = path.endsWith(".jsonl") ? recordsOf(texts?.head ?? "") : []
  if (records[0]?.kind === "subagent") return { reason: "child" }
  // A session with nothing but commands has nothing to go on with.
  if (path.endsWith(".jsonl") && !records.some(isSaid)) return { reason: "no-prompt" }
  const folder = basename(dirname(dirname(path)))
  // Whichever project it is, Gemini CLI finds a folder that has the project's digest as its name.
  const isFound = cwd === "" ? DIGEST.test(folder) : (await realFolder(cwd)) !== undefined
  if (!isFound) return { reason: "folder-gone", ...(cwd !== "" && { detail: cwd }) }
  const known = objectIn((await objectFrom(store.fs, join(store.folder, "projects.json"))) ?? {}, "projects") ?? {}
  const named = known[cwd]
  if (typeof named === "string" && named !== folder) return { reason: "other-folder", detail: named }
  const newer = await newerFile(store, session)
  return newer === undefined ? undefined : { reason: "duplicate", detail: newer }
}

/** Gone on with in another minute, a session can have a file more: of those with one id, the list has the newest. */
async function newerFile({ fs }: OwnedStore, { path, id }: OwnedSession): Promise<string | undefined> {
  const own = await updatedAt(fs, path)
  for (const name of await namesIn(fs, dirname(path))) {
    const other = join(dirname(path), name)
    if (other === path || !/\.jsonl?$/.test(name) || !name.includes(`-${id.slice(0, 8)}.`)) continue
    const records = recordsOf((await ends(fs, other))?.head ?? "")
    if (records[0]?.sessionId === id && records.some(isSaid) && (await updatedAt(fs, other)) > own) return other
  }
  return undefined
}

/** When a session says that it was written to last. Milliseconds since 1970. */
async function updatedAt(fs: FsPort, path: string): Promise<number> {
  const { head, tail } = (await ends(fs, path)) ?? { head: "", tail: "" }
  const [, at = ""] = [...`${head}\n${tail}`.matchAll(/"lastUpdated": ?"([^"]+)"/g)].at(-1) ?? []
  return Date.parse(at) || 0
}

/** Whether a record has something to go on with. */
function isSaid(record: Json): boolean {
  const { type, content, toolCalls, thoughts } = record
  const messages = objectIn(record, "$set")?.messages
  if (Array.isArray(messages)) return objectsIn(messages).some(isSaid)
  const text = partsOf(content)
    .map((part) => textIn(part, "text") ?? "")
    .join("")
    .trim()
  if (type === "user") return text !== "" && !LEFT_OUT.test(text)
  return type === "gemini" && (text !== "" || objectsIn(toolCalls).length + objectsIn(thoughts).length > 0)
}

async function deletion({ fs, folder }: OwnedStore) {
  const path = join(folder, "settings.json")
  const general = objectIn((await objectFrom(fs, path)) ?? {}, "general") ?? {}
  const { enabled = true, maxAge } = objectIn(general, "sessionRetention") ?? {}
  if (enabled !== true) return undefined
  const [, number, unit = "d"] = /^(\d+)([hdwm])$/.exec(String(maxAge)) ?? []
  const days = { h: 1 / 24, d: 1, w: 7, m: 30 }[unit as "h" | "d" | "w" | "m"]
  const setting = `general.sessionRetention in ${path}`
  return { afterDays: number === undefined ? DAYS : Number(number) * days, setting, isDefault: number === undefined }
}

/** The folder of a project goes to the other project; where that has one, its sessions do. */
async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const { fs, folder } = store
  const projects = join(folder, "projects.json")
  const known = objectIn((await objectFrom(fs, projects)) ?? {}, "projects") ?? {}
  const changes: Change[] = []
  const kept = new Set<string>()
  for (const [slug, cwd] of slugsOf(relocation)) {
    const target = known[cwd]
    if (typeof target === "string" && target !== slug) {
      kept.add(slug)
      for (const { session } of relocation.sessions)
        if (session.path.startsWith(join(folder, "tmp", slug, "/")))
          changes.push({
            kind: "move",
            from: session.path,
            to: join(folder, "tmp", target, "chats", basename(session.path)),
          })
      continue
    }
    for (const base of ["tmp", "history"]) {
      const path = join(folder, base, slug, OWNER)
      if ((await textIfThere(fs, path)) !== undefined) changes.push({ kind: "rewrite", path, edit: replacedBy(cwd) })
    }
  }
  const paths = Object.keys(known).filter((path) => !kept.has(String(known[path])))
  const strings = movedStrings(paths, relocation)
  if (Object.keys(strings).length > 0)
    changes.push({ kind: "document", path: projects, at: [["projects", "{}"]], strings })
  return changes
}

/** The folders of the projects, with the working directories that they get. */
function slugsOf({ sessions }: Relocation): Map<string, string> {
  return new Map(sessions.map(({ session, cwd }) => [basename(dirname(dirname(session.path))), cwd]))
}

export const owner: OwnerRules = {
  whyHidden: async (store) => (session) => whyHidden(store, session),
  deletion,
  relocate,
}
