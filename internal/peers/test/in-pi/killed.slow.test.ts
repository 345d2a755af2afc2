import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { type Home, makeHome } from "./home.js"
import { inPi } from "./pi-package.js"
import { RpcPi } from "./rpc.js"

const { SessionManager: PiSessionManager } = (await import(inPi("dist/core/session-manager.js").href)) as {
  SessionManager: { open(path: string): { buildSessionContext(): { messages: unknown[] } } }
}

type Moment = (pi: RpcPi) => Promise<unknown>

/** Where pi is killed: right after what it reported, or in the middle of something. */
const MOMENTS: Readonly<Record<string, Moment>> = {
  "after an answer": (pi) => pi.prompt("one more"),
  "after a tool": (pi) => pi.prompt("run echo two"),
  "after a command of the user": (pi) => pi.request("bash", { command: "echo direct" }),
  "after a compaction": (pi) => pi.request("compact"),
  "after a navigation": (pi) => pi.command("/summarize-and-go 1"),
  "in a tool": async (pi) => {
    const started = pi.event("tool_execution_start")
    await Promise.all([started, pi.request("prompt", { message: "run sleep 10" })])
  },
  "while the model answers": async (pi) => {
    await pi.request("prompt", { message: "wait for ever" })
  },
  "in a compaction": async (pi) => {
    const started = pi.event("compaction_start")
    // Killed before it is answered.
    pi.request("compact", { customInstructions: "wait" }).catch(() => undefined)
    await started
  },
}

/** The messages that the agent has, as pi reports them. */
async function messagesOf(pi: RpcPi): Promise<unknown[]> {
  return ((await pi.request("get_messages")).data as { messages: unknown[] }).messages
}

function fileOf(home: Home): string {
  const [[name] = [""], ...others] = Object.entries(home.files())
  expect(others).toEqual([])
  return `${home.sessionsDir}/${name}`
}

test.each(Object.keys(MOMENTS))("a kill %s loses nothing that pi reported, and the session goes on", async (name) => {
  const home = makeHome("treelog")
  const killed = new RpcPi(home)
  await killed.prompt("hello")
  await killed.prompt("run echo one")
  await killed.request("set_session_name", { name: "A name" })
  const before = await messagesOf(killed)
  await MOMENTS[name]?.(killed)
  const reported = name.startsWith("after") ? await messagesOf(killed) : before
  await killed.kill()

  const path = fileOf(home)
  expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true)
  expect(PiSessionManager.open(path).buildSessionContext().messages.slice(0, reported.length)).toEqual(reported)

  const pi = new RpcPi(home, "--continue")
  expect((await messagesOf(pi)).slice(0, reported.length)).toEqual(reported)
  expect((await pi.request("get_state")).data).toMatchObject({ sessionFile: path, sessionName: "A name" })
  await pi.prompt("and on")
  const last = await messagesOf(pi)
  await pi.end()
  expect(PiSessionManager.open(path).buildSessionContext().messages).toEqual(last)
  expect(last.at(-1)).toMatchObject({ content: [{ text: "You said and on" }] })
})
