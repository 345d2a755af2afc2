import { expect, test } from "vitest"
import { convertRecords } from "./door.js"

test("entries before the first time have that of the session, and later ones without a time that of the entry before", async () => {
  const place = { name: "acme", folders: [], sessions: "" }
  const records = async function* () {
    for (const value of [{}, { time: Date.UTC(2026, 10, 25) }, {}]) yield { value }
  }
  const { entries } = await convertRecords(
    {
      place,
      converter: ({ writer }) => ({
        kindOf: () => "said",
        record({ time }) {
          writer.message({ id: "1", time: time as number }, { role: "user", content: "Yes" })
          return "converted"
        },
        end: () => ({ type: "session", id: "a", timestamp: "2026-11-24T00:00:00.000Z", cwd: "/" }),
      }),
    },
    { records },
    { key: "a", size: 0, modified: 0, version: "" },
  )
  const days = entries.map((entry) => [entry.timestamp.slice(0, 10), "message" in entry && entry.message])
  const said = (day: number) => ({ timestamp: Date.UTC(2026, 10, day) })
  expect(days).toMatchObject([
    ["2026-11-24", said(24)],
    ["2026-11-25", said(25)],
    ["2026-11-25", said(25)],
  ])
})

test("a session whose first record is damaged has what was said behind it, and one in which nothing was said is none", async () => {
  const place = { name: "acme", folders: [], sessions: "" }
  const session = { key: "/sessions/a.jsonl", size: 0, modified: 0, version: "", cwd: "/shop" }
  const convert = (...values: { text?: string }[]) =>
    convertRecords(
      {
        place,
        converter: ({ writer }) => ({
          kindOf: () => "said",
          record({ text }) {
            if (text === undefined) return undefined
            writer.message({ id: "1", time: Date.UTC(2026, 10, 25) }, { role: "user", content: String(text) })
            return "converted"
          },
          end: () => undefined,
        }),
      },
      {
        async *records() {
          yield { faults: [{ kind: "invalid-json", message: "Damaged" }], data: { text: '{"type' } }
          for (const value of values) yield { value }
        },
      },
      session,
    )
  const { header, entries, report } = await convert({ text: "Yes" })
  expect(header).toMatchObject({
    id: "a",
    cwd: "/shop",
    timestamp: "2026-11-25T00:00:00.000Z",
    source: { agent: "acme" },
  })
  expect(entries.filter(({ type }) => type === "message")).toHaveLength(1)
  expect(report.diagnostics).toMatchObject([{ kind: "invalid-json" }])
  await expect(convert({})).rejects.toMatchObject({
    data: { found: "damage, and no record that acme writes", isDamaged: true },
  })
})

test("a header without an id is none: what was said then has that of the file, and one in which nothing was said is refused", async () => {
  const convert = (...values: Record<string, unknown>[]) =>
    convertRecords(
      {
        place: { name: "acme", folders: [], sessions: "" },
        converter: ({ writer }) => ({
          kindOf: () => "said",
          record() {
            writer.message({ id: "1", time: Date.UTC(2026, 10, 25) }, { role: "user", content: "Yes" })
            return "converted"
          },
          end: () => ({ id: undefined as unknown as string, timestamp: "2026-11-24T00:00:00.000Z" }),
        }),
      },
      {
        async *records() {
          for (const value of values) yield { value }
        },
      },
      { key: "/sessions/a.jsonl", size: 0, modified: 0, version: "" },
    )
  expect((await convert({})).header).toMatchObject({ id: "a", timestamp: "2026-11-25T00:00:00.000Z" })
  await expect(convert()).rejects.toMatchObject({ code: "InvalidSessionError", data: { isDamaged: false } })
})

test("transcripts among the records of an agent are an error where its definition does not say that it holds some", async () => {
  const convert = (holdsTranscripts?: boolean) =>
    convertRecords(
      {
        place: { name: "acme", folders: [], sessions: "" },
        ...(holdsTranscripts !== undefined && { holdsTranscripts }),
        converter: ({ writer }) => ({
          kindOf: () => "said",
          record() {
            writer.transcript({ id: "1" }, { name: "one.jsonl", role: "subagent" })
            return "converted"
          },
          end: () => ({ id: "a", timestamp: "2026-11-24T00:00:00.000Z" }),
        }),
      },
      {
        async *records() {
          yield { value: {} }
        },
      },
      { key: "a", size: 0, modified: 0, version: "" },
    )
  expect((await convert(true)).parts).toMatchObject([{ name: "one.jsonl" }])
  await expect(convert()).rejects.toThrow("The definition of acme has no holdsTranscripts")
})
