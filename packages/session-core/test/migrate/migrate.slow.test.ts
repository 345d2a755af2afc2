import { linesOf, migrate, readLog, type SessionLog } from "@treelog/session-core/adapter"
import { deepFreeze, sessionText } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const V1_HEADER = {
  type: "session",
  id: "old-session",
  timestamp: "2025-11-01T10:00:00.000Z",
  cwd: "/project",
  provider: "anthropic",
  modelId: "claude-old",
  thinkingLevel: "off",
  branchedFrom: "/elsewhere.jsonl",
  "x-unknown": { deep: [1] },
}

async function logOf(...records: object[]): Promise<SessionLog> {
  const log = await readLog(linesOf(new TextEncoder().encode(sessionText(...records))), "key")
  if (!log) throw new Error("no bytes")
  return deepFreeze(log)
}
const values = ({ records }: ReturnType<typeof migrate>) => records.map(({ value }) => value)

describe("migration of version 1", () => {
  it("never gives an id twice, also to 200,000 entries", async () => {
    const log = await logOf(V1_HEADER)
    const place = { line: 2, offset: 0, length: 0 }
    const records = Array.from({ length: 200_000 }, () => ({ value: { type: "custom" }, place }))
    const ids = values(migrate({ ...log, records })).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
