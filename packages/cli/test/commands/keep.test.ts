import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { claudeFile, sessionText } from "@treelog-internal/test-kit"
import { parse } from "plist"
import { afterEach, describe, expect, test } from "vitest"
import { Sandbox, sandbox } from "../sandbox.js"
import { writeDatabase } from "../write-database.js"

const ID = "aaaaaaaa-0000-4000-8000-00000000000a"
const OTHER = "bbbbbbbb-0000-4000-8000-00000000000b"

/** A folder of Claude Code with a session of two turns, and another one. */
function claudeHome() {
  const box = new Sandbox()
  const lines = claudeFile(ID, box.project, "Find the walnut", "Paint the cedar", "Sand the birch").split("\n")
  const path = box.write(`.claude/projects/-shop/${ID}.jsonl`, `${lines.slice(0, 4).join("\n")}\n`)
  const other = box.write(`.claude/projects/-shop/${OTHER}.jsonl`, claudeFile(OTHER, box.project, "Oil the larch"))
  const copy = join(box.agentDir, "kept/claude-code/files/projects/-shop", `${ID}.jsonl`)
  return { box, path, other, copy, whole: lines.join("\n") }
}

const kept = async (box: Sandbox) => (await box.run(["keep", "--json"])).json[0] as Record<string, unknown>
const list = async (box: Sandbox) =>
  (await box.run(["list", "--all", "--json"])).json.map(({ id, store, copies }) => [id, store, copies]).sort()

test("copies what agents have byte for byte, and only what is new the next time", async () => {
  const { box, path, copy, whole } = claudeHome()
  expect(await kept(box)).toMatchObject({ files: 2, changed: 2, gone: 0, changes: [] })
  expect(readFileSync(copy)).toEqual(readFileSync(path))
  expect(await kept(box)).toMatchObject({ files: 2, changed: 0, bytes: 0 })
  const before = statSync(copy)
  const { size } = statSync(path)
  writeFileSync(path, whole)
  expect(await kept(box)).toMatchObject({ changed: 1, bytes: whole.length - size })
  expect(readFileSync(copy, "utf8")).toBe(whole)
  expect(statSync(copy).ino).toBe(before.ino)
})

test("a name of no program and no agent is a mistake, and not a store without sessions", async () => {
  const { box } = claudeHome()
  const { code, stderr } = await box.run(["keep", "--store", "claud-code"])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("claud-code is no store of which copies are kept: name a"),
  ])
  expect((await box.run(["keep", "--store", "claude-code"])).code).toBe(0)
})

test("lists, finds and counts a session once while its agent has it, and when it deleted it", async () => {
  const { box, path } = claudeHome()
  const sums = await box.run(["stats", "--by", "model", "--all", "--json"])
  await kept(box)
  expect(await list(box)).toEqual([
    [ID, "claude-code", undefined],
    [OTHER, "claude-code", undefined],
  ])
  const bytes = readFileSync(path)
  rmSync(path)
  // Also before `keep` runs again.
  expect(await list(box)).toEqual([
    [ID, "claude-code:kept", undefined],
    [OTHER, "claude-code", undefined],
  ])
  expect((await kept(box)).changes).toEqual([{ store: "claude-code", change: "gone", path }])
  expect(await kept(box)).toMatchObject({ gone: 1, changes: [] })
  expect((await box.run(["search", "cedar", "--all", "--json"])).stdout).toContain(ID)
  expect((await box.run(["show", ID])).stdout).toContain("Paint the cedar")
  expect((await box.run(["stats", "--by", "model", "--all", "--json"])).stdout).toBe(sums.stdout)
  expect((await box.run(["list", "--all"])).stdout).toContain("kept: its agent deleted it")
  expect(await box.print("restore", ID)).toBe(path)
  expect(readFileSync(path)).toEqual(bytes)
  expect(await list(box)).toEqual([
    [ID, "claude-code", undefined],
    [OTHER, "claude-code", undefined],
  ])
})

