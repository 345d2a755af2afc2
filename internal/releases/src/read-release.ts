import { relative, sep } from "node:path"
import { undoSweep, verifyBlobs } from "@treelog/blob-store"
import type { SessionTreeNode } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { type AgentStore, openAgentStore, PROJECT } from "./agent-store.js"
import { filesBelow } from "./files-below.js"

/** Everything that can be read in the folder of an agent, as JSON. It restores what is in the trashes, so give it a copy. */
export async function readRelease(agent: string): Promise<object> {
  const store = openAgentStore(agent)
  const files = filesBelow(agent)
  const trashed = await readTrash(store)
  return {
    files,
    trashed,
    sweptBlobs: await undoSweep(store.blobsFolder),
    blobs: await readBlobs(store),
    breadcrumb: await store.storage.breadcrumbs.read(),
    sessions: await readSessions(store),
    history: await readHistory(store),
  }
}

async function readSessions(store: AgentStore): Promise<object[]> {
  const infos = []
  for await (const { path, ...info } of store.sessions.listAll()) infos.push({ path, info })
  infos.sort((a, b) => (a.path < b.path ? -1 : 1))
  const read = []
  for (const { path, info } of infos) read.push({ info, ...(await readSession(store, path)) })
  return read
}

async function readSession({ sessions, folder }: AgentStore, path: string): Promise<object> {
  const session = await sessions.open(path, { access: "read" })
  const { ok, diagnostics } = await verifySession(sessions, path)
  const read = {
    file: relative(folder, path).split(sep).join("/"),
    header: session.getHeader(),
    name: session.getSessionName(),
    leaf: session.getLeafId(),
    tree: session.getTree().flatMap((root) => treeLines(root)),
    transcript: session.buildTranscript().map(({ entry }) => entry.id),
    context: await sessions.readContext(path),
    ok,
    diagnostics: diagnostics.map(({ kind, line }) => ({ kind, line })),
  }
  await session.close()
  return read
}

/** `  0000000a message [label]`, each child further in than its parent. */
function treeLines(root: SessionTreeNode): string[] {
  const lines: string[] = []
  const waiting = [{ node: root, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next
    const label = node.label === undefined ? "" : ` [${node.label}]`
    lines.push(`${" ".repeat(depth)}${node.entry.id} ${node.entry.type}${label}`)
    waiting.push(...node.children.map((child) => ({ node: child, depth: depth + 1 })).reverse())
  }
  return lines
}

/** Names what is in the trash of sessions, and restores it. */
async function readTrash({ storage, folder }: AgentStore): Promise<object[]> {
  const trashed = []
  for await (const { path, from, deleted } of storage.trash.list()) trashed.push({ path, from, deleted })
  for (const { path } of trashed) await storage.trash.restore(path)
  return trashed.map(({ from, deleted }) => ({ from: relative(folder, from).split(sep).join("/"), deleted }))
}

async function readBlobs({ blobsFolder }: AgentStore): Promise<object[]> {
  const blobs = []
  for await (const check of verifyBlobs(blobsFolder)) if (check.state !== "foreign") blobs.push(check)
  const key = (check: { hash: string }): string => check.hash
  return blobs.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

async function readHistory({ history }: AgentStore): Promise<object> {
  const { bytes: _, ...stats } = await history.stats()
  const texts = async (query: string): Promise<string[]> => (await history.search(query)).map(({ text }) => text)
  const read = {
    stats,
    recent: await history.recent(),
    inProject: await history.recent({ scope: { kind: "cwd", cwd: PROJECT } }),
    found: {
      infix: await texts("lak"),
      accents: await texts("CAFE"),
      cjk: await texts("コード"),
      gone: await texts("forgotten"),
    },
  }
  // What was deleted for good does not come back by an import.
  const again = await history.import([{ text: "To be forgotten", createdAt: 0 }])
  await history.close()
  return { ...read, again }
}
