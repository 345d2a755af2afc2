import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { bringCopiesBack, keepSessions, type RemoteObjects } from "@treelog/stores"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "treelog-remote-"))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0

/** Objects in memory, of which a call fails. */
class MemoryObjects implements RemoteObjects {
  readonly name = "memory:"
  readonly objects = new Map<string, Uint8Array>()
  /** The call that fails; none by default. */
  failing = Number.POSITIVE_INFINITY
  calls = 0

  #call(): void {
    if (this.calls++ === this.failing) throw Object.assign(new Error("ECONNRESET: refused"), { code: "ECONNRESET" })
  }

  async *list(below: string): AsyncGenerator<string> {
    this.#call()
    for (const name of [...this.objects.keys()]) if (name.startsWith(below)) yield name.slice(below.length)
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    this.#call()
    return this.objects.get(name)
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    this.#call()
    this.objects.set(name, Uint8Array.from(bytes))
  }

  async remove(name: string): Promise<void> {
    this.#call()
    this.objects.delete(name)
  }
}

interface Machine {
  readonly path: (name: string) => string
  readonly options: { readonly env: Record<string, string>; readonly cwd: string }
}

/** A machine where pi has been used. */
function machine(): Machine {
  const home = join(folder, String(made++))
  const sessions = join(home, ".pi/agent/sessions/--shop--")
  mkdirSync(sessions, { recursive: true })
  return { path: (name) => join(sessions, name), options: { env: { HOME: home }, cwd: home } }
}

/** What the copies on a machine are, by their paths. */
function copiesOn({ options }: Machine, names: readonly string[]): Record<string, string | undefined> {
  const at = (name: string) => join(options.env.HOME as string, ".treelog/agent/kept/pi/files/sessions/--shop--", name)
  return Object.fromEntries(
    names.map((name) => {
      try {
        const path = at(name)
        return [name, `${Math.round(statSync(path).mtimeMs)} ${readFileSync(path, "latin1")}`]
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [name, undefined]
        throw error
      }
    }),
  )
}

const NAMES = ["2026-11-01T10-00-00-000Z_11111111.jsonl", "2026-11-02T10-00-00-000Z_22222222.jsonl"] as const
const change = fc.record({
  name: fc.constantFrom(...NAMES),
  as: fc.constantFrom("grow", "rewrite", "delete"),
  text: fc.string({ minLength: 1, maxLength: 40 }),
})

test("whatever files become, and whichever call fails, what is brought back is what the copies were when all was sent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(change, { maxLength: 4 }), fc.nat({ max: 40 })), { minLength: 1, maxLength: 5 }),
      async (rounds) => {
        const [own, remote] = [machine(), new MemoryObjects()]
        const header = `{"type":"session","version":3,"id":"1","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/shop"}\n`
        for (const [changes, failing] of rounds) {
          for (const { name, as, text } of changes) {
            const path = own.path(name)
            if (as === "delete") rmSync(path, { force: true })
            else
              writeFileSync(path, as === "grow" ? `${JSON.stringify(text)}\n` : header + text, {
                flag: as === "grow" ? "a" : "w",
              })
          }
          Object.assign(remote, { failing, calls: 0 })
          await keepSessions({ ...own.options, sendTo: remote }).catch(() => undefined)
        }
        Object.assign(remote, { failing: Number.POSITIVE_INFINITY })
        const { sent, failed } = await keepSessions({ ...own.options, sendTo: remote })
        expect([failed, sent?.failed]).toEqual([0, 0])
        const other = machine()
        expect(await bringCopiesBack({ ...other.options, from: remote })).toMatchObject({ failed: 0 })
        expect(copiesOn(other, NAMES)).toEqual(copiesOn(own, NAMES))
        // Each is sent once, and not again from where it was brought back to.
        expect((await keepSessions({ ...other.options, sendTo: remote })).sent).toEqual({
          files: 0,
          bytes: 0,
          failed: 0,
        })
        expect((await keepSessions({ ...own.options, sendTo: remote })).sent).toEqual({ files: 0, bytes: 0, failed: 0 })
      },
    ),
    { numRuns: Number(process.env.TREELOG_LONG ?? 1) * 25 },
  )
})

test("what has grown costs what is new, and many small pieces become few", async () => {
  const [own, remote] = [machine(), new MemoryObjects()]
  const path = own.path(NAMES[0])
  writeFileSync(path, `${"x".repeat(5 * 1024 * 1024)}\n`)
  expect((await keepSessions({ ...own.options, sendTo: remote })).sent).toMatchObject({
    files: 1,
    bytes: 5 * 1024 * 1024 + 1,
  })
  for (let round = 0; round < 70; round++) {
    writeFileSync(path, `line ${String(round).padStart(3, "0")}\n`, { flag: "a" })
    const { sent } = await keepSessions({ ...own.options, sendTo: remote })
    // The 65th time, the small ones are joined.
    if (round !== 64) expect([round, sent]).toEqual([round, { files: 1, bytes: 9, failed: 0 }])
  }
  expect([...remote.objects.keys()].filter((name) => name.startsWith("pieces/")).length).toBeLessThan(12)
})

