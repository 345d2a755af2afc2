import { spawn } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { tries, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { AGENT_SAMPLES, agentSession } from "../agent-samples.js"
import { MAIN } from "../built-imports.js"
import { type Sandbox, sandbox } from "../sandbox.js"

// Commands that read every session, ended at any moment, in stores where some sessions are broken. They run what `npm run build` made.

const SESSIONS = 20
const KILLS = tries(2)

interface Store {
  readonly name: string
  readonly signal: "SIGINT" | "SIGKILL"
  /** Stores sound sessions, each with the word `needle`. Returns the paths of broken ones beside them. */
  readonly fill: (box: Sandbox) => string[]
}

const STORES: readonly Store[] = [
  {
    name: "treelog",
    signal: "SIGKILL",
    fill: (box) => {
      for (let at = 0; at < SESSIONS; at++)
        box.store([userEntry(`e${at}`, null, `needle ${at}`)], { id: `sound-${at}` })
      const foreign = box.store([], { id: "foreign" })
      writeFileSync(foreign, "no session\n")
      const link = join(dirname(foreign), "2026-03-07T14-00-00-000Z_link.jsonl")
      symlinkSync("nowhere", link)
      return [link]
    },
  },
  ...AGENT_SAMPLES.map((sample, at) => ({
    name: sample.agent,
    signal: at === 0 ? ("SIGINT" as const) : ("SIGKILL" as const),
    fill: (box: Sandbox) => {
      const idOf = (at: number): string => sample.id.slice(0, -2) + String(10 + at)
      for (let at = 0; at < SESSIONS; at++) agentSession(box, sample, idOf(at), `needle ${at}`)
      const path = join(box.folder, sample.folder, sample.pathOf(idOf(SESSIONS), box.project))
      symlinkSync("nowhere", path)
      return [path]
    },
  })),
]

/** Runs the command, and ends it after so many milliseconds, if it still runs. Returns its exit code; null where it was killed. */
async function endedBy(signal: NodeJS.Signals, after: number, box: Sandbox, argv: readonly string[]) {
  const { agentDir, cacheDir, folder, project } = box
  const env = { PATH: process.env.PATH, HOME: folder, TREELOG_AGENT_DIR: agentDir, TREELOG_CACHE_DIR: cacheDir }
  const child = spawn(process.execPath, [MAIN, ...argv], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const stop = new AbortController()
  const kill = sleep(after, undefined, { signal: stop.signal }).then(
    () => child.kill(signal),
    () => {},
  )
  const code = await ended
  stop.abort()
  await kill
  return { code, printed }
}

test.each(STORES)(
  "an index of $name with broken sessions, built again and ended by $signal at any moment, is completed by the next update, which names them",
  async ({ name, signal, fill }) => {
    const box = sandbox()
    const broken = fill(box)
    const store = ["--store", name]
    const rebuild = ["index", "--rebuild", ...store]
    const started = Date.now()
    const whole = await endedBy(signal, 600_000, box, rebuild)
    const took = Date.now() - started
    expect(whole.code, whole.printed).toBe(1)
    for (const path of broken) expect(whole.printed).toContain(path)
    for (let kill = 1; kill <= KILLS; kill++) {
      const { code, printed } = await endedBy(signal, (took * kill) / (KILLS + 1), box, rebuild)
      expect(code === null || code === 130 || code === 1, `${code}: ${printed}`).toBe(true)
      expect(printed).not.toContain("unexpected")
    }
    const { code, stdout } = await box.run(["index", "--update", ...store])
    expect(code).toBe(1)
    for (const path of broken) expect(stdout).toContain(path)
    const { json } = await box.run(["search", "needle role:user", "--limit", "100", "--json", ...store])
    expect(new Set(json.map(({ session }) => (session as { id: string }).id)).size).toBe(SESSIONS)
  },
)
