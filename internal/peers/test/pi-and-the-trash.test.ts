import { dirname } from "node:path"
import { FileSessionStorage } from "@treelog/storage-fs"
import { Random } from "@treelog-internal/test-kit/generator"
import { expect, test } from "vitest"
import { grow } from "./grow.js"
import { pi } from "./pi.js"
import { openWorkshop } from "./workshop.js"

interface Listing {
  list(cwd: string, sessionDir: string): Promise<readonly { readonly path: string }[]>
}

test("What is in treelog's trash is not listed by pi, and what comes back is.", async () => {
  const { path } = openWorkshop()
  const [one = "", two = ""] = [1, 2].map((seed) => {
    const session = pi.SessionManager.create("/home/dev/shop", path("."))
    grow(session, new Random(seed), 20)
    return session.getSessionFile()
  })
  const listed = async () => {
    const { list } = pi.SessionManager as unknown as Listing
    return (await list.call(pi.SessionManager, "/home/dev/shop", path("."))).map((found) => found.path).sort()
  }
  expect(await listed()).toEqual([one, two].sort())
  const { trash } = new FileSessionStorage({ sessionDir: dirname(one), terminalId: "peers" })
  const trashed = await trash.put(one, { now: 0 })
  expect(await listed()).toEqual([two])
  await trash.restore(trashed)
  expect(await listed()).toEqual([one, two].sort())
})
