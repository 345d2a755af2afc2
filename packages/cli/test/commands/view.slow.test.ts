import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs"
import { claudeFile, userEntry } from "@treelog-internal/test-kit"
import { expect, test, vi } from "vitest"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"
import { answerOf, listOf, viewed } from "../viewed.js"

test("130: serves the page and the bytes of the session as it is, until Ctrl-C", async () => {
  const box = sandbox()
  const path = box.store(sampleEntries())
  const served: string[] = []
  let address = ""
  const { code, stdout, stderr } = await viewed(box, ["@last"], async (url) => {
    address = url
    served.push(await (await fetch(url)).text())
    appendFileSync(path, `${JSON.stringify(userEntry("late", null, "appended later"))}\n`)
    const { size, identity } = JSON.parse(await (await fetch(`${url}state`)).text())
    const range = new URLSearchParams({ from: "0", to: String(size), identity })
    served.push(await (await fetch(`${url}bytes?${range}`)).text())
  })
  expect(code).toBe(130)
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\n$/)
  expect(stderr).toBe("Serving test-session on this machine only; Ctrl-C stops.\n")
  expect(served[0]?.includes("<title>Discount</title>")).toBe(true)
  expect(served[1]).toContain("appended later")
  await expect(fetch(address)).rejects.toThrow()
})

test("writes nothing, and leaves the search to the page", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  const before = box.snapshot()
  await viewed(box, ["@last"], async (url) => {
    expect((await fetch(`${url}state`)).status).toBe(200)
    expect((await fetch(`${url}search?query=discount`)).status).toBe(404)
  })
  expect(box.snapshot()).toEqual(before)
})

test("has another token each time", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  const urls = new Set<string>()
  for (let time = 0; time < 3; time++)
    await viewed(box, ["@last"], async (url) => {
      urls.add(new URL(url).pathname)
    })
  expect(urls.size).toBe(3)
})

test("--port serves there, and says so when it is taken", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  await viewed(box, ["@last"], async (url) => {
    const { code, stderr } = await box.run(["view", "@last", "--port", new URL(url).port])
    expect(code).toBe(2)
    expect(stderr).toContain("is not available (EADDRINUSE)")
  })
  for (const port of ["65536", "-1", "http", "1.5"])
    expect((await box.run(["view", `--port=${port}`])).stderr).toContain("It must be a port")
})

interface Hits {
  readonly sessions: readonly { readonly hits: readonly { readonly content?: number }[] }[]
}

test("without a session, serves the page of all sessions, which finds what `search` does", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  const before = box.snapshot()
  const { code, stderr } = await viewed(box, [], async (url) => {
    expect(await listOf(url)).toMatchObject([{ id: "test-session" }])
    const { sessions } = await answerOf<Hits>(url, "search?q=discount")
    const found = (await box.run(["search", "discount", "--all", "--json"])).stdout.trimEnd().split("\n")
    const hits = found.map((line) => JSON.parse(line)).map(({ v: _, session: __, ...hit }) => hit)
    expect(hits.length).toBeGreaterThan(0)
    expect(sessions.flatMap((group) => group.hits.map(({ content: _, ...hit }) => hit))).toEqual(hits)
    expect((await fetch(`${url}open/files/test-session/`)).status).toBe(200)
    expect(box.snapshot()).toEqual(before)
  })
  expect(code).toBe(130)
  expect(stderr).toContain("Serving the sessions of files on this machine only; Ctrl-C stops.\n")
})

test("--json names the stores that are served, and --store serves that one", async () => {
  const box = sandbox()
  const { stdout } = await viewed(box, ["--json", "--store", "pi"], async () => {})
  expect(JSON.parse(stdout)).toMatchObject({ v: 1, stores: [{ name: "pi" }] })
})

test.runIf(process.platform === "linux")("starts the browser without its token among the arguments", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  const log = `${box.folder}/opened`
  const script = `#!/bin/sh\n{ echo "$*"; stat -c %a "$1" "$(dirname "$1")"; cat "$1"; } > ${log}.part && mv ${log}.part ${log}\n`
  box.write("bin/xdg-open", script)
  chmodSync(`${box.folder}/bin/xdg-open`, 0o755)
  vi.stubEnv("PATH", `${box.folder}/bin:${process.env.PATH}`)
  let address = ""
  try {
    await viewed(
      box,
      ["@last"],
      async (url) => {
        address = url
        await expect.poll(() => existsSync(log)).toBe(true)
      },
      { isAsked: true },
    )
  } finally {
    vi.unstubAllEnvs()
  }
  const [file = "", mode, modeOfFolder, page] = readFileSync(log, "utf8").split("\n")
  expect(file).not.toContain(new URL(address).pathname.slice(1, -1))
  expect([mode, modeOfFolder]).toEqual(["600", "700"])
  expect(page).toContain(`url=${address}"`)
  expect(existsSync(file)).toBe(false)
})

test("a session is shown from whatever store it is in", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "own" })
  const id = "8d2b6a0e-5f51-4a86-9a3f-0d6f8a0c1b11"
  box.write(`.claude/projects/-shop/${id}.jsonl`, claudeFile(id, box.project, "Why?"))
  const { code, stderr } = await viewed(box, [id.slice(0, 8), "--all"], async (url) => {
    expect((await fetch(url)).status).toBe(200)
  })
  expect(code).toBe(130)
  expect(stderr).toContain(`Serving ${id} on this machine only`)
})