test("two machines have places of their own, and a place that says otherwise writes nothing outside of the copies", async () => {
  const [one, two, remote] = [machine(), machine(), new MemoryObjects()]
  writeFileSync(one.path(NAMES[0]), "one\n")
  writeFileSync(two.path(NAMES[0]), "two\n")
  await keepSessions({ ...one.options, sendTo: remote })
  const errors: string[] = []
  const { sent, failed } = await keepSessions({
    ...{ ...two.options, sendTo: remote },
    onError: (store, _, error) => errors.push(`${store} ${error.message}`),
  })
  expect([sent, failed, errors]).toEqual([undefined, 1, [expect.stringContaining("another machine")]])
  const name = [...remote.objects.keys()].find((name) => name.startsWith("files/")) ?? ""
  const object = JSON.parse(Buffer.from(remote.objects.get(name) ?? []).toString())
  remote.objects.set(name, Buffer.from(JSON.stringify({ ...object, path: "pi/files/../../../../../outside" })))
  remote.objects.set("files/zz.1.1", Buffer.from("{"))
  const three = machine()
  expect(await bringCopiesBack({ ...three.options, from: remote })).toEqual({ files: 0, bytes: 0, failed: 2 })
  await expect(bringCopiesBack({ ...three.options, from: new MemoryObjects() })).rejects.toThrow("has no copies")
})

test("what describes a file otherwise than this program does is of no file, and names no object that is removed or read", async () => {
  const [own, remote] = [machine(), new MemoryObjects()]
  for (const name of NAMES) writeFileSync(own.path(name), `${name}\n`)
  await keepSessions({ ...own.options, sendTo: remote })
  const [name = ""] = [...remote.objects.keys()].filter((one) => one.startsWith("files/"))
  const sent = JSON.parse(Buffer.from(remote.objects.get(name) ?? []).toString())
  const [piece] = sent.pieces
  const others = [{ size: 0 }, { size: -1 }, { size: 2 ** 52 }, { hash: "../../../owner" }, { hash: null }].map(
    (fields) => {
      return { ...sent, pieces: [{ ...piece, ...fields }] }
    },
  )
  for (const other of [...others, { ...sent, modified: "soon" }, { ...sent, path: "pi/files/a\0b" }, null, []]) {
    remote.objects.set(name, Buffer.from(JSON.stringify(other)))
    const there = machine()
    expect(await bringCopiesBack({ ...there.options, from: remote })).toMatchObject({ files: 1, failed: 1 })
    for (const path of NAMES) writeFileSync(own.path(path), "more\n", { flag: "a" })
    const report = await keepSessions({ ...own.options, sendTo: remote })
    expect([report.failed, report.sent?.files]).toEqual([0, 2])
    expect(remote.objects.has("owner")).toBe(true)
    expect(await bringCopiesBack({ ...machine().options, from: remote })).toMatchObject({ files: 2, failed: 0 })
    const now = [...remote.objects.keys()].find((one) => one.startsWith(name.split(".")[0] ?? "")) ?? ""
    if (now !== name) remote.objects.delete(now)
  }
})

test("when the first object cannot be written any more, nothing is under way behind the answer", async () => {
  const [own, remote] = [machine(), new MemoryObjects()]
  for (let file = 0; file < 20; file++)
    writeFileSync(own.path(`2026-11-01T10-00-00-000Z_${10_000_000 + file}.jsonl`), `${file}\n`)
  let [underWay, most] = [0, 0]
  const slow: RemoteObjects = {
    name: "slow:",
    list: (below) => remote.list(below),
    read: (name) => remote.read(name),
    remove: (name) => remote.remove(name),
    async write(name, bytes) {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, name === "owner" ? 0 : 5 * underWay))
      underWay -= 1
      if (most > 4) throw new TreelogError("StorageError", "gone", { key: name, operation: "put", errno: "ECONNRESET" })
      await remote.write(name, bytes)
    },
  }
  const { failed, sent } = await keepSessions({ ...own.options, sendTo: slow })
  expect([failed, sent, underWay]).toEqual([1, undefined, 0])
  expect(most).toBeGreaterThan(4)
})

test("a damaged or missing piece is said, and the others are brought back", async () => {
  const [own, remote] = [machine(), new MemoryObjects()]
  for (const name of NAMES) writeFileSync(own.path(name), `${name}\n`)
  await keepSessions({ ...own.options, sendTo: remote })
  const [first = "", second = ""] = [...remote.objects.keys()].filter((name) => name.startsWith("pieces/"))
  remote.objects.set(first, Buffer.from("other"))
  const other = machine()
  const codes: string[] = []
  const onError = (_: string, __: string, { code }: { code: string }) => codes.push(code)
  expect(await bringCopiesBack({ ...other.options, from: remote, onError })).toMatchObject({ files: 1, failed: 1 })
  remote.objects.delete(first)
  remote.objects.delete(second)
  expect(await bringCopiesBack({ ...other.options, from: remote, onError })).toMatchObject({ files: 0, failed: 1 })
  expect(codes).toEqual(["BlobDamagedError", "BlobNotFoundError"])
})
