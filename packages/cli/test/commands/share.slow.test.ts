import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { sessionInPage } from "../session-in-page.js"
import { viewed } from "../viewed.js"

const [first, second, third, fourth] = plantedSecrets(4, 7)

/** A session with secrets in a text, in the name of a field and in its own name, and one in the transcript of a sub-agent. */
function storeWithSecrets(box: Sandbox): { readonly secrets: readonly string[] } {
  const path = box.store([
    userEntry("one", null, `use ${first?.text}`),
    { ...userEntry("two", "one"), [second?.text ?? ""]: { deep: first?.text } },
    { type: "session_info", id: "three", parentId: "two", timestamp: "2026-03-07T14:00:00.000Z", name: third?.text },
  ] as never)
  const transcript = join(path.replace(/\.jsonl$/, ""), "subagents", "agent-1.jsonl")
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, sessionText(testHeader({ id: "agent-1" }), userEntry("a", null, `also ${fourth?.text}`)))
  return { secrets: [first, second, third, fourth].map((secret) => secret?.core ?? "") }
}

/** The transcripts in a page. */
function transcriptsInPage(html: string): string {
  const elements = [...html.matchAll(/<script type="application\/x-treelog-agents?"[^>]*>([^<]*)<\/script>/g)]
  return elements
    .map(([, base64 = ""]) => Buffer.from(base64, "base64"))
    .map((bytes) => (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString("utf8"))
    .join("\n")
}

function expectNone(secrets: readonly string[], text: string): void {
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
}

test.each([
  ["one session", ["@last"], (url: string) => Promise.resolve(url)],
  ["all sessions", [], async (url: string) => `${url}open/${await storeName(url)}/test-session/`],
])("the page of %s lists the secrets without them, and makes a file without them", async (_, argv, pageAt) => {
  const box = sandbox()
  const { secrets } = storeWithSecrets(box)
  const before = box.snapshot()
  await viewed(box, argv, async (url) => {
    const page = await pageAt(url)
    expect(await (await fetch(page)).text()).toContain("data-shares")
    const listed = await (await fetch(`${page}share`)).text()
    const { kinds } = JSON.parse(listed) as {
      kinds: { count: number; places: { agent?: string; entryId?: string }[] }[]
    }
    const places = kinds.flatMap((kind) => kind.places)
    expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5)
    expect(new Set(places.map(({ entryId }) => entryId))).toEqual(new Set(["one", "two", "three", "a"]))
    expect(places.filter(({ agent }) => agent === "agent-1")).toHaveLength(1)
    const response = await fetch(`${page}share/session.html`)
    expect(response.headers.get("content-disposition")).toBe("attachment")
    const html = await response.text()
    expect(sessionInPage(html)).toContain("[redacted")
    expect(transcriptsInPage(html)).toContain("also [redacted")
    for (const text of [listed, html, sessionInPage(html), transcriptsInPage(html)]) expectNone(secrets, text)
    // The shared file has no button for it.
    expect(html).not.toContain("data-shares")
  })
  expect(box.snapshot()).toEqual(before)
})

test("export writes the transcripts of sub-agents into its file, without secrets, unless it is of one branch", async () => {
  const box = sandbox()
  const { secrets } = storeWithSecrets(box)
  const whole = (await box.run(["export", "@last", "--format", "html"])).stdout
  expect(transcriptsInPage(whole)).toContain("also [redacted")
  expectNone(secrets, whole + sessionInPage(whole) + transcriptsInPage(whole))
  expect(transcriptsInPage((await box.run(["export", "@last", "--format", "html", "--leaf", "one"])).stdout)).toBe("")
  expect(transcriptsInPage((await box.run(["export", "@last", "--format", "html", "--no-tools"])).stdout)).toBe("")
})

async function storeName(url: string): Promise<string> {
  const page = await (await fetch(url)).text()
  return /open\/([\w-]+)\//.exec(page)?.[1] ?? ""
}
