import { linesOf, readLog } from "@treelog/session-core/adapter"
import { entrySchemas } from "@treelog/session-core/schema"
import { allKinds } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"

type Value = Record<string, unknown> & { message?: { role?: unknown; content?: unknown } }

const ROLES =
  "user assistant toolResult bashExecution custom branchSummary compactionSummary system developer pythonExecution fileMention"
const valuesOf = (style: Parameters<typeof allKinds>[0]): Value[] =>
  allKinds(style).map((line) => JSON.parse(line) as Value)

describe.each(["pi", "omp"] as const)("allKinds(%j)", (style) => {
  test("has every kind of entry that the core knows, and others", () => {
    const types = new Set(valuesOf(style).map(({ type }) => String(type)))
    for (const kind of Object.keys(entrySchemas)) expect([...types]).toContain(kind)
    expect([...types].filter((type) => !Object.hasOwn(entrySchemas, type))).toContain("future_kind")
  })

  test("has a message of every role, and one of a role that nobody knows", () => {
    const roles = new Set(valuesOf(style).map(({ message }) => message?.role))
    for (const role of ROLES.split(" ")) expect(roles).toContain(role)
    expect(roles).toContain("futureRole")
  })
})

test.each(["pi", "pi-v1", "pi-migrated", "omp"] as const)("allKinds(%j) is read without a fault", async (style) => {
  const log = await readLog(linesOf(Buffer.from(allKinds(style).join(""))), style)
  expect(log?.diagnostics).toEqual([])
  expect(log?.records.length).toBeGreaterThan(40)
})

test("hooks speak as hookMessage before version 3 only", () => {
  const says = (style: Parameters<typeof allKinds>[0]): boolean =>
    valuesOf(style).some(({ message }) => message?.role === "hookMessage")
  expect(says("pi-v1")).toBe(true)
  expect(says("pi-migrated")).toBe(false)
})
