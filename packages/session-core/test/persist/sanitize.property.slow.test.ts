import type { SessionEntry } from "@treelog/session-core"
import { MemoryBlobStore } from "@treelog/session-core"
import { formatLine, restoreEntry, sanitizeEntry } from "@treelog/session-core/adapter"
import { deepFreeze, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { sanitizeLine } from "../door.js"
import { anyEntry, LARGE_TEXTS, lastingEntry, QUOTED } from "./arbitraries.js"
import { modelSanitize } from "./model-sanitize.js"

const RUNS = { numRuns: tries(15) }
const blobs = new MemoryBlobStore()
beforeAll(() => blobs.put(Buffer.from(QUOTED)))

/** Deep equality with key order, own `__proto__` fields and lone surrogates. */
function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Whether every part of the copy that is the same as the original's is the original's object. */
function sharesAllItCan(original: unknown, copy: unknown): boolean {
  if (Object.is(original, copy)) return true
  if (typeof original !== "object" || typeof copy !== "object" || original === null || copy === null) return true
  const [old, made] = [Object.entries(original), new Map(Object.entries(copy))]
  const changed = old.length !== made.size || old.some(([key, value]) => !Object.is(value, made.get(key)))
  return changed && old.every(([key, value]) => !made.has(key) || sharesAllItCan(value, made.get(key)))
}

describe("sanitizing any entry", () => {
  it("loses nothing with a store: restoring gives back the entry, in the same key order", async () => {
    await fc.assert(
      fc.asyncProperty(lastingEntry, async (entry) => {
        const { value } = await restoreEntry(await sanitizeEntry(entry, blobs), blobs)
        return json(value) === json(entry)
      }),
      RUNS,
    )
  })

  it("loses nothing on the way through a line", async () => {
    await fc.assert(
      fc.asyncProperty(lastingEntry, async (entry) => {
        const line = await sanitizeLine(formatLine(entry), blobs)
        const { value } = await restoreEntry(JSON.parse(line) as SessionEntry, blobs)
        return formatLine(value) === formatLine(entry)
      }),
      RUNS,
    )
  })

  it.each([true, false])("gives what section 7 of FORMAT.md says; with a store: %s", async (withStore) => {
    await fc.assert(
      fc.asyncProperty(anyEntry, async (entry) => {
        const sanitized = await sanitizeEntry(entry, withStore ? blobs : undefined)
        return json(sanitized) === json(modelSanitize(entry, withStore))
      }),
      RUNS,
    )
  })

  it.each([true, false])("makes the same line of an entry and of its line; with a store: %s", async (withStore) => {
    const store = withStore ? blobs : undefined
    await fc.assert(
      fc.asyncProperty(anyEntry, async (entry) => {
        return (await sanitizeLine(formatLine(entry), store)) === formatLine(await sanitizeEntry(entry, store))
      }),
      RUNS,
    )
  })

  it.each([true, false])("changes nothing the second time; with a store: %s", async (withStore) => {
    const store = withStore ? blobs : undefined
    await fc.assert(
      fc.asyncProperty(anyEntry, async (entry) => {
        const once = await sanitizeEntry(entry, store)
        return (await sanitizeEntry(once, store)) === once
      }),
      RUNS,
    )
  })

  it("never changes the entry, and shares with it what is the same", async () => {
    await fc.assert(
      fc.asyncProperty(anyEntry, fc.boolean(), async (entry, withStore) => {
        const before = json(entry)
        const sanitized = await sanitizeEntry(deepFreeze(entry), withStore ? blobs : undefined)
        return json(entry) === before && sharesAllItCan(entry, sanitized)
      }),
      RUNS,
    )
  })

  it("is undone without changing what is restored, which shares what is the same", async () => {
    await fc.assert(
      fc.asyncProperty(lastingEntry, async (entry) => {
        const sanitized = deepFreeze(await sanitizeEntry(entry, blobs))
        return sharesAllItCan(sanitized, (await restoreEntry(sanitized, blobs)).value)
      }),
      RUNS,
    )
  })
})

describe("the properties' entries", () => {
  it("reach what they are about", async () => {
    const seen = { changed: 0, large: 0, reference: 0, dropped: 0, sealed: 0, proto: 0 }
    for (const entry of fc.sample(anyEntry, { numRuns: 150, seed: 1 })) {
      const [before, after] = [json(entry), json(await sanitizeEntry(entry, blobs))]
      seen.changed += Number(before !== after)
      seen.large += Number(before.length > 500_000)
      seen.reference += Number(/"data":"blob:sha256:[0-9a-f]{64}"/.test(after))
      seen.dropped += Number(/"(partialJson|jsonlEvents)":/.test(before))
      seen.sealed += Number(/"(thinkingSignature|encrypted_content)":/.test(before))
      seen.proto += Number(before.includes('"__proto__":'))
    }
    for (const [what, times] of Object.entries(seen)) expect([what, times >= 10]).toEqual([what, true])
    expect(LARGE_TEXTS.some((text) => text.length === 500_000)).toBe(true)
  })
})
