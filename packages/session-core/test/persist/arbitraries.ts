import type { SessionEntry } from "@treelog/session-core"
import fc from "fast-check"
import { base64Of, custom, endingFor, LIMIT, NOTICE } from "./samples.js"

/** A text that every store of the properties holds, so that texts can quote a reference to it. */
export const QUOTED = "q".repeat(LIMIT + 7)

const smallText = fc.string({ unit: "binary", maxLength: 8 })

/** Base64 around 1,024 characters, canonical or not quite. */
const base64 = fc
  .tuple(fc.constantFrom(0, 3, 764, 765, 766, 767, 768, 769, 2000), fc.nat(5), fc.nat(7))
  .map(([bytes, seed, flaw]) => flawed(base64Of(bytes, seed), flaw))

function flawed(text: string, flaw: number): string {
  if (flaw === 1) return text.replace(/=+$/, "")
  if (flaw === 2) return text.replace(/.=*$/, "B==")
  if (flaw === 3) return `${text}\n`
  if (flaw === 4) return text.replaceAll("+", "-").replaceAll("/", "_")
  return text
}

const imageUrl = fc
  .tuple(
    fc.constantFrom(
      "data:image/png;base64,",
      "DATA:image/svg+xml;charset=utf-8;BASE64,",
      "data:text/plain;base64,",
      "https://x/",
    ),
    fc.oneof(base64, smallText),
  )
  .map(([prefix, rest]) => prefix + rest)

/** References that name nothing that any store has. */
const reference = fc.constantFrom(
  `blob:sha256:${"0".repeat(64)}`,
  `blob:sha256:${"A".repeat(64)}`,
  `blob:sha256:${"a".repeat(63)}`,
  `blob:sha256:${"a".repeat(65)}`,
  "blob:sha256:../x",
  `blob:sha256:${"a".repeat(63)}\0`,
)

const quote = fc.constantFrom(NOTICE, `\n\n${NOTICE}`, endingFor(QUOTED), endingFor(QUOTED, 5), endingFor("missing"))

const ENDING = endingFor("").length
/** A few texts around the limit, made once: pairs, halves and notices where the cut falls. */
export const LARGE_TEXTS: readonly string[] = [
  "x".repeat(LIMIT),
  "x".repeat(LIMIT + 1),
  "a line\n".repeat(72_000),
  "\u{1f600}".repeat(250_001),
  `x${"\u{1f600}".repeat(250_001)}`,
  `${"x".repeat(LIMIT - ENDING - 1)}\u{1f600}${"y".repeat(ENDING)}`,
  `${"x".repeat(LIMIT - NOTICE.length - 3)}\ud83d${"y".repeat(200)}`,
  `\ufeff${"x".repeat(LIMIT)}\udc00`,
  `\ufeff${"\u00e9\r\n".repeat(166_700)}`,
  `${"x".repeat(LIMIT)}${endingFor(QUOTED)}`,
  // As long as a cut text, but none.
  `${"x".repeat(LIMIT - ENDING)}${endingFor(QUOTED)}`,
  `${"x".repeat(LIMIT - NOTICE.length - 2)}\n\n${NOTICE}`,
  base64Of(375_003),
  `${base64Of(375_003)}\n`,
  `data:image/png;base64,${base64Of(375_003)}`,
]
const large = fc.constantFrom(...LARGE_TEXTS)

const text = fc.oneof(
  { weight: 60, arbitrary: smallText },
  { weight: 40, arbitrary: base64 },
  { weight: 20, arbitrary: imageUrl },
  { weight: 20, arbitrary: reference },
  { weight: 20, arbitrary: quote },
  // Rare, since each costs milliseconds.
  { weight: 1, arbitrary: large },
)

const scalar = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, 0, 1.5, -7, 72_001, {}, []) },
)

const TEMPTING = [
  "data",
  "image_url",
  "images",
  "content",
  "text",
  "details",
  "type",
  "mimeType",
  "arguments",
  "__proto__",
  "0",
  "constructor",
]
const SEALING = ["thinkingSignature", "textSignature", "thoughtSignature", "redactedThinking", "encrypted_content"]
const TRANSIENT = ["partialJson", "jsonlEvents"]
const mimeType = fc.constantFrom<unknown>("image/png", "image/webp", "text/plain", "", 5)
const lineCount = fc.constantFrom<unknown>(0, 1, 72_001, 250_001, -1, 1.5, 1e300, "3", null)

function valueWith(keys: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const { member } = fc.letrec<{ value: unknown; member: Record<string, unknown> }>((tie) => {
    const value = tie("value")
    return {
      value: fc.oneof({ maxDepth: 4, depthSize: "small" }, scalar, tie("member"), fc.array(value, { maxLength: 3 })),
      member: fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({ type: fc.constant("image"), data: text, mimeType }, { requiredKeys: ["type"] }),
        },
        { weight: 2, arbitrary: fc.record({ images: fc.array(fc.record({ data: text, mimeType })), mimeType }) },
        {
          weight: 2,
          arbitrary: fc.record({
            lineCount,
            content: fc.oneof({ weight: 1, arbitrary: large }, { weight: 9, arbitrary: value }),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ type: fc.constantFrom("text", "redactedThinking"), data: text, inner: value }),
        },
        { weight: 1, arbitrary: fc.record({ files: fc.array(fc.record({ image: value, lineCount, content: text })) }) },
        { weight: 4, arbitrary: fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 4 }).map(ownFields) },
      ),
    }
  })
  return member
}

/** Object.fromEntries makes a field of `__proto__` too. */
function ownFields(members: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(members)
}

function entryOf(value: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<SessionEntry> {
  const fields = fc.oneof(
    value.map((data) => custom(data)),
    fc.record({
      type: fc.constant("message"),
      message: fc.record({ role: fc.constant("toolResult"), content: fc.array(value), details: value }),
    }),
    fc.record({ type: fc.constant("compaction"), summary: text, details: value, preserveData: value }),
    fc.record({ type: fc.constant("hologram"), anything: value }),
  )
  return fields.map((some) => ({ ...custom(undefined), ...some }) as unknown as SessionEntry)
}

/** Entries full of what sanitizing looks for, but for the fields that it drops. */
export const lastingEntry = entryOf(valueWith([...TEMPTING, ...SEALING]))

/** The same, with the fields that it drops. */
export const anyEntry = entryOf(valueWith([...TEMPTING, ...SEALING, ...TRANSIENT, ...TRANSIENT]))