test("keeps what a file was that is shorter or was rewritten, and never restores over another file", async () => {
  const { box, path, copy } = claudeHome()
  await kept(box)
  const before = readFileSync(path, "utf8")
  writeFileSync(path, before.split("\n").slice(0, 2).join("\n"))
  const former = copy.replace("/files/", "/former-1/")
  expect((await kept(box)).changes).toEqual([{ store: "claude-code", change: "rewritten", path, former }])
  expect(readFileSync(former, "utf8")).toBe(before)
  expect(readFileSync(copy)).toEqual(readFileSync(path))
  expect((await box.run(["search", "cedar", "--all", "--json"])).stdout).toContain(ID)
  const refused = await box.run(["restore", ID])
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain("is not what was kept")
  expect(statSync(path).size).toBeLessThan(before.length)
})

test("keeps of Cowork the sessions with their records, and nothing that they worked on", async () => {
  const box = new Sandbox()
  const own = ".config/Claude/local-agent-mode-sessions/a/b/local_1"
  const path = box.write(
    `${own}/.claude/projects/-sessions-otter/${ID}.jsonl`,
    claudeFile(ID, "/sessions/otter", "Sum them"),
  )
  const record = { cliSessionId: ID, title: "Invoices", userSelectedFolders: [box.project] }
  box.write(`${own}.json`, JSON.stringify(record))
  for (const name of ["outputs/invoices.csv", "audit.jsonl", ".claude/debug/log.txt"]) box.write(`${own}/${name}`, "1")
  expect(await kept(box)).toMatchObject({ files: 2, changed: 2 })
  expect(await list(box)).toEqual([[ID, "claude-code:cowork", undefined]])
  rmSync(join(box.folder, ".config"), { recursive: true })
  const [session] = (await box.run(["list", "--json"])).json
  expect(session).toMatchObject({ id: ID, store: "claude-code:kept cowork", name: "Invoices", cwd: box.project })
  expect(await box.print("restore", ID)).toContain(path)
  expect(await list(box)).toEqual([[ID, "claude-code:cowork", undefined]])
})

