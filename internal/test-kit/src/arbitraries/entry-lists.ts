import type { SessionEntry } from "@treelog/session-core"
import fc from "fast-check"
import { testTime } from "../clock.js"
import { anyBody, type EntryBody } from "./bodies.js"
import { unknownFields } from "./json.js"
import { anyShape, shapeId, soundShape, type TreeShape } from "./tree-shapes.js"

/** Entries of every kind in a sound tree; ids are those of `shapeId`. */
export const entryList: fc.Arbitrary<SessionEntry[]> = soundShape.chain(entriesOf)

/** Entries of every kind whose links may be broken in any way. */
export const brokenEntryList: fc.Arbitrary<SessionEntry[]> = anyShape.chain(entriesOf)

function entriesOf(shape: TreeShape): fc.Arbitrary<SessionEntry[]> {
  const body = fc.tuple(anyBody, unknownFields, fc.nat(5000))
  return fc
    .array(body, { minLength: shape.length, maxLength: shape.length })
    .map((bodies) =>
      bodies.map(([fields, extra, seconds], ordinal) =>
        placed(shape, ordinal, { ...fields, ...extra }, testTime(seconds)),
      ),
    )
}

function placed(shape: TreeShape, ordinal: number, { type, ...fields }: EntryBody, timestamp: string): SessionEntry {
  const parent = shape[ordinal] ?? null
  const head = { type, id: shapeId(ordinal), parentId: parent === null ? null : shapeId(parent), timestamp }
  return { ...head, ...fields } as SessionEntry
}
