import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { type Home, makeHome } from "./home.js"
import { inPi } from "./pi-package.js"
import { RpcPi } from "./rpc.js"

const { SessionManager: PiSessionManager } = (await import(inPi("dist/core/session-manager.js").href)) as {
  SessionManager: { open(path: string): { buildSessionContext(): { messages: unknown[] } } }
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

/** The file that a kill would leave now has these messages, in whole lines. */
function expectStored(path: string, messages: readonly unknown[]): void {
  expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true)
  expect(PiSessionManager.open(path).buildSessionContext().messages.slice(0, messages.length)).toEqual(messages)
}

async function begun(home: Home): Promise<RpcPi> {
  const pi = new RpcPi(home)
  await pi.prompt("hello")
  await pi.prompt("run echo one")
  await pi.request("set_session_name", { name: "A name" })
  return pi
}

/** A new pi continues the session of a killed one, with all that it had. */
async function expectItGoesOn(home: Home, reported: readonly unknown[]): Promise<void> {
  const path = fileOf(home)
  expectStored(path, reported)
  const pi = new RpcPi(home, "--continue")
  expect((await messagesOf(pi)).slice(0, reported.length)).toEqual(reported)
  expect((await pi.request("get_state")).data).toMatchObject({ sessionFile: path, sessionName: "A name" })
  await pi.prompt("and on")
  const last = await messagesOf(pi)
  await pi.end()
  expect(PiSessionManager.open(path).buildSessionContext().messages).toEqual(last)
  expect(last.at(-1)).toMatchObject({ content: [{ text: "You said and on" }] })
}

test("what pi reported is stored at once, and a kill afterwards loses nothing of it", async () => {
  const home = makeHome("treelog")
  const killed = await begun(home)
  for (const work of [
    () => killed.prompt("one more"),
    () => killed.prompt("run echo two"),
    () => killed.request("bash", { command: "echo direct" }),
    () => killed.command("/summarize-and-go 1"),
    () => killed.request("compact"),
  ]) {
    await work()
    expectStored(fileOf(home), await messagesOf(killed))
  }
  const reported = await messagesOf(killed)
  await killed.kill()
  await expectItGoesOn(home, reported)
})

/** In the middle of what pi is killed. */
const MOMENTS: Readonly<Record<string, (pi: RpcPi) => Promise<unknown>>> = {
  "a tool": async (pi) => {
    const started = pi.event("tool_execution_start")
    await Promise.all([started, pi.request("prompt", { message: "run sleep 10" })])
  },
  "a compaction": async (pi) => {
    const started = pi.event("compaction_start")
    // Killed before it is answered.
    pi.request("compact", { customInstructions: "wait" }).catch(() => undefined)
    await started
  },
}

test.each(Object.keys(MOMENTS))(
  "a kill in %s loses nothing that pi reported, and the session goes on",
  async (name) => {
    const home = makeHome("treelog")
    const killed = await begun(home)
    const reported = await messagesOf(killed)
    await MOMENTS[name]?.(killed)
    await killed.kill()
    await expectItGoesOn(home, reported)
  },
)