describe("the stores of pi, its relatives and treelog", () => {
  const text = { role: "user", content: "Paint the cedar", timestamp: 1 }
  const entry = {
    type: "message",
    id: "00000001",
    parentId: null,
    timestamp: "2026-01-02T03:04:05.000Z",
    message: text,
  }
  const session = (box: Sandbox) =>
    sessionText({ type: "session", version: 3, id: ID, timestamp: entry.timestamp, cwd: box.project }, entry)
  const NAME = `2026-01-02T03-04-05-000Z_${ID}`

  test.each([
    ["pi", ".pi/agent/sessions/--shop--"],
    ["omp", ".omp/agent/sessions/-shop"],
    ["omp:work", ".omp/profiles/work/agent/sessions/-shop"],
    ["prime-agent", ".prime/agent/sessions"],
    ["treelog", "agent/sessions/--shop--"],
  ])("a session of %s is listed, shown and restored with what belongs to it when it is gone", async (store, folder) => {
    const box = sandbox()
    const path = box.write(`${folder}/${NAME}.jsonl`, session(box))
    const part = box.write(`${folder}/${NAME}/0-Scan.jsonl`, session(box))
    box.write(`${folder}/${NAME}.jsonl.lock`, "{}")
    expect(await kept(box)).toMatchObject({ files: 2, changed: 2, failed: 0 })
    expect(await kept(box)).toMatchObject({ changed: 0 })
    expect(await list(box)).toEqual([[ID, store, undefined]])
    const bytes = readFileSync(path)
    rmSync(path)
    rmSync(part)
    const [[id, name] = []] = await list(box)
    expect([id, name]).toEqual([ID, expect.stringMatching(/^[a-z-]+:kept/)])
    expect((await box.run(["list", "--all"])).stdout).toContain("kept: its agent deleted it")
    expect((await box.run(["search", "cedar", "--all", "--json"])).stdout).toContain(ID)
    expect((await box.run(["show", ID])).stdout).toContain("Paint the cedar")
    expect((await box.run(["verify", "--all", "--store", String(name)])).code).toBe(0)
    expect((await box.run(["delete", ID])).stderr).toContain("restore")
    const { stdout: report } = await box.run(["doctor"])
    expect(report).toContain("1 session that its agent has no more")
    expect(report).toContain("to give one back: treelog restore ID --store ")
    expect(await box.print("restore", ID)).toBe(path)
    expect(readFileSync(path)).toEqual(bytes)
    expect(readFileSync(part)).toEqual(bytes)
    expect(await list(box)).toEqual([[ID, store, undefined]])
  })

  test("a session in a folder that settings name is kept by that name, whatever they name later", async () => {
    const box = sandbox()
    const settings = box.write(".pi/agent/settings.json", JSON.stringify({ sessionDir: `${box.folder}/own` }))
    const path = box.write(`own/${NAME}.jsonl`, session(box))
    await kept(box)
    rmSync(path)
    rmSync(settings)
    expect((await list(box)).map(([id, store]) => [id, store])).toEqual([[ID, `pi:kept ${box.folder}/own`]])
    expect(await box.print("restore", ID)).toBe(path)
  })

  test("a folder that a project names cannot write to the terminal by its name", async () => {
    const box = sandbox()
    const folder = "own\u001b[31mred"
    box.write("project/.pi/settings.json", JSON.stringify({ sessionDir: folder }))
    const path = box.write(`project/${folder}/${NAME}.jsonl`, session(box))
    const commands = [
      ["keep"],
      ["list", "--all"],
      ["doctor"],
      ["search", "cedar", "--all"],
      ["stats", "--all", "--by", "agent"],
    ]
    const print = async () => Promise.all(commands.map(async (argv) => (await box.run(argv)).stdout))
    expect((await print()).join()).not.toContain("\u001b")
    rmSync(path)
    const printed = await print()
    expect(printed.join()).not.toContain("\u001b")
    expect(printed[2]).toContain("pi:kept ")
  })

  test("an image that a sweep removed comes back with the session", async () => {
    const box = sandbox()
    const hash = createHash("sha256").update("an image").digest("hex")
    const block = { type: "image", mimeType: "image/png", data: `blob:sha256:${hash}` }
    const path = box.store([{ ...entry, message: { ...text, content: [block] } }], { id: ID })
    const blob = box.write(`agent/blobs/${hash}`, "an image")
    await kept(box)
    rmSync(path)
    rmSync(blob)
    expect((await box.run(["verify", ID])).code).toBe(0)
    await box.print("restore", ID)
    expect(readFileSync(blob, "utf8")).toBe("an image")
  })

  test("what delete put into the trash is not listed as kept", async () => {
    const box = sandbox()
    box.store([entry], { id: ID })
    await kept(box)
    await box.print("delete", ID)
    expect(await list(box)).toEqual([])
    await box.print("trash", "empty", "--apply")
    expect((await list(box)).map(([, store]) => store)).toEqual(["treelog:kept"])
  })

  test("resume names restore, since the program finds no copy", async () => {
    const box = sandbox()
    const path = box.write(`.pi/agent/sessions/--shop--/${NAME}.jsonl`, session(box))
    chmodSync(box.write("bin/pi", "#!/bin/sh\n"), 0o755)
    await kept(box)
    rmSync(path)
    const env = { PATH: join(box.folder, "bin") }
    const { code, stderr } = await box.run(["resume", ID], { env, isTTY: true, isAsked: true })
    expect([code, stderr]).toEqual([2, expect.stringContaining("treelog restore")])
  })
})

test("copies are listed also where a folder or a loop is in the place of their files", async () => {
  const { box, path, other } = claudeHome()
  await kept(box)
  for (const one of [path, other]) rmSync(one)
  mkdirSync(path)
  symlinkSync(other, other)
  expect(await kept(box)).toMatchObject({ gone: 2 })
  const { json } = await box.run(["list", "--all", "--json"])
  // The loop is listed, too, as a file that cannot be read.
  expect(json.flatMap(({ id, store, error }) => (error ? [] : [[id, store]])).sort()).toEqual([
    [ID, "claude-code:kept"],
    [OTHER, "claude-code:kept"],
  ])
})

test("a file that its agent renamed is not copied again", async () => {
  const { box, path } = claudeHome()
  await kept(box)
  const to = path.replace("-shop", "-store")
  box.write(".claude/projects/-store/empty", "")
  renameSync(path, to)
  expect(await kept(box)).toMatchObject({ gone: 0, bytes: 0, changes: [{ change: "moved", path: to, former: path }] })
})

