import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { inflateSession, slimSession } from "@treelog/session-core/maintenance"
import { chain, messageEntry, sessionText, testHeader, tries, userEntry, userMessage } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { base64Of, image, sha256 } from "../persist/samples.js"
import { putStored } from "../session/stored-bytes.js"

const KEY = "memory:/project/test-session"
const IMAGES = [1, 2].map((seed) => base64Of(1_500, seed))
const HASHES = IMAGES.map((data) => sha256(Buffer.from(data, "base64")))
const BOM = "\u00ef\u00bb\u00bf"
const LONG = "a long text ".repeat(50_000)

const withImage = (id: string, nth: number) =>
  messageEntry(id, null, userMessage("", { content: [image(IMAGES[nth] ?? "")] }))

/** Two images, one of them twice, and a long text. */
const text = sessionText(
  testHeader(),
  ...chain(withImage("a", 0), withImage("b", 1), withImage("c", 0), userEntry("d", null, LONG)),
)

/** Each byte as a character, so that a BOM is seen. */
async function storedBytes(storage: MemorySessionStorage): Promise<string> {
  const { size = 0 } = (await storage.stat(KEY)) ?? {}
  return Buffer.from(await storage.readRange(KEY, 0, size)).toString("latin1")
}

async function given(stored: string) {
  const [storage, blobs] = [new MemorySessionStorage(), new MemoryBlobStore()]
  await putStored(storage, KEY, Buffer.from(stored, "latin1"))
  return { storage, blobs, sessions: new SessionManager({ storage, blobs }) }
}

describe("slim and inflate", () => {
  it("tell which blobs took things out of the lines, or gave them back, each once", async () => {
    const { sessions, blobs } = await given(text)
    const expected = [
      { hash: HASHES[0], size: 1_500 },
      { hash: HASHES[1], size: 1_500 },
      { hash: sha256(LONG), size: LONG.length },
    ]
    expect(await slimSession(sessions, KEY, { dryRun: true })).toMatchObject({ changed: 4, blobs: expected })
    expect(await blobs.has(HASHES[0] ?? "")).toBe(false)
    expect(await slimSession(sessions, KEY)).toMatchObject({ changed: 4, blobs: expected })
    expect(await slimSession(sessions, KEY)).toMatchObject({ changed: 0, blobs: [] })
    expect(await inflateSession(sessions, KEY)).toMatchObject({ changed: 4, blobs: expected })
  })

  it("change nothing where a blob does not read as it was written", async () => {
    const { storage } = await given(text)
    class Forgetful extends MemoryBlobStore {
      override get(hash: string) {
        return hash === HASHES[1] ? Promise.resolve(undefined) : super.get(hash)
      }
    }
    const sessions = new SessionManager({ storage, blobs: new Forgetful() })
    await expect(slimSession(sessions, KEY)).rejects.toMatchObject({
      code: "StorageError",
      data: { operation: "verify" },
    })
    expect(await storedBytes(storage)).toBe(text)
  })

  it("tell of no blob that is missing", async () => {
    const { sessions, storage } = await given(text)
    await slimSession(sessions, KEY)
    const elsewhere = new SessionManager({ storage, blobs: new MemoryBlobStore() })
    expect(await inflateSession(elsewhere, KEY)).toMatchObject({ changed: 0, blobs: [], diagnostics: { length: 4 } })
  })

  it("leave every line end and what stands before the first line as they are", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 4, maxLength: 4 }),
        fc.constantFrom("", BOM),
        fc.boolean(),
        async (ends, bom, isTerminated) => {
          const lines = text.split("\n").slice(0, 4)
          const last = isTerminated ? ends[3] : ""
          const whole = bom + lines.map((line, at) => line + (at === 3 ? last : ends[at])).join("")
          const { sessions, storage } = await given(whole)
          await slimSession(sessions, KEY)
          const slim = await storedBytes(storage)
          expect(slim.length).toBeLessThan(whole.length)
          expect(slim.match(/\r?\n/g)).toEqual(whole.match(/\r?\n/g))
          expect([slim.startsWith(BOM), slim.endsWith("\n")]).toEqual([bom === BOM, isTerminated])
          await inflateSession(sessions, KEY)
          expect(await storedBytes(storage)).toBe(whole)
        },
      ),
      { numRuns: tries(30) },
    ))
})
