import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { bucketAddress, postgresAddress, shownStore } from "@treelog/stores"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { chosenPlace, chosenStore } from "../door.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const io = { cwd: "/home/ada", env: { HOME: "/home/me" } as Record<string, string> }

/** What the options and variables name. */
function chosen(options: object, env: Record<string, string> = {}) {
  const asked = { io: { ...io, env: { ...io.env, ...env } }, options } as unknown as Parameters<typeof chosenStore>[0]
  const store = chosenStore(asked)
  return { ...store.name, isByOption: store.isByOption, blobs: chosenPlace(asked, store)?.name }
}

describe("the store", () => {
  const database = { TREELOG_STORE: "postgres://me:secret@host/db", TREELOG_BLOBS: "s3://bucket/prefix/" }

  test("is that of an option, else of TREELOG_STORE, else treelog's own", () => {
    expect(chosen({})).toMatchObject({ kind: "files", agentDir: "/home/me/.treelog/agent", preset: undefined })
    expect(chosen({}, { TREELOG_STORE: "pi" })).toMatchObject({ agentDir: "/home/me/.pi/agent", preset: "pi" })
    expect(chosen({}, { TREELOG_STORE: "~/agent" })).toMatchObject({ agentDir: "/home/me/agent", folder: "~/agent" })
    expect(chosen({}, database)).toMatchObject({ kind: "postgres", name: "postgres://me@host/db" })
    expect(chosen({ store: "omp" }, database)).toMatchObject({ kind: "files", agentDir: "/home/me/.omp/agent" })
    expect(chosen({ agentDir: "x" }, database)).toMatchObject({
      kind: "files",
      agentDir: "/home/ada/x",
      preset: undefined,
    })
    expect(chosen({ sessionDir: "x" }, database)).toMatchObject({ kind: "files", sessionDir: "/home/ada/x" })
    expect(chosen({ store: "pi", agentDir: "x" })).toMatchObject({ agentDir: "/home/ada/x", preset: "pi" })
    expect(chosen({}, { TREELOG_STORE: "" })).toMatchObject({ agentDir: "/home/me/.treelog/agent" })
  })

  test("has the blobs of --blobs; those of TREELOG_BLOBS unless an option names a store of files", () => {
    expect(chosen({}, database).blobs).toBe("s3://bucket/prefix")
    expect(chosen({ store: "postgres://other/db" }, database).blobs).toBe("s3://bucket/prefix")
    expect(chosen({}, { TREELOG_BLOBS: "blobs" }).blobs).toBe("/home/ada/blobs")
    expect(chosen({ store: "pi" }, database).blobs).toBeUndefined()
    expect(chosen({ store: "pi", blobs: "blobs" }, database).blobs).toBe("/home/ada/blobs")
  })

  test.each([
    [{ store: "postgres://host/db", agentDir: "x" }, "give one of them"],
    [{ store: "postgres://host/db", sessionDir: "x" }, "give one of them"],
    [{ store: "~/agent", agentDir: "x" }, "name a folder each"],
    [{ agentDir: "postgres://host/db" }, "--agent-dir takes a folder"],
    [{ store: "redis://host/db" }, "begins with postgres://"],
  ])("is refused: %j", (options, message) => {
    expect(() => chosen(options)).toThrow(message)
  })
})

test.each([
  ["postgres://", "postgres://"],
  ["postgresql://host", "postgres://host"],
  ["POSTGRES://u%20v@Host:5433/db?sslmode=verify-full", "postgres://u%20v@Host:5433/db"],
  ["postgres:///db?host=/run/postgresql", "postgres:///db"],
  ["postgres://[::1]:5432/db", "postgres://[::1]:5432/db"],
])("the address %s is shown as %s", (text, name) => {
  expect(postgresAddress(text, "--store")).toEqual({ connectionString: text, name })
})

