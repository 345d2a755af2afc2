import type { Session } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import { tries } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import { describe, expect, it } from "vitest"
import { sessionParts } from "../door.js"
import { givenManager, keyOf } from "../session/given-manager.js"
import { putStored } from "../session/stored-bytes.js"

const KEY = "memory:/project/session"

/** Too large to be kept in memory, so that its entries are read from the storage. */
function large(style: SessionStyle, seed: number, damages: number): Uint8Array {
  const shape = { seed, style, entries: 60, toolOutput: 250_000, compactions: 2 }
  let bytes: Uint8Array = new TextEncoder().encode([...generateSession(shape)].join(""))
  const random = new Random(seed)
  for (let done = 0; done < damages; done++) ({ bytes } = damageBytes(bytes, random))
  return bytes
}

function described(session: Session) {
  const { state } = sessionParts(session)
  return {
    header: session.getHeader(),
    name: session.getSessionName(),
    leafId: session.getLeafId(),
    lines: Array.from({ length: state.size }, (_, ordinal) => [state.headAt(ordinal), state.line(ordinal)]),
    labels: [...state.labels.entries()],
    entries: session.getEntries(),
    diagnostics: state.diagnostics,
  }
}

async function given(bytes: Uint8Array) {
  const made = givenManager(new MemorySessionStorage())
  await putStored(made.storage, KEY, bytes)
  return made
}

const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated", "treelog", "pi-v1"]

describe("a copy that was just written", () => {
  it.each(STYLES)("is the session that reading it gives, of what %s wrote, damaged or not", async (style) => {
    for (let seed = 0; seed < tries(1) + 2; seed++) {
      const { sessions } = await given(large(style, seed, seed % 3))
      const source = await sessions.open(KEY, { access: "read" }).catch((error: { code: string }) => error.code)
      if (typeof source === "string") {
        expect(source).toBe("InvalidSessionError")
        continue
      }
      const copies = [await sessions.forkFrom(KEY, "/other")]
      const leafId = source.getLeafId()
      if (style !== "pi-v1" && leafId !== null) copies.push(await source.createBranchedSession(leafId))
      for (const copy of copies)
        expect(described(copy)).toEqual(described(await sessions.open(keyOf(copy), { access: "read" })))
    }
  })

  it("is held by who made it, and by nobody where it is shared", async () => {
    const { sessions } = await given(large("pi", 2, 0))
    const fork = await sessions.forkFrom(KEY, "/other")
    await expect(sessions.open(keyOf(fork))).rejects.toMatchObject({ code: "SessionBusyError" })
    await fork.close()
    await (await sessions.open(keyOf(fork))).close()
    const shared = await sessions.forkFrom(KEY, "/other", { access: "shared" })
    await (await sessions.open(keyOf(shared))).close()
    await shared.close()
  })
})
