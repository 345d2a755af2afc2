import { readFileSync } from "node:fs"
import { blobRef } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { AGENT_SAMPLES, type AgentSample, agentSession } from "../agent-samples.js"
import { hashOf, imageEntry } from "../images.js"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"
import { sessionInPage } from "../session-in-page.js"

// The page is the one that was built last: `npm test` builds it first.

/** Entries that a branch gets have other ids each time. */
const withoutNewIds = (text: string) => text.replace(/"(?!aaaa)[0-9a-f]{8}"/g, '"new"')

describe("treelog export --format html", () => {
  test("is the viewer with the lines that jsonl has", async () => {
    const box = sandbox()
    box.store(sampleEntries())
    for (const more of [[], ["--leaf", "aaaa0006"], ["--no-tools", "--no-thinking"]]) {
      const html = await box.print("export", "--format", "html", ...more)
      const { stdout } = await box.run(["export", "--format", "jsonl", ...more])
      expect(withoutNewIds(sessionInPage(html))).toBe(withoutNewIds(stdout))
      const head = html.slice(0, html.indexOf("<style>"))
      expect(head).toMatch(/^<!doctype html>/)
      expect(head).toContain("<title>Discount</title>")
      expect(head).toContain("default-src 'none'; script-src 'sha256-")
    }
  })

  test("finds the session of another agent by its id, from any folder", async () => {
    const box = sandbox()
    const sample = AGENT_SAMPLES[0] as AgentSample
    agentSession(box, sample, sample.id, "the lamp is green")
    const html = await box.print("--cwd", box.folder, "export", sample.id, "--format", "html")
    expect(sessionInPage(html)).toContain("the lamp is green")
  })

  test("is what a file that ends in .html means", async () => {
    const box = sandbox()
    const path = box.store(sampleEntries())
    const { stdout, stderr } = await box.run(["export", "-o", `${box.folder}/talk.html`])
    expect(stdout).toBe("")
    expect(stderr).toMatch(/^Exported 13 entries, \d+ KB, to /)
    expect(sessionInPage(readFileSync(`${box.folder}/talk.html`, "utf8"))).toBe(readFileSync(path, "utf8"))
  })

  test("has the pictures that lie in blobs, and says which are missing", async () => {
    const box = sandbox()
    const image = Buffer.alloc(3000, 7)
    box.write(`agent/blobs/${hashOf(7)}`, image.toString("latin1"))
    box.store([imageEntry("here", null, blobRef(hashOf(7))), imageEntry("gone", "here", blobRef(hashOf(8)))])
    const { stdout, stderr } = await box.run(["export", "--format", "html"])
    expect(sessionInPage(stdout)).toContain(image.toString("base64"))
    expect(sessionInPage(stdout)).not.toContain(hashOf(7))
    expect(stderr).toContain(`Blob ${hashOf(8)} is not in the blob store`)
  })

  test("has nothing of names and ids as markup", async () => {
    const box = sandbox()
    const title = "</title><script>alert(1)</script>"
    box.store([userEntry("u", null)], { id: 'x"><img src=x>', title })
    const html = await box.print("export", "--format", "html")
    const head = html.slice(0, html.indexOf("<style>"))
    expect(head).toContain("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>")
    expect(head).not.toMatch(/<script|<img/)
    expect(sessionInPage(html)).toContain(title)
  })

  test("of an empty session is a page all the same", async () => {
    const box = sandbox()
    const { code, stdout } = await box.run(["export", box.write("project/empty.jsonl", ""), "--format", "html"])
    expect(code).toBe(0)
    expect(sessionInPage(stdout)).toBe("")
  })
})