test("a JSON document that is written anew with all that it had leaves no former one", async () => {
  const box = new Sandbox()
  const message = (id: string, text: string) => ({
    id,
    timestamp: "2026-01-02T03:04:05.000Z",
    type: "user",
    content: text,
  })
  const write = (...messages: object[]) =>
    box.write(
      ".gemini/tmp/shop/chats/session-2026-01-02T03-04-aaaaaaaa.json",
      JSON.stringify({
        sessionId: ID,
        startTime: "2026-01-02T03:04:05.000Z",
        lastUpdated: `2026-01-02T03:04:0${messages.length}.000Z`,
        messages,
      }),
    )
  write(message("1", "Find the walnut"))
  await kept(box)
  write(message("1", "Find the walnut"), message("2", "Paint the cedar"))
  expect(await kept(box)).toMatchObject({ changed: 1, changes: [] })
  write(message("2", "Paint the cedar"))
  expect((await kept(box)).changes).toHaveLength(1)
  expect(await list(box)).toHaveLength(1)
})

test("keeps the rows of a database that its agent deletes or changes, and puts them back", async () => {
  const box = new Sandbox()
  const path = join(box.folder, ".local/share/opencode/opencode.db")
  const columns =
    "id text PRIMARY KEY, session_id text REFERENCES session (id), time_created integer, time_updated integer, data text"
  // What refers to a session comes before it.
  await writeDatabase(path, [
    [`CREATE TABLE message (${columns})`],
    [`CREATE TABLE part (${columns}, message_id text)`],
    [
      "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer)",
    ],
  ])
  const say = (id: string, session: string, text: string): Promise<void> =>
    writeDatabase(path, [
      ["INSERT OR IGNORE INTO session VALUES (?, NULL, '/shop', 'A title', '1.18', NULL, 1, 1)", session],
      [
        "INSERT INTO message VALUES (?, ?, 1, 1, ?)",
        `msg_${id}`,
        session,
        JSON.stringify({ role: "user", time: { created: 1 } }),
      ],
      [
        "INSERT INTO part VALUES (?, ?, 1, 1, ?, ?)",
        `prt_${id}`,
        session,
        JSON.stringify({ type: "text", text }),
        `msg_${id}`,
      ],
    ])
  await say("1", "ses_aaaaaaaa", "Find the walnut")
  await say("2", "ses_aaaaaaaa", "Paint the cedar")
  await say("3", "ses_bbbbbbbb", "Oil the larch")
  expect(await kept(box)).toMatchObject({ files: 1, changed: 1 })
  expect(await kept(box)).toMatchObject({ files: 1, changed: 0 })
  const rows = async (): Promise<unknown> => {
    const db = (await loadDriver()).open(path)
    try {
      return ["session", "message", "part"].map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY id`).all())
    } finally {
      db.close()
    }
  }
  const before = await rows()
  const deleting = ["part WHERE session_id", "message WHERE session_id", "session WHERE id"]
  const deletion = deleting.map((from) => [`DELETE FROM ${from} = 'ses_aaaaaaaa'`] as const)
  await writeDatabase(path, deletion)
  expect((await list(box)).map(([id, store]) => [id, store]).sort()).toEqual([
    ["ses_aaaaaaaa", "opencode:kept"],
    ["ses_bbbbbbbb", "opencode"],
  ])
  await kept(box)
  expect((await box.run(["show", "ses_aaaaaaaa"])).stdout).toContain("Paint the cedar")
  await writeDatabase(path, [["ALTER TABLE part RENAME TO pieces"]])
  const refused = await box.run(["restore", "ses_aaaaaaaa"])
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("no table part")])
  await writeDatabase(path, [["ALTER TABLE pieces RENAME TO part"]])
  const restored = await box.run(["restore", "ses_aaaaaaaa"])
  expect(restored).toMatchObject({ stdout: `${path}\n`, stderr: expect.stringContaining("that are there again: 5.") })
  expect(await rows()).toEqual(before)
  await writeDatabase(path, [
    [
      "UPDATE part SET data = ?, time_updated = 2 WHERE id = 'prt_3'",
      JSON.stringify({ type: "text", text: "Burn it" }),
    ],
  ])
  expect((await kept(box)).changes).toHaveLength(1)
  expect((await box.run(["search", "larch", "--all", "--json"])).stdout).toContain("ses_bbbbbbbb")
  await writeDatabase(path, deletion)
  await box.run(["keep", "--prune", "--older-than", "0", "--apply"])
  expect((await list(box)).map(([id, store]) => [id, store])).toEqual([["ses_bbbbbbbb", "opencode"]])
  expect((await box.run(["search", "cedar", "--all", "--json"])).stdout).toBe("")
})

test("a program that is killed while it writes leaves nothing that hides a session", async () => {
  const { box, path, copy } = claudeHome()
  await kept(box)
  const whole = readFileSync(path)
  // As far as it came, without the time that says that it is complete.
  writeFileSync(copy, whole.subarray(0, 100))
  rmSync(path)
  writeFileSync(path, whole)
  await kept(box)
  expect(readFileSync(copy)).toEqual(whole)
  expect(existsSync(copy.replace("/files/", "/former-1/"))).toBe(false)
})

test("removes copies of what agents have no more, but for those that are held: a dry run first", async () => {
  const { box, path, other, copy } = claudeHome()
  await kept(box)
  rmSync(path)
  rmSync(other)
  await kept(box)
  expect(await box.print("keep", "--hold", OTHER)).toContain("is held")
  const named = async (...more: string[]) =>
    (await box.run(["keep", "--prune", "--older-than", "0", "--json", ...more])).json.map(({ id, dryRun }) => [
      id,
      dryRun,
    ])
  expect(await named()).toEqual([[ID, true]])
  expect(existsSync(copy)).toBe(true)
  expect(await named("--apply")).toEqual([[ID, false]])
  expect(existsSync(copy)).toBe(false)
  expect((await list(box)).map(([id]) => id)).toEqual([OTHER])
  await box.print("keep", "--release", OTHER)
  expect(await named()).toEqual([[OTHER, true]])
  expect((await box.run(["keep", "--prune"])).code).toBe(2)
  expect((await box.run(["keep", "--older-than", "1d"])).code).toBe(2)
})

test("what agents still have is never among the copies to remove", async () => {
  const { box } = claudeHome()
  await kept(box)
  expect((await box.run(["keep", "--prune", "--older-than", "0", "--json"])).json).toEqual([])
})

/** A home with a variable that needs all kinds of quoting, and programs that only note how they are called. */
function timerHome(...programs: string[]) {
  const { box } = claudeHome()
  for (const program of programs)
    chmodSync(box.write(`bin/${program}`, `#!/bin/sh\necho "$@" >> "${box.folder}/calls"\n`), 0o755)
  const env = { PATH: join(box.folder, "bin"), CODEX_HOME: `/srv/a 100% $HOME "<&>' \\x` }
  const calls = () => readFileSync(join(box.folder, "calls"), "utf8").trim().split("\n")
  return { box, env, calls }
}

describe.skipIf(process.platform !== "linux")("a timer", () => {
  afterEach(() => {
    Object.defineProperty(process, "platform", { value: "linux" })
  })

  test("of cron is a line of the crontab, which others keep", async () => {
    // Of a machine without systemd, and with a crontab that is a file.
    const { box, env } = timerHome()
    const program = box.write(
      "bin/crontab",
      `#!/bin/sh\nif [ "$1" = -l ]; then cat "${box.folder}/tab"; else cat > "${box.folder}/tab"; fi\n`,
    )
    chmodSync(program, 0o755)
    const tab = box.write("tab", "0 4 * * * backup\n")
    symlinkSync("/bin/cat", join(box.folder, "bin/cat"))
    const { stdout } = await box.run(["keep", "--install"], { env })
    expect(stdout).toMatch(/^\*\/10 \* \* \* \* .* keep --into .* # treelog-keep\n$/)
    expect(readFileSync(tab, "utf8")).toBe(`0 4 * * * backup\n${stdout}`)
    // What cron hands to the shell: it takes off the backslashes that keep a % from being a line break.
    const [, , , , , ...words] = stdout.trim().split(" ")
    const [variables = ""] = words.join(" ").replaceAll("\\%", "%").split(process.execPath)
    expect(execFileSync("/bin/sh", ["-c", `export ${variables}; printf %s "$CODEX_HOME"`], { encoding: "utf8" })).toBe(
      env.CODEX_HOME,
    )
    await box.run(["keep", "--install"], { env })
    expect(readFileSync(tab, "utf8")).toBe(`0 4 * * * backup\n${stdout}`)
    await box.run(["keep", "--uninstall"], { env })
    expect(readFileSync(tab, "utf8")).toBe("0 4 * * * backup\n")
  })

  test("of systemd is two files that it takes, which are removed again", async () => {
    const { box, env, calls } = timerHome("systemctl")
    const { stdout } = await box.run(["keep", "--install"], { env })
    const [service, timer] = ["service", "timer"].map((kind) =>
      join(box.folder, `.config/systemd/user/treelog-keep.${kind}`),
    ) as [string, string]
    expect(readFileSync(service, "utf8")).toContain(`Environment="CODEX_HOME=/srv/a 100%% $HOME \\"<&>' \\\\x"\n`)
    expect(stdout).toContain(service)
    expect(calls()).toContain("--user enable --now treelog-keep.timer")
    const analyzer = "/usr/bin/systemd-analyze"
    if (existsSync(analyzer)) {
      const checking = {
        env: { ...process.env, XDG_RUNTIME_DIR: box.folder },
        stdio: "pipe",
        encoding: "utf8",
      } as const
      expect(execFileSync(analyzer, ["verify", "--user", service, timer], checking)).toBe("")
    }
    await box.run(["keep", "--uninstall"], { env })
    expect([service, timer].filter(existsSync)).toEqual([])
    expect(calls().slice(-2)).toEqual(["--user disable --now treelog-keep.timer", "--user daemon-reload"])
  })

  test("of launchd is a property list, which is loaded anew and removed again", async () => {
    const { box, env, calls } = timerHome("launchctl")
    Object.defineProperty(process, "platform", { value: "darwin" })
    await box.run(["keep", "--install"], { env })
    const path = join(box.folder, "Library/LaunchAgents/dev.treelog-keep.plist")
    const into = join(box.agentDir, "kept")
    expect(parse(readFileSync(path, "utf8"))).toEqual({
      Label: "dev.treelog-keep",
      ProgramArguments: [process.execPath, process.argv[1], "keep", "--into", into, "--quiet"],
      EnvironmentVariables: {
        CODEX_HOME: env.CODEX_HOME,
        TREELOG_AGENT_DIR: box.agentDir,
        TREELOG_CACHE_DIR: box.cacheDir,
      },
      StartInterval: 600,
      RunAtLoad: true,
      LowPriorityIO: true,
    })
    await box.run(["keep", "--install"], { env })
    await box.run(["keep", "--uninstall"], { env })
    expect(existsSync(path)).toBe(false)
    expect(calls()).toEqual(["load", "unload", "load", "unload"].map((verb) => `${verb} -w ${path}`))
  })
})

test("former copies stay where they are when their project moves", async () => {
  const { box, path } = claudeHome()
  await kept(box)
  writeFileSync(path, claudeFile(ID, box.project, "Another walnut"))
  await kept(box)
  rmSync(join(box.folder, ".claude"), { recursive: true })
  const former = box.snapshot()
  const { code, stdout } = await box.run(["relocate", "--from", box.project, "--to", `${box.folder}/moved`, "--apply"])
  expect([code, stdout]).toEqual([3, ""])
  expect(box.snapshot()).toEqual(former)
})

test("says that there is nothing to keep", async () => {
  expect((await sandbox().run(["keep"])).stderr).toBe("No session was found to keep.\n")
})

test("an id of which there is no copy is named as it was typed", async () => {
  const { box } = claudeHome()
  await kept(box)
  const { code, stdout } = await box.run(["restore", "0000nope"])
  expect([code, stdout]).toEqual([1, expect.stringContaining('"0000nope"')])
})

test("of a session that its agent still has, and where nothing is kept, restore says that there is no copy to restore", async () => {
  const { box } = claudeHome()
  const refusal = `${ID} SessionNotFoundError No session "${ID}" is in copies alone: its agent still has it, or \`treelog keep\` kept none.\n`
  expect((await box.run(["restore", ID])).stdout).toBe(refusal)
  await kept(box)
  expect((await box.run(["restore", ID])).stdout).toBe(refusal)
})

test("where another process keeps copies, the second one names it", async () => {
  const { box } = claudeHome()
  const root = join(box.agentDir, "kept")
  const { FileSessionStorage } = await import("@treelog/storage-fs")
  await kept(box)
  const storage = new FileSessionStorage({ agentDir: root, sessionDir: root, cacheDir: null })
  const lease = await storage.lease(join(root, "keep.jsonl"), { access: "exclusive", waitMs: 0 })
  const { code, stderr } = await box.run(["keep"])
  await lease.release()
  expect([code, stderr]).toEqual([5, expect.stringContaining(`Process ${process.pid} on `)])
  expect(stderr).toContain(`keeps copies in ${root} now`)
})
