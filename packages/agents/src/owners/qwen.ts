import { basename, dirname, join } from "node:path"
import {
  type Change,
  ends,
  movedInLines,
  namesIn,
  type OwnedSession,
  type OwnedStore,
  type OwnerRules,
  type Relocation,
  realFolder,
  recordsOf,
  type WhyHidden,
} from "./kit.js"

// As Qwen Code 0.24 lists sessions (`qwen sessions list`): those in the folder of the project, whose first record names it.

const SESSION = /^[0-9a-fA-F-]{32,36}\.jsonl$/
/** So many records are read for a list. */
const FIRST = 10

export function bucketOf(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-")
}

async function whyHidden(store: OwnedStore, session: OwnedSession): Promise<WhyHidden | undefined> {
  const { path, cwd, error } = session
  if (error) return { reason: "damaged", detail: error.message }
  if (!SESSION.test(basename(path))) return { reason: "version", detail: basename(path) }
  if (basename(dirname(path)) === "archive") return { reason: "archived" }
  if (path.includes("/subagents/")) return { reason: "child" }
  const records = recordsOf((await ends(store.fs, path))?.head ?? "").slice(0, FIRST)
  if (records.length === 0) return { reason: "no-prompt" }
  if ((await realFolder(cwd)) === undefined) return { reason: "folder-gone", detail: cwd }
  const bucket = basename(dirname(dirname(path)))
  return bucketOf(cwd) === bucket ? undefined : { reason: "other-folder", detail: bucket }
}

async function relocate(store: OwnedStore, relocation: Relocation): Promise<Change[]> {
  const { fs, folder } = store
  const edit = movedInLines([["cwd"]], relocation)
  const changes: Change[] = []
  const buckets = new Map<string, string>()
  for (const { session, cwd } of relocation.sessions) {
    const [chats, id] = [dirname(session.path), basename(session.path, ".jsonl")]
    const from = basename(chats) === "archive" ? dirname(dirname(chats)) : dirname(chats)
    const to = join(folder, "projects", bucketOf(cwd))
    changes.push({ kind: "rewrite", path: session.path, edit })
    const subagents = join(from, "subagents", id)
    for (const name of await namesIn(fs, subagents, ".jsonl"))
      changes.push({ kind: "rewrite", path: join(subagents, name), edit })
    if (from === to) continue
    // Beside a session: its worktree, its pull request, its ledger.
    for (const name of await namesIn(fs, chats))
      if (name.startsWith(`${id}.`))
        changes.push({ kind: "move", from: join(chats, name), to: join(to, chats.slice(from.length + 1), name) })
    if ((await namesIn(fs, join(from, "subagents"))).includes(id))
      changes.push({ kind: "move", from: subagents, to: join(to, "subagents", id) })
    buckets.set(from, to)
  }
  const moving = new Set(relocation.sessions.map(({ session }) => session.path))
  for (const [from, to] of buckets) {
    const others = (await namesIn(fs, join(from, "chats"), ".jsonl")).filter((name) => SESSION.test(name))
    const isWhole = others.every((name) => moving.has(join(from, "chats", name)))
    if (isWhole && (await namesIn(fs, from)).includes("memory") && !(await namesIn(fs, to)).includes("memory"))
      changes.push({ kind: "move", from: join(from, "memory"), to: join(to, "memory") })
  }
  return changes
}

export const owner: OwnerRules = {
  whyHidden: async (store) => (session) => whyHidden(store, session),
  // Its periods are for backups, logs and transcripts of sub-agents.
  deletion: async () => undefined,
  relocate,
  unhides: ["archived"],
  async unhide(_, { path }, { reason }) {
    const to = join(dirname(dirname(path)), basename(path))
    return reason === "archived" ? [{ kind: "move", from: path, to }] : undefined
  },
}
