import { writeFile } from "node:fs/promises"
import { SessionManager } from "@treelog/session-core"
import type { Conversion, SourceSession } from "@treelog-internal/agent-files"
import { expect, it } from "vitest"
import { LineSource, LineStorage, lineStorage } from "./line-source.js"

/** Fails as a converter does that did not expect what is in a session whose id is that of a step. */
class FailingSource extends LineSource {
  override async facts(session: SourceSession) {
    if (session.id === "facts") throw new TypeError("no text")
    return super.facts(session)
  }

  override async convert(session: SourceSession): Promise<Conversion> {
    if (session.id === "convert") throw new TypeError("no text")
    const conversion = await super.convert(session)
    return session.id === "entries" ? { ...conversion, entries: failing(conversion.entries) } : conversion
  }
}

function* failing(entries: Iterable<object>): Generator<object> {
  yield* entries
  throw new RangeError("too deep")
}

it("makes a session unreadable, and no other, whatever its converter throws", async () => {
  const { folder, path, remove } = await lineStorage()
  for (const id of ["facts", "convert", "entries", "whole"]) await writeFile(path(id), "/home/ada\nhello\n")
  const storage = new LineStorage({ source: new FailingSource(folder), cacheDir: null })
  const sessions = new SessionManager({ storage, anyFile: true })
  const listed: unknown[] = []
  for await (const { path: key, error } of sessions.listAll()) listed.push([key, error?.code])
  expect(listed).toContainEqual([path("facts"), "InvalidSessionError"])
  expect(listed).toContainEqual([path("whole"), undefined])
  for (const [id, found] of [
    ["convert", "TypeError: no text"],
    ["entries", "RangeError: too deep"],
  ] as const)
    await expect(sessions.open(path(id), { access: "read" })).rejects.toMatchObject({
      code: "InvalidSessionError",
      data: { key: path(id), found },
      message: expect.stringContaining(path(id)),
    })
  await remove()
})
