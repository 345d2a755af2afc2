import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { AGENT_SAMPLES, agentSession, sayMore } from "../agent-samples.js"
import { sandbox } from "../sandbox.js"
import { sessionInPage } from "../session-in-page.js"

describe.each(AGENT_SAMPLES)("the sessions of $agent", (sample) => {
  const { agent, id, folder } = sample
  const store = ["--store", agent]

  test("are followed by `watch` while the agent writes them", async () => {
    const box = sandbox()
    const path = agentSession(box, sample, id, "hello")
    const interrupt = new AbortController()
    let seen = ""
    const onWrite = (text: string): void => {
      if (seen === "") sayMore(box, sample, path, "Something about turtles")
      seen += text
      if (seen.includes("Reply to Something about turtles")) interrupt.abort()
    }
    const { code, stdout } = await box.run(["watch", id, ...store], { interrupted: interrupt.signal, onWrite })
    expect(code).toBe(130)
    expect(stdout).toContain("Something about turtles")
    expect(stdout).not.toContain("hello")
  })

  test("are exported to a page that has all that was said", async () => {
    const box = sandbox()
    agentSession(box, sample, id, "Plan the price list")
    const before = box.snapshot().filter((line) => line.startsWith(folder))
    const path = join(box.folder, "page.html")
    await box.print("export", id, ...store, "-o", path)
    const said = sessionInPage(readFileSync(path, "utf8"))
    expect(said).toContain('"Plan the price list"')
    expect(said).toContain("Reply to Plan the price list")
    expect(box.snapshot().filter((line) => line.startsWith(folder))).toEqual(before)
  })
})
