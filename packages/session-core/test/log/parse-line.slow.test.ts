import { linesOf, parseLine } from "@treelog/session-core/adapter"
import { bytesOf, entry, sessionText, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

type ParsedLine = ReturnType<typeof parseLine>

const A = userEntry("aaaaaaaa", null, "größer 😀")
const B = userEntry("bbbbbbbb", "aaaaaaaa")
const textA = JSON.stringify(A)
const textB = JSON.stringify(B)

function parse(bytes: Uint8Array): ParsedLine {
  const [line] = [...linesOf(bytes, { line: 4, offset: 50 })]
  return line ? parseLine(line) : { records: [], faults: [] }
}

const values = ({ records }: ParsedLine) => records.map(({ value }) => value)
const kinds = ({ faults }: ParsedLine) => faults.map(({ kind }) => kind)

/** The bytes that a record's place points at. */
function placed(bytes: Uint8Array, { records }: ParsedLine): unknown[] {
  return records.map(({ place: { offset, length } }) => {
    const text = new TextDecoder().decode(bytes.subarray(offset - 50, offset - 50 + length))
    return JSON.parse(text)
  })
}

describe("parseLine", () => {
  it("gives the record of a line, and where it stands", () => {
    const parsed = parse(bytesOf(textA, "\r\n"))
    expect(parsed.faults).toEqual([])
    expect(parsed.records).toEqual([{ value: A, place: { line: 4, offset: 50, length: bytesOf(textA).length } }])
  })

  it.each(["\n", "  \t \n", "\r\n", " "])("passes over the blank line %j without a word", (text) => {
    expect(parse(bytesOf(text))).toEqual({ records: [], faults: [] })
  })

  it.each(["12\n", "[]\n", "null\n", '"text"\n', "true"])("reports %j, which is JSON but no object", (text) => {
    const parsed = parse(bytesOf(text))
    expect(values(parsed)).toEqual([])
    expect(parsed.faults).toMatchObject([{ kind: "not-an-entry", line: 4, offset: 50 }])
  })

  it.each(["{", '{"a":1', "}{", "nonsense", "\0\0\0\0", '{"a":NaN}'])("reports %j with its line and offset", (text) => {
    const parsed = parse(bytesOf(text, "\n"))
    expect(values(parsed)).toEqual([])
    expect(parsed.faults).toMatchObject([{ kind: "invalid-json", line: 4, offset: 50 }])
  })

  it("distinguishes a torn last line from a line that is merely wrong", () => {
    expect(kinds(parse(bytesOf(textA.slice(0, 30))))).toEqual(["torn-line"])
    expect(kinds(parse(bytesOf(textA.slice(0, 30), "\n")))).toEqual(["invalid-json"])
  })

  it("splits records that were glued together, and recovers all of them", () => {
    for (const between of ["", " ", "\r", "\u00a0", "\ufeff", "\u2028\u3000", "\0\0\0"]) {
      const bytes = bytesOf(textA, between, textB, between, textA, "\n")
      const parsed = parse(bytes)
      expect(values(parsed)).toEqual([A, B, A])
      expect(placed(bytes, parsed)).toEqual([A, B, A])
      expect(parsed.faults).toMatchObject([{ kind: "glued-records", line: 4, offset: 50 }])
    }
  })

  it("recovers a record that NULs follow, or that follows NULs, and reports the line", () => {
    for (const end of ["\n", ""])
      for (const bytes of [bytesOf(textA, "\0\0\0", end), bytesOf("\0\0\0", textA, end)]) {
        const parsed = parse(bytes)
        expect(placed(bytes, parsed)).toEqual([A])
        expect(parsed.faults).toMatchObject([{ kind: "glued-records", line: 4, offset: 50 }])
      }
  })

  it("is not misled by braces and quotes inside of strings", () => {
    const tricky = userEntry("cccccccc", null, 'he said "}{" and \\" {"type":"x"}')
    expect(values(parse(bytesOf(JSON.stringify(tricky), textB, "\n")))).toEqual([tricky, B])
  })

  it("recovers a record that was appended behind a torn one, wherever that was torn", () => {
    for (let cut = 1; cut < textA.length; cut++) {
      const bytes = bytesOf(textA.slice(0, cut), textB, "\n")
      const parsed = parse(bytes)
      expect(values(parsed)).toEqual([B])
      expect(placed(bytes, parsed)).toEqual([B])
      expect(kinds(parsed)).toContain("glued-records")
    }
  })

  it("places a recovered record rightly where the torn one ends inside of a character", () => {
    const whole = bytesOf(textA)
    for (let cut = 1; cut < whole.length; cut++) {
      const bytes = bytesOf(whole.subarray(0, cut), textB, "\n")
      expect(placed(bytes, parse(bytes))).toEqual([B])
    }
  })

  it("recovers the whole records in front of a torn one", () => {
    const bytes = bytesOf(textA, textB.slice(0, 40))
    const parsed = parse(bytes)
    expect(values(parsed)).toEqual([A])
    expect(placed(bytes, parsed)).toEqual([A])
  })

  it("never takes an object inside of a damaged record for a record of its own", () => {
    const inner = entry("message", "dddddddd", null)
    for (const damaged of [`{"type":"message","details":${JSON.stringify(inner)},"x`, `{"a" ${JSON.stringify(inner)}}`])
      expect(values(parse(bytesOf(damaged, "\n")))).toEqual([])
  })

  it("reads a line with invalid UTF-8 as far as it can be read, and reports it", () => {
    const bytes = bytesOf('{"type":"message","text":"', 0xff, 0xc3, '"}\n')
    const parsed = parse(bytes)
    expect(values(parsed)).toEqual([{ type: "message", text: "\ufffd\ufffd" }])
    expect(parsed.faults).toMatchObject([{ kind: "invalid-utf8", line: 4, offset: 50 }])
  })

  it("reads lone surrogates that are escaped, and reports those that are raw bytes", () => {
    expect(values(parse(bytesOf('{"text":"\\ud800"}\n')))).toEqual([{ text: "\ud800" }])
    expect(kinds(parse(bytesOf('{"text":"', 0xed, 0xa0, 0x80, '"}\n')))).toEqual(["invalid-utf8"])
  })

  it("keeps `__proto__` and its like as data", () => {
    const { records } = parse(bytesOf('{"__proto__":{"polluted":1},"constructor":2,"toString":3}\n'))
    const value = records[0]?.value ?? {}
    expect(Object.keys(value)).toEqual(["__proto__", "constructor", "toString"])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it("reads numbers beyond what a double can hold without a throw", () => {
    expect(values(parse(bytesOf('{"big":1e999,"long":123456789012345678901234567890}\n')))).toEqual([
      { big: Number.POSITIVE_INFINITY, long: 1.2345678901234568e29 },
    ])
  })

  it("reads or reports nesting of 100,000 levels, whole or torn, without a throw", () => {
    const deep = "[".repeat(100_000)
    const whole = parse(bytesOf('{"deep":', deep, "]".repeat(100_000), "}\n"))
    expect(whole.records.length + whole.faults.length).toBe(1)
    expect(kinds(parse(bytesOf('{"deep":', deep, "\n")))).toEqual(["invalid-json"])
    expect(kinds(parse(bytesOf('{"a":'.repeat(100_000), "\n")))).toEqual(["invalid-json"])
  })

  it("reads a record of 16 MB", () => {
    const text = "x".repeat(16 * 1024 * 1024)
    const [record] = parse(bytesOf(sessionText({ type: "message", text }))).records
    expect(record?.value.text === text).toBe(true)
  })

  it("gives up on a torn line of 5 MB that is full of what looks like records", () => {
    const torn = `{"type":"message","content":[${'{"type":"text","text":"'.repeat(200_000)}`
    expect(kinds(parse(bytesOf(torn)))).toEqual(["torn-line"])
  })
})
