import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { terminalIdOf } from "../src/index.js"
import { storeIn, tempDir } from "./store.js"

describe("a terminal", () => {
  it("is named by its device", () => {
    expect(terminalIdOf({ ttyPath: "/dev/pts/3", env: { KITTY_WINDOW_ID: "7" } })).toBe("pts-3")
    expect(terminalIdOf({ ttyPath: "/dev/ttys004", env: {} })).toBe("ttys004")
  })

  it("is named by its window where the device is not known", () => {
    const env = { KITTY_WINDOW_ID: "7", TMUX_PANE: "%3", TERM_SESSION_ID: "w0t0p0:A-B", WT_SESSION: "{x}" }
    expect(terminalIdOf({ env })).toBe("kitty-7")
    expect(terminalIdOf({ env: { ...env, KITTY_WINDOW_ID: undefined } })).toBe("tmux-3")
    expect(terminalIdOf({ env: { ...env, KITTY_WINDOW_ID: "", TMUX_PANE: "" } })).toBe("apple-w0t0p0A-B")
    expect(terminalIdOf({ env: { WT_SESSION: "{x}" } })).toBe("wt-x")
    expect(terminalIdOf({ env: {} })).toBeUndefined()
  })

  it("has no name that leads elsewhere", () => {
    expect(terminalIdOf({ env: { KITTY_WINDOW_ID: "../../x" } })).toBe("kitty-....x")
    expect(terminalIdOf({ ttyPath: "/dev/..", env: {} })).toBeUndefined()
  })
})

describe("a breadcrumb", () => {
  it("is two lines", async () => {
    const agentDir = await tempDir()
    const { breadcrumbs } = await storeIn(agentDir, { terminalId: "pts-1" })
    await breadcrumbs.write("/a", "/s/b.jsonl")
    expect(await readFile(join(agentDir, "terminal-sessions", "pts-1"), "utf8")).toBe("/a\n/s/b.jsonl\n")
    expect(await readdir(join(agentDir, "terminal-sessions"))).toEqual(["pts-1"])
  })

  it("that leads out of the one folder of a storage is none there", async () => {
    const agentDir = await tempDir()
    const sessionDir = join(agentDir, "flat")
    const { breadcrumbs } = await storeIn(agentDir, { terminalId: "pts-1", sessionDir })
    await breadcrumbs.write("/a", "/elsewhere/b.jsonl")
    expect(await breadcrumbs.read()).toBeUndefined()
    await breadcrumbs.write("/a", join(sessionDir, "b.jsonl"))
    expect(await breadcrumbs.read()).toEqual({ cwd: "/a", key: join(sessionDir, "b.jsonl") })
  })

  it("is not read from what is none", async () => {
    const agentDir = await tempDir()
    await mkdir(join(agentDir, "terminal-sessions"))
    const { breadcrumbs } = await storeIn(agentDir)
    for (const text of ["", "\n", "/a", "/a\n", "\n/b"]) {
      await writeFile(join(agentDir, "terminal-sessions", "test"), text)
      expect(await breadcrumbs.read()).toBeUndefined()
    }
  })

  it("is neither written nor read without a terminal", async () => {
    const agentDir = await tempDir()
    const { breadcrumbs } = await storeIn(agentDir, { terminalId: ".." })
    await breadcrumbs.write("/a", "/b")
    expect(await breadcrumbs.read()).toBeUndefined()
    expect(await readdir(agentDir)).toEqual([])
  })
})
