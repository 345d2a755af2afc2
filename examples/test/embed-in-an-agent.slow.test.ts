import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runExample } from "./run-example.js"

let folder = ""
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "treelog-example-")))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const agentDir = () => join(folder, "agent")
const agent = (...typed: string[]) => runExample(folder, ["embed-in-an-agent", agentDir()], typed)
const managed = () => new SessionManager({ storage: new FileSessionStorage({ agentDir: agentDir(), cacheDir: null }) })

describe("examples/embed-in-an-agent.ts", () => {
  it("answers, compacts, goes back, and continues after a restart", async () => {
    const asked = ["What is in the picture?", "How long is the page?", "How long is the page now?"]
    expect(agent(...asked, "/back", "What do you know?")).toEqual([
      "0 entries so far.",
      "A picture of 30000 bytes.",
      "compacted",
      "33000 characters.",
      "compacted",
      "33000 characters.",
      'Before "How long is the page now?".',
      "I got 5 messages.",
    ])
    expect(agent("Hello again")).toEqual(["17 entries so far.", "I got 7 messages."])

    const session = await managed().open("@last", { access: "read", cwd: folder })
    const types = session.getBranch().map(({ type }) => type)
    expect(types.filter((type) => type !== "message")).toEqual(["compaction", "branch_summary"])
    expect(session.getEntries()).toHaveLength(19)
    expect(session.getDiagnostics()).toEqual([])
    await session.close()

    // The picture lies beside the session, once; the prompts can be found.
    const [line = ""] = readFileSync(session.getSessionFile() ?? "", "utf8").match(/^.*"image".*$/m) ?? []
    const [blob = ""] = readdirSync(join(agentDir(), "blobs"))
    expect(line).toContain(`"data":"blob:sha256:${blob}"`)
    const history = new SqlitePromptHistory({ path: join(agentDir(), "history.db"), access: "read" })
    expect((await history.search("page now")).map(({ text }) => text)).toEqual(["How long is the page now?"])
    await history.close()
  })

  it("goes on where a crash left a call without its result", async () => {
    const session = await managed().create(folder)
    session.appendMessage({ role: "user", content: "How long is the page?", timestamp: 1 })
    const call = { type: "toolCall", id: "call_1", name: "read", arguments: {} }
    const answer = { role: "assistant", provider: "anthropic", model: "fake", content: [call], timestamp: 2 }
    session.appendMessage(answer)
    await session.close()
    expect(agent("Hello")).toEqual(["2 entries so far.", "I got 3 messages."])
  })
})
