import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isInUse, machineByPs, RunningAgents, type UsedSession } from "@treelog/stores"
import { expect, onTestFinished, test } from "vitest"

// The process of these tests stands for that of the agent.

/** A pid that no system gives. */
const NO_PID = 2 ** 30

test("finds the process that a file of Claude Code names, with what it does", async () => {
  const { session, write, home } = claudeHome()
  const status = { status: "waiting", waitingFor: "permission prompt", statusUpdatedAt: 1_700_000_000_000 }
  const path = write("sessions/1.json", { pid: process.pid, sessionId: session.id, ...status })
  const use = await isInUse(around(home), session)
  expect(use).toMatchObject({
    by: "pid-file",
    process: { pid: process.pid },
    file: { path, status: "waiting", waitingFor: "permission prompt", since: 1_700_000_000_000 },
  })
})

test("finds the process that a file beside a session names: by its name alone, and by JSON", async () => {
  const { home, write } = claudeHome()
  write("session-state/one/inuse.1.lock", String(process.pid))
  write("chats/one.runtime.json", { schema_version: 1, pid: process.pid, session_id: "one" })
  for (const [agent, path] of [
    ["copilot", ".claude/session-state/one/events.jsonl"],
    ["qwen", ".claude/chats/one.jsonl"],
  ] as const)
    expect(await isInUse(around(home), used({ agent, path: join(home, path) }))).toMatchObject({
      by: "pid-file",
      process: { pid: process.pid },
    })
})

test("takes no process that has ended, has another session, or was started after the file was written", async () => {
  const { session, write, home } = claudeHome()
  write("sessions/1.json", { pid: NO_PID, sessionId: session.id })
  expect(await isInUse(around(home), session)).toBeUndefined()
  write("sessions/1.json", { pid: process.pid, sessionId: "another" })
  expect(await isInUse(around(home), session)).toBeUndefined()
  const path = write("sessions/1.json", { pid: process.pid, sessionId: session.id })
  utimesSync(path, 1_000_000_000, 1_000_000_000)
  expect(await isInUse(around(home), session)).toBeUndefined()
})

test("takes no pid of another machine or container", async () => {
  const { session, write, home } = claudeHome()
  for (const of of [{ hostname: "another.invalid" }, { pidDomain: "linux:0:pid:[1]" }]) {
    write("sessions/1.json", { pid: process.pid, sessionId: session.id, ...of })
    expect(await isInUse(around(home), session)).toBeUndefined()
  }
})

test("reads past files that are no JSON or name no process", async () => {
  const { session, write, home } = claudeHome()
  write("sessions/1.json", '{"pid":')
  write("sessions/2.json", "[]")
  write("sessions/3.json", { pid: "1", sessionId: session.id })
  expect(await isInUse(around(home), session)).toBeUndefined()
})

test("cannot say which processes an agent has that is part of an editor", async () => {
  expect(await (await RunningAgents.now(around("/nowhere"))).of("cursor")).toBeUndefined()
})

test("finds processes by what ps and lsof print: their folders, and the files that they have open", async () => {
  const printed: Record<string, string> = {
    ps: "    1     0 Sun Nov  1 08:00:00 2026 /sbin/launchd\n  512     1 Sun Nov 29 05:37:14 2026 codex resume 7f\n",
    lsof: "p512\nfcwd\nn/home/me/project\nftxt\nn/usr/bin/codex\nf12\nn/home/me/one.jsonl\nf13\nnpipe\np513\nfcwd\nn/\n",
  }
  const machine = machineByPs(async (program) => printed[program])
  expect(await machine.processes()).toEqual([
    { pid: 1, parent: 0, args: ["/sbin/launchd"], started: Date.UTC(2026, 10, 1, 8) },
    { pid: 512, parent: 1, args: ["codex", "resume", "7f"], started: Date.UTC(2026, 10, 29, 5, 37, 14) },
  ])
  const places = await machine.places([512, 513])
  expect(places.get(512)).toEqual({ cwd: "/home/me/project", files: ["/home/me/one.jsonl"] })
  expect(places.get(513)).toEqual({ cwd: "/", files: [] })
})

test("cannot say which processes there are where there is no ps", async () => {
  expect(await machineByPs(async () => undefined).processes()).toBeUndefined()
})

function claudeHome() {
  const home = mkdtempSync(join(tmpdir(), "treelog-running-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const write = (name: string, content: object | string): string => {
    const path = join(home, ".claude", name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
    return path
  }
  const session = used({ agent: "claude-code", path: join(home, ".claude/projects/-p/one.jsonl") })
  return { home, write, session }
}

function used(of: Pick<UsedSession, "agent" | "path">): UsedSession {
  return { id: "one", cwd: "/p", modified: Date.now(), ...of }
}

function around(home: string) {
  return { env: { HOME: home }, cwd: home }
}
