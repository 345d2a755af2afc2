import { linesOf, readLog, readLogBytes, type SessionLog } from "@treelog/session-core/adapter"
import { bytesOf, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const header = testHeader({ title: "T", "x-own": [1] })
const A = userEntry("aaaaaaaa", null)
const B = userEntry("bbbbbbbb", "aaaaaaaa")
const SLOT = { type: "title", v: 1, title: "Slot", updatedAt: "2026-03-07T14:00:00.000Z", pad: "" }
const slotLine = JSON.stringify({ ...SLOT, pad: " ".repeat(255 - JSON.stringify(SLOT).length) })

async function read(...pieces: Parameters<typeof bytesOf>): Promise<SessionLog> {
  const bytes = bytesOf(...pieces)
  const log = await readLog(linesOf(bytes), "the-key")
  expect(readLogBytes(bytes, "the-key")).toStrictEqual(log)
  if (!log) throw new Error("no bytes")
  return log
}

const values = (log: SessionLog) => log.records.map(({ value }) => value)
const kinds = (log: SessionLog) => log.diagnostics.map(({ kind }) => kind)

describe("readLog", () => {
  it("reads the header with all its fields, the records in order, and the end", async () => {
    const text = sessionText(header, A, B)
    const log = await read(text)
    expect(log.header).toStrictEqual(header)
    expect(values(log)).toStrictEqual([A, B])
    expect(log).toMatchObject({ version: 3, titleSlot: undefined, diagnostics: [] })
    expect(log.end).toEqual({ size: bytesOf(text).length, lines: 3, terminated: true })
  })

  it("gives nothing for a file of no bytes", async () => {
    expect(await readLog([], "the-key")).toBeUndefined()
  })

  it.each([
    ["text", "hello\n"],
    ["an entry first", sessionText(A, header)],
    ["blank lines only", "\n\n"],
    ["a BOM alone", Uint8Array.of(0xef, 0xbb, 0xbf)],
    ["NULs", "\0\0\0\0"],
    ["a header without an id", sessionText({ type: "session", version: 3 })],
    ["a header with an empty id", sessionText({ type: "session", version: 3, id: "" })],
    ["a title line alone", `${slotLine}\n`],
    ["a type nested too deep to print", `{"type":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n`],
  ])("refuses %s, and says what it found", async (_, content) => {
    await expect(read(content)).rejects.toMatchObject({
      code: "InvalidSessionError",
      data: { key: "the-key", found: expect.any(String) },
    })
  })

  it("takes the first parseable line for the header", async () => {
    const log = await read("garbage\n\n", sessionText(header, A))
    expect(log.header).toEqual(header)
    expect(log.headerPlace).toMatchObject({ line: 3, offset: 9 })
    expect(log.diagnostics).toMatchObject([{ kind: "invalid-json", line: 1, offset: 0 }])
  })

  it("accepts CRLF, a BOM and blank lines", async () => {
    const text = sessionText(header, A, "", B).replaceAll("\n", "\r\n")
    const log = await read(0xef, 0xbb, 0xbf, text)
    expect(values(log)).toEqual([A, B])
    expect(log.headerPlace.offset).toBe(3)
    expect(log.diagnostics).toEqual([])
  })

  it("knows omp's title line in front of the header, and takes it for no entry", async () => {
    const log = await read(`${slotLine}\n`, sessionText(header, A))
    expect(log.titleSlot).toEqual({ title: "Slot", place: { line: 1, offset: 0, length: 255 } })
    expect(log.header).toEqual(header)
    expect(values(log)).toEqual([A])
  })

  it("reports bad lines in the middle with line and byte offset, and reads on", async () => {
    const start = sessionText(header, A)
    const log = await read(start, "{broken\n", "42\n", "\0\0\n", sessionText(B))
    const offset = bytesOf(start).length
    expect(values(log)).toEqual([A, B])
    expect(log.diagnostics).toMatchObject([
      { kind: "invalid-json", line: 3, offset },
      { kind: "not-an-entry", line: 4, offset: offset + 8 },
      { kind: "invalid-json", line: 5, offset: offset + 11 },
    ])
  })

  it("recovers both of two glued records", async () => {
    const log = await read(sessionText(header), JSON.stringify(A), JSON.stringify(B), "\n")
    expect(values(log)).toEqual([A, B])
    expect(kinds(log)).toEqual(["glued-records"])
  })

  it("reports a torn last line, with where it begins", async () => {
    const start = sessionText(header, A)
    const log = await read(start, '{"type":"message","id":"bb')
    expect(values(log)).toEqual([A])
    expect(log.diagnostics).toMatchObject([{ kind: "torn-line", line: 3, offset: bytesOf(start).length }])
    expect(log.end).toMatchObject({ lines: 3, terminated: false })
  })

  it("reads a last line that is whole but has no LF, and says so with line and offset", async () => {
    const start = sessionText(header, A)
    const log = await read(start, JSON.stringify(B))
    expect(values(log)).toEqual([A, B])
    expect(log.diagnostics).toMatchObject([{ kind: "unterminated-line", line: 3, offset: bytesOf(start).length }])
    expect(log.end.terminated).toBe(false)
  })

  it("keeps the first of two headers, and reports the second", async () => {
    const log = await read(sessionText(header, A, testHeader({ id: "other" }), B))
    expect(log.header.id).toBe("test-session")
    expect(values(log)).toEqual([A, B])
    expect(log.diagnostics).toMatchObject([{ kind: "extra-header", line: 3 }])
  })

  it("reports header fields that are missing or of another type, and reads on", async () => {
    const log = await read(sessionText({ type: "session", version: 3, id: "x", cwd: 7 }, A))
    expect(kinds(log)).toEqual(["invalid-header-field", "invalid-header-field"])
    expect(values(log)).toEqual([A])
  })

  it.each([
    [undefined, 1],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, "unsupported"],
    ["3", "unsupported"],
    [null, "unsupported"],
    [2.5, "unsupported"],
    [0, "unsupported"],
    [-1, "unsupported"],
    [{}, "unsupported"],
  ])("reads version %j as %j", async (version, expected) => {
    const log = await read(sessionText({ ...header, version }, A))
    expect(log.version).toBe(expected)
    expect(values(log)).toEqual([A])
  })
})
