import { symlinkSync } from "node:fs"
import { dirname } from "node:path"
import { blobRef } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { expect, test } from "vitest"
import { hashOf } from "../images.js"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"

const [SECRET = ""] = plantedSecrets(3)
  .slice(2)
  .map(({ text }) => text)

test("names kind, line, entry and place of each secret, and none of them", async () => {
  const box = sandbox()
  const twice = `{"type":"x","id":"two","parentId":"one","a":"${SECRET}","a":"b"}`
  const path = box.store([userEntry("one", null, `push with ${SECRET}`), twice, `{"torn ${SECRET}`], { title: SECRET })
  const { code, stdout, stderr } = await box.run(["scan"])
  expect(code).toBe(4)
  expect(stdout.split("\n")).toEqual([
    `${path}:1  GitHub token  title`,
    `${path}:2  GitHub token  one  message.content`,
    `${path}:3  GitHub token`,
    `${path}:4  GitHub token`,
    "",
  ])
  expect(stderr).toBe(`The newest session: ${path}\n1 session: 4 secrets.\n`)
  expect((await box.run(["scan", "--json"])).json).toMatchObject([
    { v: 1, path, line: 1, kind: "GitHub token", place: "title" },
    { v: 1, path, line: 2, entryId: "one", kind: "GitHub token", place: "message.content" },
    { v: 1, path, line: 3, kind: "GitHub token" },
    { v: 1, path, line: 4, kind: "GitHub token" },
  ])
})

test("finds nothing in an ordinary session", async () => {
  const box = sandbox()
  const path = box.store(sampleEntries())
  expect(await box.run(["scan", path])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "1 session: nothing that looks like a secret.\n",
  })
})

test("looks at the whole of a text that lies in a blob", async () => {
  const box = sandbox()
  const whole = `${"word ".repeat(120_000)}${SECRET}`
  box.write(`agent/blobs/${hashOf(whole)}`, whole)
  const ending = `\n\n[full content: ${blobRef(hashOf(whole))}]\n[Session persistence truncated large content]`
  box.store([userEntry("long", null, whole.slice(0, 500_000 - ending.length) + ending)])
  expect((await box.run(["scan"])).stdout).toContain("GitHub token  long  message.content")
})

test("--all looks at every session, and names those that it could not", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, SECRET)], { id: "a" })
  box.store([userEntry("one", null, "fine")], { id: "b" })
  expect((await box.run(["scan", "--all"])).stderr).toBe("2 sessions: 1 secret in 1 of them.\n")
  symlinkSync("nowhere", `${dirname(box.store([], { id: "c" }))}/broken.jsonl`)
  const { code, stdout } = await box.run(["scan", "--all"])
  expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 4, lines: 3 })
})
