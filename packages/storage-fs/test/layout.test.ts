import { homedir } from "node:os"
import { join } from "node:path"
import { agentDirOf, artifactsFolder, FileSessionStorage } from "@treelog/storage-fs"
import { describe, expect, it } from "vitest"
import { bucketName, bucketNames, idOfFileName } from "./door.js"

const timestamp = "2026-03-07T14:00:00.000Z"
const storage = new FileSessionStorage({ agentDir: "/agent", env: { HOME: "/home/me" } })
const codeOf = (action: () => unknown) => {
  try {
    action()
  } catch (error) {
    return (error as { code?: string }).code
  }
  return "no error"
}

describe("where a session goes whose folder was renamed", () => {
  const env = { HOME: "/home/me", TMPDIR: "/tmp" }
  const store = new FileSessionStorage({ agentDir: "/agent", env })
  const ofOmp = new FileSessionStorage({ agentDir: "/agent", env, preset: "omp" })
  it.each(["--home-me-old--", "-old", "--somewhere-else--"])("is the bucket of the new one, from %s", (bucket) => {
    const key = `/agent/sessions/${bucket}/any.jsonl`
    expect(store.keyMoved(key, "/home/me/new")).toBe("/agent/sessions/--home-me-new--/any.jsonl")
    expect(ofOmp.keyMoved(key, "/home/me/new")).toBe("/agent/sessions/-new/any.jsonl")
    expect(ofOmp.keyMoved(key, "/srv/new")).toBe("/agent/sessions/--srv-new--/any.jsonl")
  })

  it("is where it is, for what lies in no bucket of the store", () => {
    const flat = new FileSessionStorage({ agentDir: "/agent", sessionDir: "/flat", env })
    expect(flat.keyMoved("/flat/a.jsonl", "/home/me/new")).toBe("/flat/a.jsonl")
    expect(store.keyMoved("/loose/a.jsonl", "/home/me/new")).toBe("/loose/a.jsonl")
  })
})

describe("the name of a session", () => {
  it("is its folder, its time and its id", () => {
    const key = storage.keyFor({ cwd: "/home/user/a:b", id: "abc", timestamp })
    expect(key).toBe("/agent/sessions/--home-user-a-b--/2026-03-07T14-00-00-000Z_abc.jsonl")
    expect(storage.folderOf(key)).toBe("/agent/sessions/--home-user-a-b--")
  })

  it("is in the one folder, where one is given", () => {
    const flat = new FileSessionStorage({ agentDir: "/agent", sessionDir: "/sessions" })
    expect(flat.keyFor({ cwd: "/x", id: "abc", timestamp })).toBe("/sessions/2026-03-07T14-00-00-000Z_abc.jsonl")
  })

  it("takes no id or time that could lead elsewhere", () => {
    for (const id of ["", ".", "..", "../x", "a/b", "a\\b", "-a", "a.", "a\0", "a b", "é", "a\n"]) {
      expect([id, codeOf(() => storage.keyFor({ cwd: "/x", id, timestamp }))]).toEqual([id, "InvalidArgumentError"])
    }
    for (const time of ["", "../../x", "2026-03-07T14:00:00/../Z", "yesterday"]) {
      const code = codeOf(() => storage.keyFor({ cwd: "/x", id: "a", timestamp: time }))
      expect([time, code]).toEqual([time, "InvalidArgumentError"])
    }
  })

  it("cannot be led out of the sessions folder by a working directory", () => {
    for (const cwd of ["/../../etc", "/a/../..", "..", "/a/..\\..\\b", "C:\\..\\x"]) {
      expect(storage.folderOf(storage.keyFor({ cwd, id: "a", timestamp }))).toMatch(/^\/agent\/sessions\/--[^/\\:]*--$/)
    }
  })

  it("returns the id", () => {
    expect(idOfFileName("2026-03-07T14-00-00-000Z_a_b.jsonl")).toBe("a_b")
    expect(idOfFileName("2026-03-07T14-00-00-000Z_0123456789abcdef.jsonl")).toBe("0123456789abcdef")
    expect(idOfFileName("notes.jsonl")).toBeUndefined()
    expect(idOfFileName("2026-03-07T14-00-00-000Z_.jsonl")).toBeUndefined()
  })

  it("gives its artifacts a folder that is no other session's name", () => {
    expect(artifactsFolder("/s/t_a.jsonl")).toBe("/s/t_a")
    expect(artifactsFolder("/s/t_a.jsonl.jsonl")).toBeUndefined()
    expect(artifactsFolder("/s/.jsonl")).toBeUndefined()
    expect(artifactsFolder("/s/t_a.txt")).toBeUndefined()
  })
})

