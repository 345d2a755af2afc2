import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { CodexSource } from "@treelog/agents/codex"
import { sessionBytes } from "@treelog-internal/agent-files"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { afterEach, describe, expect, it } from "vitest"
import { TestHome } from "./home.js"
import { sessionsOf, textOf } from "./sessions-of.js"

const homes: TestHome[] = []
afterEach(async () => {
  for (const home of homes.splice(0)) await home.remove()
})

async function homeWith(files: readonly { name: string; text: string }[]): Promise<TestHome> {
  const home = await TestHome.make(files)
  homes.push(home)
  return home
}

async function all(source: CodexSource): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const session of await sessionsOf(source)) {
    texts.set(session.id ?? "", await textOf(sessionBytes(await source.convert(session))))
  }
  return texts
}

async function factsIn(home: TestHome) {
  const source = new CodexSource({ dir: home.dir })
  const [session] = await sessionsOf(source)
  if (!session) throw new Error("There is no session.")
  return source.facts(session)
}

const THREAD = "01a20000-aaaa-7aaa-8aaa-aaaaaaaaaaaa"
const NAME = `sessions/2026/03/07/rollout-2026-03-07T14-00-00-${THREAD}.jsonl`
const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: "2026-03-07T14:00:00.000Z", type, payload })}\n`
const meta = line("session_meta", { id: THREAD, timestamp: "2026-03-07T14:00:00.000Z", cwd: "/home/ada/shop" })
const said = (role: string, text: string) =>
  line("response_item", {
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  })

describe("the sessions in a folder of Codex", () => {
  it("reads a rollout whose first line is damaged", async () => {
    const text = `{"timestamp":"2026\n${line("session_meta", { id: THREAD, cwd: "/home/ada/shop" })}`
    const home = await homeWith([{ name: NAME, text }])
    const sessions = await all(new CodexSource({ dir: home.dir }))
    expect(sessions.get(THREAD)).toContain('"cwd":"/home/ada/shop"')
    expect(sessions.get(THREAD)).toContain("treelog.damaged")
  })

  it.each([
    ["damaged", '{"timestamp":"2026\n'],
    ["gone", ""],
  ])("are read where the head is %s: the name has the id, a turn the folder", async (_, head) => {
    const turn = line("turn_context", { cwd: "/home/ada/shop" })
    const text = head + said("user", "Round the total") + turn + said("assistant", "Done.")
    const home = await homeWith([{ name: NAME, text }])
    const source = new CodexSource({ dir: home.dir })
    const [session] = await sessionsOf(source, { cwd: "/home/ada/shop" })
    const facts = session && (await source.facts(session))
    expect(facts).toMatchObject({
      id: THREAD,
      cwd: "/home/ada/shop",
      firstMessage: "Round the total",
      status: "complete",
    })
    expect(facts?.created).toBe(Date.parse("2026-03-07T14:00:00.000Z"))
    expect((await all(source)).get(THREAD)).toContain("Round the total")
    expect((await sessionsOf(source, { cwd: "/home/ada/other" })).length).toBe(0)
  })

  it("have the folder that the model gets where the head of an early version names none", async () => {
    const item = (role: string, text: string) =>
      `${JSON.stringify({ type: "message", role, content: [{ type: "input_text", text }] })}\n`
    const environment =
      "<environment_context>\nCurrent working directory: /home/ada/shop\nApproval policy: never\n</environment_context>"
    const head = `${JSON.stringify({ id: THREAD, timestamp: "2025-05-07T14:00:00.000Z", instructions: null })}\n`
    const text = `${head}{"record_type":"state"}\n${item("user", environment)}${item("user", "Round it")}`
    const home = await homeWith([{ name: NAME, text: `${text}${item("assistant", "<cwd>/other</cwd>")}` }])
    const source = new CodexSource({ dir: home.dir })
    const [session] = await sessionsOf(source, { cwd: "/home/ada/shop" })
    expect(session && (await source.facts(session))).toMatchObject({ cwd: "/home/ada/shop", firstMessage: "Round it" })
    expect((await all(source)).get(THREAD)).toContain('"cwd":"/home/ada/shop"')
  })

  it("go on from their origin where the head of a fork is damaged", async () => {
    const origin = "01a20000-bbbb-7bbb-8bbb-bbbbbbbbbbbb"
    const copied = line("session_meta", { id: origin, cwd: "/home/ada/shop" }) + said("user", "Round the total")
    const home = await homeWith([
      { name: NAME.replace(THREAD, origin), text: copied },
      { name: NAME, text: `{"timestamp\n${copied}${said("user", "Now")}` },
    ])
    const texts = await all(new CodexSource({ dir: home.dir }))
    expect(texts.get(THREAD)).toContain(`"parentSession":"${origin}"`)
    expect(texts.get(origin)).not.toContain("parentSession")
  })

  it("are damaged where nothing can be read, and no sessions where another program wrote the file", async () => {
    const other = NAME.replace(/a{12}/, "e".repeat(12))
    const home = await homeWith([
      { name: NAME, text: '{"timestamp\n{"time\n' },
      { name: other, text: '{"not":"a rollout"}\n' },
    ])
    const source = new CodexSource({ dir: home.dir })
    const faults = new Map<string, unknown>()
    for (const session of await sessionsOf(source))
      await source.facts(session).catch((error) => faults.set(session.key, error.data.isDamaged))
    expect([faults.get(join(home.dir, NAME)), faults.get(join(home.dir, other))]).toEqual([true, false])
  })

  it("are the same when their files are compressed", async () => {
    for (const seed of [1, 2, 3]) {
      const files = generateCodexHome({ seed, rollouts: 8 })
      const home = await homeWith(files)
      const source = new CodexSource({ dir: home.dir })
      const plain = await all(source)
      for (const { name, text } of files) await home.compress(name, text)
      expect(await all(new CodexSource({ dir: home.dir }))).toEqual(plain)
    }
  })

  it("are the same when a compressed file takes several reads", async () => {
    const texts = Array.from({ length: 300 }, (_, at) =>
      said(at % 2 ? "assistant" : "user", `${at} ${"x".repeat(4_000)}`),
    )
    const text = meta + texts.join("")
    const home = await homeWith([{ name: NAME, text }])
    const plain = await all(new CodexSource({ dir: home.dir }))
    expect(plain.get(THREAD)).toContain("299 xxx")
    await home.compress(NAME, text)
    expect(await all(new CodexSource({ dir: home.dir }))).toEqual(plain)
  })

  it("have the name, the folder, the first prompt and the end that a list shows", async () => {
    const home = await homeWith([{ name: NAME, text: meta + said("user", "Round the total") }])
    await home.write("session_index.jsonl", `{"id":"${THREAD}","thread_name":"Cents"}\n`)
    const source = new CodexSource({ dir: home.dir })
    const session = await source.find(join(home.dir, NAME))
    expect(session).toMatchObject({ id: THREAD })
    const shown = { id: THREAD, name: "Cents", cwd: "/home/ada/shop", firstMessage: "Round the total" }
    expect(session && (await source.facts(session))).toMatchObject({ ...shown, status: "pending" })
    await home.append(NAME, said("assistant", "Done."))
    const later = await source.find(join(home.dir, NAME))
    expect(later?.version).not.toBe(session?.version)
    expect(later && (await source.facts(later))).toMatchObject({ ...shown, status: "complete" })
  })

  it("prefer the plain file to the compressed one, and ignore temporary ones", async () => {
    const home = await homeWith([{ name: NAME, text: meta + said("user", "plain") }])
    await home.write(`${NAME}.zst`, "not zstd")
    await home.write(`${NAME}.zst.tmp`, "half")
    const [text] = (await all(new CodexSource({ dir: home.dir }))).values()
    expect(text).toContain("plain")
  })

  it("are listed with their error where they cannot be decompressed", async () => {
    const home = await homeWith([{ name: NAME, text: meta }])
    const damaged = await home.write(`${NAME.replace(/a{12}/, "d".repeat(12))}.zst`, "not zstd at all")
    const source = new CodexSource({ dir: home.dir })
    const errors = new Map<string, unknown>()
    for (const { key, error } of await sessionsOf(source)) errors.set(key, error)
    expect(errors.get(join(home.dir, NAME))).toBeUndefined()
    expect(errors.get(damaged)).toMatchObject({ code: "StorageError" })
  })

  it("are listed with their error where a link leads to nothing", async () => {
    const home = await homeWith([{ name: NAME, text: meta }])
    const link = join(home.dir, NAME.replace(/a{12}/, "e".repeat(12)))
    await symlink(join(home.dir, "gone"), link)
    const errors = new Map<string, unknown>()
    for (const { key, error } of await sessionsOf(new CodexSource({ dir: home.dir }))) errors.set(key, error)
    expect(errors.get(join(home.dir, NAME))).toBeUndefined()
    expect(errors.get(link)).toMatchObject({ code: "StorageError", data: { errno: "ENOENT" } })
  })

  it("are no empty list where listing is interrupted", async () => {
    const home = await homeWith([{ name: NAME, text: meta }])
    const signal = AbortSignal.abort(new Error("interrupted"))
    const listing = new CodexSource({ dir: home.dir }).list({ signal })
    await expect(listing.next()).rejects.toThrow("interrupted")
  })

  it("show the tail alone where the base is missing, and report that", async () => {
    const base = { thread_id: "01a20000-bbbb-7bbb-8bbb-bbbbbbbbbbbb", end_byte_offset: 10 }
    const fork = line("session_meta", {
      id: THREAD,
      cwd: "/home/ada/shop",
      history_base: base,
      forked_from_id: base.thread_id,
    })
    const home = await homeWith([{ name: NAME, text: fork + said("user", "on my own") + said("assistant", "Yes") }])
    const source = new CodexSource({ dir: home.dir })
    const conversion = await source.convert({ key: join(home.dir, NAME) } as never)
    const text = await textOf(sessionBytes(conversion))
    expect(text).toContain("on my own")
    expect(text).toContain('"request":"rebuilt"')
    expect(conversion.report.diagnostics).toMatchObject([{ kind: "missing-parent" }])
  })

  it("that are no rollouts are refused by name, and do not hide others", async () => {
    const other = NAME.replace(/a{12}/, "c".repeat(12))
    const home = await homeWith([
      { name: NAME, text: meta },
      { name: other, text: "no json\n" },
    ])
    const source = new CodexSource({ dir: home.dir })
    const keys: string[] = []
    for (const { key } of await sessionsOf(source)) keys.push(key)
    expect(keys.sort()).toEqual([join(home.dir, NAME), join(home.dir, other)].sort())
    const broken = await source.find(join(home.dir, other))
    await expect(broken && source.facts(broken)).rejects.toMatchObject({ code: "InvalidSessionError" })
    await expect(source.convert({ key: join(home.dir, other) } as never)).rejects.toMatchObject({
      code: "InvalidSessionError",
    })
  })

  it.each([
    ["codex exec", "exec", "sdk"],
    ["a server of MCP", "mcp", "sdk"],
    ["what keeps memories", { internal: "memory_consolidation" }, "sdk"],
    ["an editor", "vscode", undefined],
    ["an application of its own", { custom: "chatgpt" }, undefined],
    ["an editor that attached it to another", "vscode", "sdk", true],
  ])(
    "are of a program where Codex does not list them for a person: %s",
    async (_, source, kind, attached_thread = false) => {
      const head = line("session_meta", {
        id: THREAD,
        timestamp: "2026-03-07T14:00:00.000Z",
        cwd: "/home/ada/shop",
        source,
        attached_thread,
      })
      const home = await homeWith([{ name: NAME, text: head + said("user", "Go on") }])
      expect((await factsIn(home)).kind).toBe(kind)
      const [whole = ""] = (await all(new CodexSource({ dir: home.dir }))).values()
      expect(JSON.parse(whole.slice(0, whole.indexOf("\n"))).source.kind).toBe(kind)
    },
  )

  it("have the name that their lines give them where nothing else does, in lists as when they are read", async () => {
    const named = (thread_name: unknown, thread_id = THREAD) =>
      line("event_msg", { type: "thread_name_updated", thread_id, thread_name })
    const lines = [meta, said("user", "Why?"), named("Cart"), named("Another's", THREAD.replace("a", "b")), named({})]
    const home = await homeWith([{ name: NAME, text: [...lines, said("assistant", "x".repeat(100_000))].join("") }])
    const namesIn = async () => {
      const [whole = ""] = (await all(new CodexSource({ dir: home.dir }))).values()
      const names = whole.split("\n").flatMap((one) => /"session_info".*"name":"([^"]*)"/.exec(one)?.[1] ?? [])
      return [(await factsIn(home)).name, names]
    }
    expect(await namesIn()).toEqual(["Cart", ["Cart"]])
    await home.write("session_index.jsonl", `{"id":"${THREAD}","thread_name":"Shop"}\n`)
    expect(await namesIn()).toEqual(["Shop", []])
  })
})
