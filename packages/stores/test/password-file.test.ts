import { chmodSync } from "node:fs"
import fc from "fast-check"
import { expect, test } from "vitest"
import { temporaryBox } from "./box.js"
import { loginOf, passwordIn, passwordInFile } from "./door.js"

const LOGIN = { host: "db.example.com", port: "5432", database: "agents", user: "me" }

test.each([
  ["db.example.com:5432:agents:me:right", "right"],
  ["other:5432:agents:me:wrong\n*:*:*:me:right", "right"],
  ["# *:*:*:*:wrong\n*:*:*:*:right\n*:*:*:*:later", "right"],
  ["*:*:*:me:with\\:colon and \\\\", "with:colon and \\"],
  ["*:*:*:you:wrong\r\n*:*:*:me:right\r\n", "right"],
  ["db.example.com:5433:agents:me:wrong", undefined],
  ["*:*:*:me:", undefined],
  ["nonsense", undefined],
  ["", undefined],
])("in %j, the password is %s", (text, password) => {
  expect(passwordIn(text, LOGIN)).toBe(password)
})

test("any field can be written with backslashes", () => {
  const field = fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text) && text !== "*")
  const written = (text: string): string => text.replace(/[:\\]/g, "\\$&")
  fc.assert(
    fc.property(field, field, field, field, field, (host, port, database, user, password) => {
      const login = { host, port, database, user }
      fc.pre(!host.startsWith("#"))
      const line = [host, port, database, user, password].map(written).join(":")
      expect(passwordIn(`x:x:x:x:x\n${line}`, login)).toBe(
        host === "x" && port === "x" && database === "x" && user === "x" ? "x" : password,
      )
    }),
  )
})

test("what an address lacks is in the variables of PostgreSQL, or usual", () => {
  expect(loginOf("postgres://me@host:1/db", { PGHOST: "no" })).toEqual({
    host: "host",
    port: "1",
    database: "db",
    user: "me",
  })
  const env = { PGHOST: "h", PGPORT: "2", PGUSER: "u", PGDATABASE: "d" }
  expect(loginOf("postgres://", env)).toEqual({ host: "h", port: "2", database: "d", user: "u" })
  expect(loginOf("postgres:///?host=/run/pg&user=a%40b", {})).toEqual({
    host: "/run/pg",
    port: "5432",
    database: "a@b",
    user: "a@b",
  })
  expect(loginOf("postgres://", { USER: "me" })).toEqual({
    host: "localhost",
    port: "5432",
    database: "me",
    user: "me",
  })
})

test("a file that others can read is ignored, with a warning; a missing one is none", async () => {
  const box = temporaryBox()
  const path = box.write(".pgpass", "*:*:*:*:right\n")
  const unsafe: string[] = []
  const ask = (env: Record<string, string>) => passwordInFile(LOGIN, env, (one) => unsafe.push(one))
  chmodSync(path, 0o644)
  expect(await ask({ HOME: box.folder })).toBeUndefined()
  expect(unsafe).toEqual([path])
  chmodSync(path, 0o600)
  expect(await ask({ HOME: box.folder })).toBe("right")
  expect(await ask({ HOME: "/nowhere", PGPASSFILE: path })).toBe("right")
  expect(await ask({ HOME: "/nowhere" })).toBeUndefined()
  expect(unsafe).toEqual([path])
})