describe("a bucket", () => {
  it("is named after the working directory", () => {
    expect(bucketName("/home/user/project")).toBe("--home-user-project--")
    expect(bucketName("/a/b-c")).toBe(bucketName("/a-b/c"))
    expect(bucketName("/")).toBe("----")
  })

  it("has a name that file systems take, however deep the directory", () => {
    const [one, other] = [`/${"é/".repeat(200)}a`, `/${"é/".repeat(200)}b`].map((cwd) => bucketName(cwd))
    expect(Buffer.byteLength(one ?? "")).toBeLessThanOrEqual(255)
    expect(one).toMatch(/^--é-é.*-[0-9a-f]{16}--$/)
    expect(one).not.toBe(other)
  })

  it("is found under the names of xcsh and omp too", () => {
    const known = { home: "/home/me", tmp: "/tmp" }
    expect(bucketNames("/home/me", known)).toEqual(["--home-me--", "-"])
    expect(bucketNames("/home/me/src/x", known)).toEqual(["--home-me-src-x--", "-src-x"])
    expect(bucketNames("/tmp", known)).toEqual(["--tmp--", "-tmp"])
    expect(bucketNames("/tmp/a/b", known)).toEqual(["--tmp-a-b--", "-tmp-a-b"])
    expect(bucketNames("/home/me2", known)).toEqual(["--home-me2--"])
    expect(bucketNames("/tmp/..a", known)).toEqual(["--tmp-..a--"])
  })
})

describe("a reference", () => {
  it("names a key when it looks like a path", () => {
    expect(storage.keyFromRef("/s/a.jsonl")).toBe("/s/a.jsonl")
    expect(storage.keyFromRef("./a.jsonl")).toBe(join(process.cwd(), "a.jsonl"))
    expect(storage.keyFromRef("a.jsonl")).toBe(join(process.cwd(), "a.jsonl"))
    expect(storage.keyFromRef("~/a.jsonl")).toBe("/home/me/a.jsonl")
    expect(storage.keyFromRef("0190")).toBeUndefined()
    expect(storage.keyFromRef("@last")).toBeUndefined()
    expect(storage.keyFromRef("a/b\0")).toBeUndefined()
  })
})

describe("the agent folder of a program", () => {
  it("is under the home folder, or where the environment says", () => {
    const env = { HOME: "/h" }
    expect(agentDirOf("treelog", env)).toBe("/h/.treelog/agent")
    expect(agentDirOf("treelog", { ...env, TREELOG_AGENT_DIR: "/t" })).toBe("/t")
    expect(agentDirOf("pi", env)).toBe("/h/.pi/agent")
    expect(agentDirOf("pi", { ...env, PI_CODING_AGENT_DIR: "~/p" })).toBe("/h/p")
    expect(agentDirOf("xcsh", { ...env, PI_CODING_AGENT_DIR: "/p" })).toBe("/h/.xcsh/agent")
    expect(agentDirOf("omp", env)).toBe("/h/.omp/agent")
    expect(agentDirOf("omp", {})).toBe(join(homedir(), ".omp", "agent"))
    expect(agentDirOf("omp", { ...env, PI_CODING_AGENT_DIR: "/p" })).toBe("/h/.omp/agent")
    expect(agentDirOf("omp", { ...env, PI_CODING_AGENT_DIR: "/p" }, "work")).toBe("/h/.omp/profiles/work/agent")
  })

  it("is that of the environment when a storage is given none", () => {
    const key = new FileSessionStorage({ env: { HOME: "/h" } }).keyFor({ cwd: "/x", id: "a", timestamp })
    expect(key).toBe("/h/.treelog/agent/sessions/--x--/2026-03-07T14-00-00-000Z_a.jsonl")
  })
})
