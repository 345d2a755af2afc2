import fc from "fast-check"
import { testTime } from "../clock.js"
import { type EntryBody, message, piBody, unknownBody } from "./bodies.js"
import { unknownFields } from "./json.js"

/** A session of version 1: a header without a version, and records without ids. */
export interface V1Session {
  readonly header: { type: "session"; id: string; timestamp: string; cwd: string; [key: string]: unknown }
  readonly records: readonly EntryBody[]
}

const compaction: fc.Arbitrary<EntryBody> = fc.record({
  type: fc.constant("compaction"),
  summary: fc.string(),
  firstKeptEntryIndex: fc.oneof(fc.integer({ min: -2, max: 40 }), fc.constantFrom<unknown>(1.5, "1", null)),
  tokensBefore: fc.nat(),
})

const record: fc.Arbitrary<EntryBody> = fc
  .oneof(
    fc.record({ type: fc.constant("message"), message }),
    compaction,
    piBody.filter(({ type }) => type !== "compaction"),
    unknownBody,
  )
  .chain((body) => fc.tuple(fc.constant(body), unknownFields, fc.nat(5000)))
  .map(([{ type, ...fields }, extra, seconds]) => ({ type, timestamp: testTime(seconds), ...fields, ...extra }))

export const v1Session: fc.Arbitrary<V1Session> = fc.record({
  header: fc
    .tuple(fc.uuid(), unknownFields)
    .map(([id, extra]) => ({ type: "session" as const, id, timestamp: testTime(), cwd: "/project", ...extra })),
  records: fc.array(record, { maxLength: 25 }),
})
