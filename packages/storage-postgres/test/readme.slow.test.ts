import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { otherProcesses } from "@treelog-internal/test-kit/processes"
import { expect, test } from "vitest"
import { allOf, scene } from "./scene.js"

const { database, storage } = scene()
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const [, example = ""] = /```js\n(.*?)```/s.exec(readFileSync(pathOf("../README.md"), "utf8")) ?? []
const cache = pathOf("../node_modules/.cache")
const source = `${cache}/quick-start.mjs`
mkdirSync(cache, { recursive: true })
writeFileSync(source, example.replace('"@treelog/storage-postgres"', JSON.stringify(pathOf("../src/index.ts"))))
const quickStart = otherProcesses(source, { inside: cache, external: ["pg"] })

test("the quick start of the README runs as it is, and stores a session", async () => {
  const { user, password, host, port } = database
  process.env.DATABASE_URL = `postgres://${user}:${password}@${host}:${port}/${database.database}`
  const child = quickStart.start()
  delete process.env.DATABASE_URL
  const [code] = await once(child, "exit")
  expect(code).toBe(0)
  expect(await allOf(storage().list({ cwd: "/home/me/project" }))).toHaveLength(1)
})
