import { exportSession } from "@treelog/export"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { bytesOf } from "@treelog-internal/test-kit"
import { allKinds, everyKindSession, generateSession } from "@treelog-internal/test-kit/generator"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, test } from "vitest"
import { readText } from "./repository.js"

const FORMATS = ["atif", "sts", "otel"] as const

const SESSIONS = [
  ["everyKindSession", () => everyKindSession(1, 300)],
  ["allKinds of pi", () => ({ lines: allKinds("pi"), parts: new Map() })],
  ["allKinds of omp", () => ({ lines: allKinds("omp"), parts: new Map() })],
  [
    "generateSession",
    () => ({ lines: [...generateSession({ seed: 1, style: "pi", entries: 200 })], parts: new Map() }),
  ],
] as const

async function opened(lines: readonly string[]): Promise<Session> {
  const storage = new MemorySessionStorage()
  const key = "memory:/home/dev/shop/session"
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(lines.join(""))])
  return new SessionManager({ storage }).open(key, { access: "read" })
}

describe.each(FORMATS)("docs/schema/interchange/%s.json", (format) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  const validate = ajv.compile(JSON.parse(readText(`docs/schema/interchange/${format}.json`)))

  test.each(SESSIONS)("takes what is exported of %s, all branches and one", async (_name, make) => {
    const { lines, parts } = make()
    async function* named() {
      for (const [name, part] of parts) yield { name, session: await opened(part) }
    }
    for (const allBranches of [true, false]) {
      let text = ""
      const options = { format, allBranches, agent: "pi", parts: named }
      for await (const piece of exportSession(await opened(lines), options)) text += String(piece)
      const documents = format === "sts" ? text.trimEnd().split("\n") : [text]
      for (const document of documents)
        expect(validate(JSON.parse(document)), ajv.errorsText(validate.errors)).toBe(true)
    }
  })

  test("takes no field that it does not name", () => {
    const wrong = {
      atif: {
        schema_version: "ATIF-v1.7",
        agent: { name: "a", version: "1" },
        steps: [{ step_id: 1, source: "user", message: "", tokens: 1 }],
      },
      sts: { type: "message", message: { role: "user", content: "", usage: {} } },
      otel: { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [], events: [] }] },
    }[format]
    expect(validate(wrong)).toBe(false)
  })
})
