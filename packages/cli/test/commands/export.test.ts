import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { blobRef } from "@treelog/session-core/adapter"
import { assistantMessage, messageEntry, toolResultMessage, userEntry } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { describe, expect, test } from "vitest"
import { bigHome } from "../big-home.js"
import { hashOf, IMAGE_SIZE, imageEntry } from "../images.js"
import { sampleEntries } from "../sample.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const [SECRET = ""] = plantedSecrets(3)
  .slice(2)
  .map(({ text }) => text)
const linesOf = (text: string) => text.split("\n").filter(Boolean)

function sample(): { box: Sandbox; path: string } {
  const box = sandbox()
  return { box, path: box.store(sampleEntries()) }
}

test("of a session in a database, its own records are nothing that is left out", async () => {
  const box = sandbox()
  await bigHome(box)
  expect(await box.run(["export", "ses_open", "--format", "text"])).toMatchObject({ code: 0, stderr: "" })
})

test("says that there is no folder for the file", async () => {
  const { box } = sample()
  const { code, stderr } = await box.run(["export", "-o", `${box.folder}/none/talk.md`])
  const expected = `treelog: There is no folder ${box.folder}/none to write talk.md in: create it first.\n`
  expect([code, stderr]).toEqual([2, expected])
})

describe("treelog export --format md", () => {
  test("is the branch as a document: a heading for each message, calls and thinking folded", async () => {
    const { box } = sample()
    const { stdout, stderr } = await box.run(["export"])
    await expect(stdout.replace(box.project, "/home/me/shop")).toMatchFileSnapshot("../__snapshots__/export/sample.md")
    expect(stderr).toBe("")
    expect(stdout).not.toContain("Rewrite it all")
  })

  test("has as its title the name, or what the user said first, without a secret that the cut would hide", async () => {
    const box = sandbox()
    const said = `${"Why? ".repeat(22)}${SECRET}`
    box.store([{ ...userEntry("n", null), message: null } as never, userEntry("u", "n", said)])
    const [title = "", ...others] = (await box.print("export")).split("\n")
    expect(title).toMatch(/^# Why\? /)
    expect(title).not.toContain(SECRET.slice(0, 8))
    expect(others.join("\n")).toContain("Why? ")
    await box.run(["name", "@last", "Reasons"])
    expect(await box.print("export")).toMatch(/^# Reasons\n/)
  })

  test("has fences that are longer than any within, and closes those that a message left open", async () => {
    const box = sandbox()
    const result = messageEntry("r", "u", toolResultMessage("one\n```ts\n````\n~~~\n</details>\nfive\nsix\nseven"))
    box.store([userEntry("u", null, "See:\n```js\nlet a"), result, userEntry("v", "r", "`````\nx\n```\n")])
    const stdout = await box.print("export")
    expect(stdout).toContain("See:\n```js\nlet a\n```\n")
    expect(stdout).toContain("\n`````\none\n```ts\n````\n")
    expect(stdout).toContain("`````\nx\n```\n`````")
  })

  test("shows nothing of a heading or of tags in names as markup", async () => {
    const box = sandbox()
    box.store([userEntry("u", null)], { title: "# <b>*x*" })
    expect(await box.print("export")).toMatch(/^# \\# \\<b\\>\\\*x\\\*\n/)
  })
})

test("treelog export --format text is what show --full prints", async () => {
  const { box } = sample()
  const [, ...exported] = (await box.print("export", "--format", "text")).split("\n")
  const [, ...shown] = (await box.print("show", "--full")).split("\n")
  expect(exported).toEqual(shown)
})

test("--all-branches reports where a branch continues", async () => {
  const { box } = sample()
  for (const format of ["text", "md"]) {
    const stdout = await box.print("export", "--format", format, "--all-branches")
    expect(stdout).toContain("Rewrite it all")
    expect(stdout).toMatch(/continues at \W?aaaa0005/i)
  }
})

describe("treelog export --format jsonl", () => {
  test("is the session itself, byte for byte, with --no-redact: damaged lines, a BOM and CRLF included", async () => {
    const box = sandbox()
    const path = box.store([userEntry("one", null), '{"torn', '{"a":1}{"b":2}', "[1]", "", '{"x":1.0,"2":1,"1":2}'])
    const text = readFileSync(path, "utf8")
    writeFileSync(
      path,
      Buffer.concat([Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`), Buffer.from([0xff, 0x0a])]),
    )
    const file = `${box.folder}/copy.jsonl`
    await box.print("export", path, "--no-redact", "-o", file)
    expect(readFileSync(file).equals(readFileSync(path))).toBe(true)
  })

  test("is the session itself also where it is redacted, but for secrets and lines that cannot be read", async () => {
    const box = sandbox()
    const kept = ['{"type":"x","id":"k","parentId":"one", "big":12345678901234567890,"f":1.0}', "[1, 2]", "", " "]
    const lost = '{"type":"message","id":"two","parentId":"one","timestamp":"2026-03-07T14:00:00.000Z","mess'
    const path = box.store([userEntry("one", null), ...kept, lost, "nonsense", `{"twice":"${SECRET}","twice":"x"}`])
    const { stdout, stderr } = await box.run(["export", path, "--format", "jsonl"])
    const [header, one, ...rest] = readFileSync(path, "utf8").split("\n")
    const standIn = `${lost.slice(0, lost.indexOf(',"mess')).replace('"message"', '"custom"')},"customType":"treelog.damaged","data":{"type":"message"}}`
    const twice = '{"twice":"x"}'
    expect(stdout.split("\n")).toEqual([header, one, ...rest.slice(0, 4), standIn, twice, ""])
    expect(stderr).toContain("1 line that cannot be read was left out")
  })

  test("keeps omp's title line at its length", async () => {
    const box = sandbox()
    const slot = { type: "title", v: 1, title: `x ${SECRET}`, source: "user", updatedAt: "2026", pad: "" }
    const line = JSON.stringify({ ...slot, pad: " ".repeat(255 - JSON.stringify(slot).length) })
    const path = box.store([userEntry("one", null)])
    writeFileSync(path, `${line}\n${readFileSync(path, "utf8")}`)
    const [title = ""] = (await box.print("export", path, "--format", "jsonl")).split("\n")
    expect(title).toHaveLength(255)
    expect(JSON.parse(title)).toMatchObject({ title: "x [redacted GitHub token]" })
  })

  test("leaves signatures and pictures as they are, also where they look like a secret", async () => {
    const box = sandbox()
    const thinking = { type: "thinking" as const, thinking: SECRET, thinkingSignature: `${SECRET}==` }
    const picture = {
      type: "image" as const,
      mimeType: "image/png",
      data: Buffer.alloc(900, SECRET).toString("base64"),
    }
    box.store([messageEntry("a", null, assistantMessage("", { content: [thinking, picture] }))])
    for (const format of ["jsonl", "json"]) {
      const stdout = await box.print("export", "--format", format)
      expect(stdout).toContain(`"thinking":"[redacted GitHub token]","thinkingSignature":"${SECRET}=="`)
      expect(stdout).toContain(picture.data)
    }
  })

  const [BEGIN, END] = ["BEGIN", "END"].map((end) => `-----${end} RSA ${"PRIVATE KEY"}-----`) as [string, string]
  const KEY_LINES = ["MIIEowIBAAKCAQEA75abcDEF0123456789abcDEF0123456789abcDEF01234567", "x7Q".repeat(21)]

  test("holds no private key, either, whose lines are in texts of their own", async () => {
    const box = sandbox()
    const lines = [BEGIN, ...KEY_LINES, END]
    box.store([{ type: "custom", id: "k", parentId: null, customType: "key", data: { lines, last: 1 } }])
    for (const format of ["jsonl", "json"]) {
      const { stdout } = await box.run(["export", "--format", format])
      expect(stdout).toContain(`{"lines":[${Array(4).fill('"[redacted private key]"')}],"last":1}`)
    }
  })

  test("has nothing of a field that a line has twice but its last value", async () => {
    const box = sandbox()
    const twice = { a: BEGIN, b: [...KEY_LINES, END] }
    box.store([`{"type":"x","id":"k","parentId":null,${JSON.stringify(twice).slice(1, -1)},"a":1,"b":2}`])
    const { code, stdout } = await box.run(["export", "--format", "jsonl"])
    expect(code).toBe(0)
    expect(stdout.split("\n")[1]).toBe('{"type":"x","id":"k","parentId":null,"a":1,"b":2}')
    expect((await box.run(["scan"])).stdout).toMatch(/:2 {2}private key\n$/)
    expect((await box.run(["export", "--format", "jsonl", "--no-redact"])).stdout).toContain(KEY_LINES[0])
  })

  test("--leaf gives that branch as a session of its own", async () => {
    const { box, path } = sample()
    const [header, ...entries] = linesOf(await box.print("export", "--leaf", "aaaa0006", "--format", "jsonl")).map(
      (line) => JSON.parse(line),
    )
    expect(header).toEqual(JSON.parse(linesOf(readFileSync(path, "utf8"))[0] ?? ""))
    expect(entries.slice(0, -1).map(({ id }) => id)).toEqual([
      "aaaa0001",
      "aaaa0002",
      "aaaa0003",
      "aaaa0004",
      "aaaa0005",
      "aaaa0006",
      entries.at(-2).id,
    ])
    expect(entries.at(-2)).toMatchObject({ type: "label", parentId: "aaaa0006", targetId: "aaaa0005", label: "works" })
    expect(entries.at(-1)).toMatchObject({ type: "session_info", name: "Discount" })
  })
})

test("treelog export --format json is one document, with the entries in a list", async () => {
  const { box } = sample()
  const whole = JSON.parse(await box.print("export", "--format", "json"))
  expect(whole).toMatchObject({ v: 1, session: { name: "Discount", leafId: "aaaa000d", allBranches: true } })
  expect(whole.entries).toEqual(JSON.parse(JSON.stringify(sampleEntries())))
  const branch = JSON.parse(await box.print("export", "--format", "json", "--leaf", "aaaa0004"))
  expect(branch.entries).toEqual(JSON.parse(JSON.stringify(sampleEntries().slice(0, 4))))
})

test.each(["md", "text", "jsonl", "json"])("--no-tools and --no-thinking leave them out of %s", async (format) => {
  const { box } = sample()
  const stdout = await box.print("export", "--format", format, "--no-tools", "--no-thinking")
  for (const gone of ["Find the form first", "form.tsx", "line 1", '"thinking":"']) expect(stdout).not.toContain(gone)
  for (const kept of ["Add a discount field", "The field is in place", "npm test"]) expect(stdout).toContain(kept)
  if (format === "jsonl") expect(linesOf(stdout)).toHaveLength(1 + sampleEntries().length)
})

test("--inline-images puts back what lies in blobs, and says what is missing", async () => {
  const box = sandbox()
  const image = Buffer.alloc(3000, 7)
  box.write(`agent/blobs/${hashOf(7)}`, image.toString("latin1"))
  box.store([imageEntry("here", null, blobRef(hashOf(7))), imageEntry("gone", "here", blobRef(hashOf(8)))])
  const plain = await box.print("export", "--format", "jsonl")
  expect(plain).toContain(blobRef(hashOf(7)))
  expect(await box.print("export")).toMatch(/\*\\\[image image\/png blob:sha256:\w+\\\]\*/)
  for (const format of ["md", "jsonl", "json"]) {
    const { stdout, stderr } = await box.run(["export", "--format", format, "--inline-images"])
    expect(stdout).toContain(image.toString("base64"))
    expect(stderr).toContain(`Blob ${hashOf(8)} is not in the blob store`)
  }
})

describe("treelog export -o", () => {
  test("names the format by the file, and says what was written", async () => {
    const { box } = sample()
    for (const [name, begins] of [
      ["a.jsonl", '{"type":"session"'],
      ["a.json", '{"v":1,'],
      ["a.md", "# Discount"],
      ["a.txt", "Discount ·"],
      ["a", "# Discount"],
      ["B.MD", "# Discount"],
      ["a.htm", "<!doctype html>"],
    ]) {
      const { stdout, stderr } = await box.run(["export", "-o", `${box.folder}/${name}`])
      expect(stdout).toBe("")
      expect(stderr).toMatch(/^Exported \d+ entries, \d+ KB, to /)
      expect(readFileSync(`${box.folder}/${name}`, "utf8").startsWith(begins ?? "")).toBe(true)
      expect(statSync(`${box.folder}/${name}`).mode & 0o777).toBe(0o600)
    }
    expect((await box.run(["export", "-o", "-"])).stdout).toMatch(/^# Discount/)
  })

  test("takes a file whose ending names no format only with --format", async () => {
    const { box } = sample()
    const file = `${box.folder}/talk.pdf`
    const { code, stderr } = await box.run(["export", "-o", file])
    expect({ code, isThere: existsSync(file) }).toEqual({ code: 2, isThere: false })
    expect(stderr).toContain('No format has the ending ".pdf": give one with --format.')
    await box.print("export", "-o", file, "--format", "md")
    expect(readFileSync(file, "utf8")).toMatch(/^# Discount/)
  })

  test("never puts itself in the place of a file, but with --force", async () => {
    const { box } = sample()
    const file = box.write("there.md", "mine")
    const { code, stderr } = await box.run(["export", "-o", file])
    expect({ code, text: readFileSync(file, "utf8") }).toEqual({ code: 2, text: "mine" })
    expect(stderr).toContain("--force")
    await box.print("export", "-o", file, "--force")
    expect(readFileSync(file, "utf8")).toMatch(/^# Discount/)
    expect(readdirSync(box.folder).filter((name) => name.includes(".tmp"))).toEqual([])
  })

  test("refuses the session itself and any other place in the store, and changes nothing", async () => {
    const { box, path } = sample()
    const before = box.snapshot()
    for (const file of [path, `${box.agentDir}/sessions/new.jsonl`]) {
      const { code, stderr } = await box.run(["export", "-o", file, "--force"])
      expect(code).toBe(2)
      expect(stderr).toContain("treelog import")
    }
    expect(box.snapshot()).toEqual(before)
  })

  test("leaves nothing behind where it fails or is interrupted", async () => {
    const { box } = sample()
    const file = `${box.folder}/out.md`
    const interrupted = await box.run(["export", "-o", file], { interrupted: AbortSignal.abort() })
    expect(interrupted.code).toBe(130)
    expect((await box.run(["export", "-o", `${box.folder}/no/such/out.md`])).code).toBe(2)
    expect(existsSync(file)).toBe(false)
    expect(readdirSync(box.folder).filter((name) => name.includes("out"))).toEqual([])
  })

  test("with --json says so as JSON", async () => {
    const box = sandbox()
    box.store([userEntry("one", null, SECRET)])
    const { json } = await box.run(["export", "-o", `${box.folder}/out.md`, "--json"])
    expect(json).toMatchObject([
      {
        sessionId: "test-session",
        format: "md",
        entries: 1,
        redacted: [{ kind: "GitHub token", count: 1 }],
        leftOut: 0,
      },
    ])
    expect((await box.run(["export", "--json"])).code).toBe(2)
  })
})

test.each([
  [["--leaf", "a", "--all-branches"], "not both"],
  [["--format", "text", "--inline-images"], "--inline-images does not apply to --format text"],
  [["--format", "json", "--images", "none"], "--images does not apply to --format json"],
  [["--images", "files"], "--images files needs -o"],
  [["--format", "sts", "--images", "none"], "--images does not apply to --format sts"],
  [["--format", "pdf"], "Allowed choices are md, text, jsonl, json, atif, sts, otel, html"],
])("treelog export %j cannot be understood", async (argv, message) => {
  const { box } = sample()
  const { code, stderr } = await box.run(["export", ...argv])
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

describe("treelog export for other programs", () => {
  const ID = "5e551011-0000-4000-8000-000000000002"

  /** A session of Claude Code that asks a sub-agent, and beside it a file that is no transcript. */
  function withAgent(box: Sandbox): void {
    const head = { sessionId: ID, cwd: box.project, version: "2.1.0", timestamp: "2026-03-07T14:00:00.000Z" }
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 1000,
    }
    const reply = (id: string, content: object[]): object => ({
      type: "assistant",
      message: { id, role: "assistant", model: "claude-opus-4-6", content, usage, stop_reason: "end_turn" },
    })
    const call = {
      type: "tool_use",
      id: "toolu_1",
      name: "Agent",
      input: { description: "Look", prompt: "Look around" },
    }
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: "Nothing there." }
    const lines = (scope: string, records: object[], more: object): string =>
      records
        .map((record, at) => ({
          ...head,
          ...more,
          ...record,
          uuid: `${scope}${at}`,
          parentUuid: at === 0 ? null : `${scope}${at - 1}`,
        }))
        .map((record) => `${JSON.stringify(record)}\n`)
        .join("")
    const folder = `.claude/projects/-p/${ID}`
    const toolUseResult = { agentId: "a1", status: "completed" }
    const asked = { type: "user", toolUseResult, message: { role: "user", content: [result] } }
    const prompt = { type: "user", message: { role: "user", content: "Ask." } }
    box.write(
      `${folder}.jsonl`,
      lines("u", [prompt, reply("m1", [call]), asked, reply("m2", [{ type: "text", text: "Done." }])], {}),
    )
    const ofAgent = { agentId: "a1", isSidechain: true }
    const said = [{ type: "text", text: "I looked." }]
    box.write(`${folder}/subagents/agent-a1.jsonl`, lines("a", [prompt, reply("m3", said)], ofAgent))
  }

  test("a trajectory and a trace have the sub-agents, a session trace names them as left, tokens are those of stats", async () => {
    const box = sandbox()
    withAgent(box)
    const [stats] = (await box.run(["stats", ID, "--json"])).json
    const { total } = stats as unknown as { total: Record<string, number> }
    expect(total).toMatchObject({ input: 30, output: 15, cacheRead: 300, cacheWrite: 3000 })
    const exported = async (format: string) => {
      const file = `${box.folder}/out.${format}`
      const { json, code } = await box.run(["export", ID, "--format", format, "-o", file, "--json"])
      expect(code).toBe(0)
      return { text: readFileSync(file, "utf8"), left: json[0]?.artifactsLeft }
    }
    const sts = await exported("sts")
    const atif = await exported("atif")
    const root = JSON.parse(atif.text)
    expect(root.agent.name).toBe("claude-code")
    expect(root.steps[1].observation.results[0]).toMatchObject({
      source_call_id: "toolu_1",
      content: "Nothing there.",
      subagent_trajectory_ref: [{ trajectory_id: root.subagent_trajectories[0].trajectory_id }],
    })
    const prompts = [root, ...root.subagent_trajectories].map((one) => one.final_metrics.total_prompt_tokens)
    expect(prompts).toEqual([2220, 1110])
    expect(atif.left).toEqual([])
    const file = `${box.folder}/prompt.json`
    const [branch] = (await box.run(["export", ID, "--format", "atif", "--leaf", "u0", "-o", file, "--json"])).json
    expect(JSON.parse(readFileSync(file, "utf8")).subagent_trajectories).toBeUndefined()
    expect(branch?.artifactsLeft).toEqual(sts.left)
    const otel = await exported("otel")
    expect(otel.text.match(/"name":"invoke_agent [\w-]+"/g)).toEqual([
      '"name":"invoke_agent claude-code"',
      '"name":"invoke_agent subagent"',
    ])
    expect(sts.left).toEqual(["subagents/agent-a1.jsonl"])
    expect(JSON.parse(sts.text.split("\n")[0] ?? "")).toMatchObject({ harness: "claude-code", id: ID })
  })

  test("a session without any step is no trajectory, and leaves no file", async () => {
    const box = sandbox()
    const path = box.store([], { id: "empty" })
    const file = `${box.folder}/run.json`
    const { code, stderr } = await box.run(["export", path, "--format", "atif", "-o", file])
    expect(code).toBe(2)
    expect(stderr).toContain("at least one step")
    expect(existsSync(file)).toBe(false)
  })

  test("images of a trajectory are files beside it, by their paths, where that is asked for", async () => {
    const box = sandbox()
    box.store([imageEntry("a", null, 7)])
    await box.print("export", "--format", "atif", "--images", "files", "-o", `${box.folder}/a run.json`)
    const { steps } = JSON.parse(readFileSync(`${box.folder}/a run.json`, "utf8"))
    const [{ source }] = steps[0].message.filter(({ type }: { type: string }) => type === "image")
    expect(source).toEqual({ media_type: "image/png", path: `a run.images/${hashOf(7).slice(0, 16)}.png` })
    expect(readFileSync(`${box.folder}/${source.path}`).equals(Buffer.alloc(IMAGE_SIZE, 7))).toBe(true)
  })
})

test("an empty session, and one of an old version, can be exported", async () => {
  const box = sandbox()
  const empty = box.write("project/empty.jsonl", "")
  expect(await box.run(["export", empty, "--format", "jsonl"])).toMatchObject({ code: 0, stdout: "" })
  expect((await box.run(["export", empty])).stderr).toContain("There is nothing")
  const old = box.store([{ type: "message", message: { role: "user", content: "Hello" } }], { id: "old", version: 1 })
  expect(await box.print("export", old)).toContain("Hello")
  expect(`${await box.print("export", old, "--format", "jsonl")}\n`).toBe(readFileSync(old, "utf8"))
})

test("on a terminal JSON has no character that a terminal might obey, and elsewhere it is as stored", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null, "a\u202eb\u0085c")])
  const shown = await box.run(["export", "--format", "jsonl"], { isTTY: true })
  expect(shown.stdout).toContain("a\\u202eb\\u0085c")
  expect((await box.run(["export", "--format", "jsonl"])).stdout).toBe(readFileSync(path, "utf8"))
})

describe("treelog export --images", () => {
  test("files writes them beside the document, once each, and none says what was there", async () => {
    const box = sandbox()
    box.store([imageEntry("a", null, 7), imageEntry("b", "a", 7), imageEntry("c", "b", 8)])
    const file = `${box.folder}/my talk (1).md`
    await box.print("export", "--images", "files", "-o", file)
    const names = readdirSync(`${box.folder}/my talk (1).images`)
    expect(names.sort()).toEqual([7, 8].map((image) => `${hashOf(image).slice(0, 16)}.png`).sort())
    for (const name of names) {
      const bytes = readFileSync(`${box.folder}/my talk (1).images/${name}`)
      expect([7, 8].map((image) => Buffer.alloc(IMAGE_SIZE, image))).toContainEqual(bytes)
    }
    const text = readFileSync(file, "utf8")
    expect(text.match(/!\[image\]\(my%20talk%20%281%29\.images\/[0-9a-f]{16}\.png\)/g)).toHaveLength(3)
    const none = await box.print("export", "--images", "none")
    expect(none).not.toContain("](")
    expect(none.match(/\[image image\/png 3 KB\\\]/g)).toHaveLength(3)
  })
})
