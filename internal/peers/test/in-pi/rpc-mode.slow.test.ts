import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { exportedData } from "./exported-data.js"
import type { Home } from "./home.js"
import { PIXEL } from "./pixel.js"
import { RpcPi } from "./rpc.js"
import { expectSameWork } from "./same-work.js"
import { withoutTiming } from "./without-timing.js"

const image = { images: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }

/** All that a client can do with sessions. */
async function work(home: Home): Promise<unknown> {
  const pi = new RpcPi(home)
  const fileOf = async () => ((await pi.request("get_state")).data as { sessionFile: string }).sessionFile
  await pi.prompt("hello")
  const first = await fileOf()
  await pi.prompt("run echo one; echo two")
  await pi.request("bash", { command: "echo direct" })
  await pi.prompt("read page.txt")
  await pi.request("set_session_name", { name: "  A name " })
  await pi.request("set_model", { provider: "faux", modelId: "faux-2" })
  await pi.request("set_thinking_level", { level: "high" })
  await pi.request("cycle_thinking_level")
  await pi.prompt("think trees")
  await pi.prompt("look at this", image)
  await pi.prompt("fail the model is broken")

  await pi.command("/mark 1 bookmark")
  await pi.command("/mark 0 gone")
  await pi.command("/mark 0")
  await pi.command("/summarize-and-go 1 left")
  await pi.prompt("another way")
  await pi.command("/note 1 remember")
  await pi.prompt("after the note")
  await pi.command("/go 0")
  await pi.prompt("another beginning")
  await pi.prompt("run echo three")
  await pi.request("compact", { customInstructions: "Be short." })
  await pi.prompt("after the compaction")
  for (const asked of ["get_messages", "get_state", "get_session_stats", "get_last_assistant_text"])
    await pi.request(asked)
  await pi.request("export_html", { outputPath: join(home.folder, "page.html") })

  const { messages } = (await pi.request("get_fork_messages")).data as { messages: { entryId: string }[] }
  await pi.request("fork", { entryId: messages.at(-1)?.entryId })
  await pi.request("get_messages")
  await pi.prompt("in the fork")
  await pi.request("clone")
  await pi.prompt("in the clone")
  await pi.request("fork", { entryId: messages[0]?.entryId })
  await pi.request("new_session", { parentSession: first })
  await pi.request("set_session_name", { name: "Never stored" })
  await pi.request("new_session")
  await pi.prompt("in a new session")
  await pi.request("switch_session", { sessionPath: first })
  await pi.request("get_messages")
  await pi.prompt("back in the first one")
  await pi.request("switch_session", { sessionPath: join(dirname(first), "none.jsonl") })
  await pi.prompt("in a file of that name")
  await pi.end()
  return withoutTiming(pi.lines)
}

test("pi in RPC mode answers the same, and leaves the same files", async () => {
  const files = await expectSameWork(async (home) => ({
    lines: await work(home),
    page: exportedData(join(home.folder, "page.html")),
  }))
  expect(Object.values(files).map(({ length }) => length)).toEqual([47, 12, 14, 5, 5])
})
