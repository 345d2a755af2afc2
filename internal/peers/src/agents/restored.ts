// Gives agents a session, keeps copies, deletes it, restores it, and asks the agent's own list before, meanwhile and afterwards, and then to go on with it.
// The exit code is 1 when something does not hold.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { SessionInfo } from "@treelog/session-core"
import { keepSessions, keptPlace, openLibrary, restoreKept } from "@treelog/stores"
import { sampleSession } from "@treelog-internal/test-kit/copied-session"
import { AGENTS } from "./agents.js"
import { writeFor } from "./copies/agent-sessions.js"
import type { StartedTarget, Target } from "./copies/target.js"
import { TARGETS } from "./copies/targets.js"
import { install } from "./frame/install.js"
import { type AgentPlace, collected, makePlace, runAgent } from "./frame/run-agent.js"
import { startModelServer } from "./model/model-server.js"

const { values, positionals } = parseArgs({ options: { folder: { type: "string" } }, allowPositionals: true })
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "treelog-restored-")) : resolve(values.folder)
try {
  for (const target of TARGETS.filter(({ program }) => positionals.length === 0 || positionals.includes(program)))
    await tryRestoring(target).catch((error: unknown) => {
      process.stdout.write(`${target.agent}: ${String(error).slice(0, 2_000)}\n`)
      process.exitCode = 1
    })
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

async function tryRestoring({ agent, program, start }: Target): Promise<void> {
  const known = AGENTS.find((one) => one.program === program)
  if (!known) throw new Error(`check-agents has no ${program}.`)
  const at = join(folder, program, "restored")
  rmSync(at, { recursive: true, force: true })
  const place = makePlace(install(known, join(folder, program)), at)
  const model = await startModelServer()
  try {
    const started = start(place, model)
    const { dir, env } = started
    const { id } = await writeFor(agent, await sampleSession(place.project, false), { dir, env, from: "claude-code" })
    const surroundings = { env: { HOME: place.home, PATH: place.env.PATH }, cwd: place.project }
    const { failed } = await keepSessions({ ...surroundings, stores: [agent] })
    const [session] = (await collected((await openLibrary({ ...surroundings, stores: [agent] })).list())).filter(
      (one) => one.id === id,
    )
    if (!session || failed > 0) throw new Error(`${id} is not kept.`)
    const isListed = [await isListedBy(started, session)]
    await deleteSession(agent, place, session)
    isListed.push(
      await isListedBy(started, session).catch((error: unknown) => {
        // An empty list is an error of some agents. That the session is listed again shows that the list works.
        process.stdout.write(`${agent}: its list, when deleted: ${String(error).slice(0, 300)}\n`)
        return false
      }),
    )
    const files = await restore(surroundings, `${agent}:kept`, id)
    isListed.push(await isListedBy(started, session))
    await started.resume(id, "And what is the last word?")
    process.stdout.write(
      `${agent}: listed, when deleted, when restored (${files}): ${isListed.join(", ")}; it goes on\n`,
    )
    if (isListed.join() !== "true,false,true") process.exitCode = 1
  } finally {
    model.close()
  }
}

async function isListedBy(started: StartedTarget, { id, name, firstMessage }: SessionInfo): Promise<boolean> {
  const title = ((name ?? firstMessage).split("\n")[0] ?? "").slice(0, 12).trim()
  return (await started.listed()).some((line) => line.includes(started.hasIds ? id : title))
}

/** Deletes a session: opencode itself, of the others all files of the store. */
async function deleteSession(agent: string, place: AgentPlace, { id }: SessionInfo): Promise<void> {
  if (agent === "opencode") return void (await runAgent(place, "opencode", ["session", "delete", id]))
  const kept = keptPlace({ env: { HOME: place.home }, cwd: place.project }, `${agent}:kept`)
  if (!kept) throw new Error(`There are no copies of ${agent}.`)
  for (const entry of readdirSync(kept.folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).replace(kept.folder, kept.original)
    if (entry.isFile() && existsSync(path)) rmSync(path)
  }
}

/** @returns what was restored */
async function restore(surroundings: Parameters<typeof keptPlace>[0], store: string, id: string): Promise<string> {
  const place = keptPlace(surroundings, store)
  for await (const { source, path: key, id: own } of (await openLibrary({ ...surroundings, stores: [store] })).list())
    if (place && own === id) {
      const { files, rows } = await restoreKept({ place, storage: source.storage, key, id })
      return rows > 0 ? `${rows} rows` : `${files.length} files`
    }
  throw new Error(`${id} is not in ${store}.`)
}
