import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { RUNTIMES } from "@treelog-internal/test-kit/runtimes"
import { expect, test } from "vitest"
import { startFakeOpenAI } from "./fake-openai.js"
import type { PiProgram } from "./home.js"
import { RpcPi } from "./rpc.js"
import { eventsOf, run } from "./run-pi.js"
import { expectSameWork } from "./same-work.js"
import { withoutTiming } from "./without-timing.js"

// The command of pi 1.6.0 is one bundle, and asks for Node 22.19.

const PATH = fileURLToPath(new URL("../../node_modules/pi-1/dist/bundle/cli.js", import.meta.url))
const EXTENSION = fileURLToPath(new URL("keeper-extension.ts", import.meta.url))
const NODE = RUNTIMES.find(({ name }) => name === "Node 22")?.binary

async function pi15(node: string): Promise<PiProgram> {
  const model = {
    id: "fake-1",
    name: "fake",
    contextWindow: 100_000,
    maxTokens: 1_000,
    input: ["text"],
    reasoning: false,
  }
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const baseUrl = await startFakeOpenAI()
  const fake = { baseUrl, api: "openai-completions", apiKey: "none", models: [{ ...model, cost }] }
  const args = ["-e", EXTENSION, "--provider", "fake", "--model", "fake-1"]
  return { node, path: PATH, args, settings: { "models.json": { providers: { fake } } } }
}

test("pi 1.6.0 prints the same, and leaves the same files", async ({ skip }) => {
  if (NODE === undefined) return skip("no binary of Node 22 comes from npm for this machine")
  const files = await expectSameWork(
    async (home) => {
      const said = [await run(home, ["-p", "hello"])]
      const [name = ""] = Object.keys(home.files())
      said.push(
        await run(home, ["-p", "--session-id", "my-own", "by an id"]),
        await run(home, ["-p", "--session-id", "my-own", "by the same id"]),
        await run(home, ["-p", "--fork", join(home.sessionsDir, name), "forked"]),
      )
      return [...said, await eventsOf(home, ["--mode", "json", "-c", "--name", "A name", "run echo one"])]
    },
    await pi15(NODE),
  )
  expect(Object.keys(files)).toHaveLength(3)
})

test("pi 1.6.0 in RPC mode answers the same, and leaves the same files", async ({ skip }) => {
  if (NODE === undefined) return skip("no binary of Node 22 comes from npm for this machine")
  const files = await expectSameWork(
    async (home) => {
      const pi = new RpcPi(home)
      await pi.prompt("hello")
      await pi.prompt("run echo one")
      await pi.request("bash", { command: "echo direct" })
      await pi.request("set_session_name", { name: "A name" })
      await pi.prompt("after the command")
      const { data: state } = await pi.request("get_state")
      const { messages } = (await pi.request("get_fork_messages")).data as { messages: { entryId: string }[] }
      await pi.request("fork", { entryId: messages.at(-1)?.entryId })
      await pi.prompt("in the fork")
      await pi.request("new_session")
      await pi.prompt("in a new session")
      await pi.request("switch_session", { sessionPath: (state as { sessionFile: string }).sessionFile })
      await pi.prompt("back in the first one")
      await pi.request("get_messages")
      await pi.end()
      return withoutTiming(pi.lines)
    },
    await pi15(NODE),
  )
  expect(Object.keys(files)).toHaveLength(3)
})
