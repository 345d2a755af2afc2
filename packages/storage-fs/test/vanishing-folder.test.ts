import { existsSync, readFileSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { createSync } from "@treelog/session-core/sync"
import { expect, test } from "vitest"
import { beforeCall } from "./before-call.js"
import { storeIn } from "./store.js"

/** Appends to a session whose folder another program removes before a call; then the session is stored again, as its error advises. */
async function appendWhileRemoved(call: number) {
  let key = ""
  let ended = false
  // Not while it is closed: on a fast disk a run can have a call less than the one that was counted.
  const { fs, count } = beforeCall(call, () => ended || rmSync(dirname(key), { recursive: true, force: true }))
  const sessions = new SessionManager({ storage: await storeIn(undefined, { fs }) })
  const session = createSync(sessions, "/project", { access: "shared", persist: "append" })
  key = session.getSessionFile() ?? ""
  const errors = new Set<unknown>()
  for (const content of ["one", "two", "three"]) {
    const [appended] = await Promise.allSettled([
      (async () => session.appendMessage({ role: "user", content, timestamp: 0 }))(),
    ])
    if (appended.status === "rejected") errors.add(appended.reason.code)
  }
  if (errors.size > 0 || !existsSync(key)) await session.retry({ recreate: true })
  const calls = count()
  ended = true
  const [, ...lines] = readFileSync(key, "utf8").trimEnd().split("\n")
  await session.close()
  return { calls, errors: [...errors], stored: lines.map((line) => JSON.parse(line).message.content) }
}

test("a session whose folder is removed at any call fails with a PersistError, and is stored whole after it", async () => {
  const { calls } = await appendWhileRemoved(Number.POSITIVE_INFINITY)
  expect(calls).toBeGreaterThan(10)
  let failed = 0
  for (let call = 1; call <= calls; call++) {
    const { errors, stored } = await appendWhileRemoved(call)
    expect(stored, `call ${call}`).toEqual(["one", "two", "three"])
    for (const code of errors) expect(code).toBe("PersistError")
    failed += errors.length
  }
  expect(failed).toBeGreaterThan(0)
})
