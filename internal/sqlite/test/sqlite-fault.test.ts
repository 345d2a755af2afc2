import { TreelogError } from "@treelog/session-core"
import { isBusy, isDamaged, isDamagedIndex, sqliteCode, toStorageError } from "@treelog-internal/sqlite"
import { describe, expect, test } from "vitest"

const withCode = (code: string) => Object.assign(new Error("a fault"), { code })
const withNumber = (errcode: number) => Object.assign(new Error("a fault"), { code: "ERR_SQLITE_ERROR", errcode })

describe("a fault is the same whichever driver reports it", () => {
  test.each([
    ["SQLITE_BUSY", 5, { busy: true, damaged: false, index: false }],
    ["SQLITE_LOCKED", 6, { busy: true, damaged: false, index: false }],
    ["SQLITE_CORRUPT", 11, { busy: false, damaged: true, index: false }],
    ["SQLITE_CORRUPT_VTAB", 267, { busy: false, damaged: true, index: true }],
    ["SQLITE_NOTADB", 26, { busy: false, damaged: true, index: false }],
    ["SQLITE_FULL", 13, { busy: false, damaged: false, index: false }],
  ])("%s", (name, number, kinds) => {
    for (const error of [withCode(name), withNumber(number)]) {
      expect(sqliteCode(error)).toBe(name)
      expect({ busy: isBusy(error), damaged: isDamaged(error), index: isDamagedIndex(error) }).toEqual(kinds)
    }
  })

  test("the details of a number count as its kind", () => {
    expect([517, 773, 779].map((number) => sqliteCode(withNumber(number)))).toEqual([
      "SQLITE_BUSY",
      "SQLITE_BUSY",
      "SQLITE_CORRUPT",
    ])
  })
})

describe("toStorageError", () => {
  const translate = (error: unknown) => toStorageError(error, "The index", "a.db", "open")

  test("names the database, the operation and the code, and keeps the cause", () => {
    const cause = withNumber(13)
    expect(translate(cause)).toMatchObject({
      code: "StorageError",
      message: "The index a.db cannot be used (open): a fault",
      data: { key: "a.db", operation: "open", errno: "SQLITE_FULL" },
      cause,
    })
    const ofSystem = Object.assign(new Error("no"), { code: "EACCES", syscall: "open" })
    expect(translate(ofSystem)).toMatchObject({ data: { errno: "EACCES" } })
  })

  test("leaves errors of treelog and of the code as they are", () => {
    const ours = new TreelogError("SessionNotFoundError", "none", { ref: "x" })
    for (const error of [ours, new TypeError("a bug"), withCode("ERR_INVALID_STATE")])
      expect(translate(error)).toBe(error)
  })
})