test.each([
  "postgres://me:sEcrEt#word@127.0.0.1:1/db",
  "postgres://me:sEcrEt@127.0.0.1:1/db",
  "postgres://me@127.0.0.1:1/db?password=sEcrEt",
  "postgres://me@127.0.0.1:1/db?user=me&sslPassword=sEcrEt",
  "postgres:/me:sEcrEt@host/db",
  "postgres:///me:sEcrEt@host/db",
  "postgres//me:sEcrEt@host/db",
  "postgress://me:sEcrEt@host/db",
  "s3:/key:sEcrEt@bucket",
  "me:sEcrEt@host:5432/db",
  "host=localhost user=me password=sEcrEt",
])("%s is shown nowhere with its password", async (address) => {
  const box = sandbox()
  box.store([userEntry("one", null, "Hello")])
  expect(shownStore(address)).not.toContain("sEcrEt")
  box.write(".treelog/config.json", JSON.stringify({ store: address }))
  const commands = [
    ["list", "--all"],
    ["config", "get"],
    ["config", "get", "store"],
    ["search", "hello", "--all"],
    ["doctor"],
    ["new"],
  ]
  for (const env of [{}, { TREELOG_STORE: address }, { TREELOG_BLOBS: address }])
    for (const command of env.TREELOG_STORE || env.TREELOG_BLOBS ? commands.slice(0, 1) : commands)
      for (const more of [[], ["--json"]]) {
        const { stdout, stderr } = await box.run([...command, ...more], { env })
        expect(stdout + stderr).not.toContain("sEcrEt")
      }
})

test("a database whose address is in the settings, with a password, that cannot be reached is named, and the others are read", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "Hello")])
  box.write(".treelog/config.json", JSON.stringify({ store: "postgres://me:sEcrEt@127.0.0.1:1/db" }))
  const { code, stdout, stderr } = await box.run(["list", "--all"])
  expect([code, stdout]).toEqual([0, expect.stringContaining("Hello")])
  expect(stderr).toContain("The store of postgres://me@127.0.0.1:1/db cannot be read: Cannot connect to")
  for (const argv of [
    ["search", "Hello", "--all"],
    ["show", "one"],
    ["stats", "--all"],
  ])
    expect([argv, (await box.run(argv)).stderr]).toEqual([
      argv,
      expect.stringContaining("cannot be read: Cannot connect"),
    ])
  expect(await box.print("config", "get")).toBe("store postgres://me@127.0.0.1:1/db")
})

test.each([
  ["s3://bucket", "", "s3://bucket"],
  ["s3://my.bucket/", "", "s3://my.bucket"],
  ["S3://bucket/a/b/", "a/b", "s3://bucket/a/b"],
])("the place %s has the prefix %j", (text, prefix, name) => {
  expect(bucketAddress(text, "--blobs")).toMatchObject({ prefix, name })
})

test.each(["s3://", "s3://key:secret@bucket", "s3://bucket/prefix?x=1", "gs://bucket"])("%s is no place", (text) => {
  expect(() => bucketAddress(text, "--blobs")).toThrow("--blobs ")
})

describe("a folder as the store", () => {
  const storeIn = (box: Sandbox): void => {
    box.store([userEntry("one", null, "Hello")])
  }

  test("is used wherever a program can be named", async () => {
    const box = sandbox()
    storeIn(box)
    const none = { env: { TREELOG_AGENT_DIR: `${box.folder}/none` } }
    expect((await box.run(["list", "--store", "../agent"], none)).stdout).toContain("Hello")
    expect((await box.run(["list", "--store", "~/agent"], none)).stdout).toContain("Hello")
    expect((await box.run(["list"], { env: { ...none.env, TREELOG_STORE: box.agentDir } })).stdout).toContain("Hello")
    expect((await box.run(["list"], none)).stdout).toBe("")
  })

  test("must exist: a typing mistake is no empty store", async () => {
    const box = sandbox()
    mkdirSync(`${box.folder}/agent`)
    for (const argv of [["list"], ["new"], ["show"]]) {
      const { code, stderr } = await box.run([...argv, "--store", "../agent"])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("../agent is not a store") })
    }
    expect((await box.run(["new", "--agent-dir", "../agent"])).code).toBe(0)
    expect((await box.run(["list", "--store", "../agent"])).code).toBe(0)
  })

  test("can have the files of sessions themselves, as an agent keeps them", async () => {
    const box = sandbox()
    const folder = dirname(box.store([userEntry("one", null, "Hello")]))
    const none = { env: { TREELOG_AGENT_DIR: `${box.folder}/none` } }
    const listed = await box.run(["list", "--store", folder, "--json"], none)
    expect(listed.json).toHaveLength(1)
    expect(listed.stdout).toBe((await box.run(["list", "--session-dir", folder, "--json"], none)).stdout)
    expect((await box.run(["new", "--store", folder], none)).code).toBe(0)
    expect((await box.run(["list", "--store", folder, "--json"], none)).json).toHaveLength(2)
  })
})
