import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { listedNames, ROOT } from "./repository.js"

/** How many names that are not exported the tests of a package import. A number here becomes smaller, never larger. */
const INNER_NAMES: Readonly<Record<string, number>> = {
  "packages/agents/test/door.ts": 9,
  "packages/blob-store/test/door.ts": 1,
  "packages/blob-store-s3/test/door.ts": 6,
  "packages/cli/test/door.ts": 105,
  "packages/export/test/door.ts": 2,
  "packages/history-sqlite/test/door.ts": 2,
  "packages/index-sqlite/test/door.ts": 6,
  "packages/mcp/test/door.ts": 3,
  "packages/pi/test/door.ts": 2,
  "packages/prices/test/door.ts": 1,
  "packages/secrets/test/door.ts": 1,
  "packages/session-core/test/door.ts": 61,
  "packages/storage-fs/test/door.ts": 5,
  "packages/storage-postgres/test/door.ts": 4,
  "packages/stores/test/door.ts": 3,
  "packages/viewer/test/door.ts": 5,
  "packages/viewer/test/page/door.ts": 36,
  "internal/agent-files/test/door.ts": 2,
}

const doors = ["packages", "internal"]
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
  .flatMap((folder) => [`${folder}/test/door.ts`, `${folder}/test/page/door.ts`])
  .filter((path) => existsSync(join(ROOT, path)))

/** The definition of an agent does not count: each has one, for its contract. */
const namesIn = (path: string) => listedNames(path).filter((name) => !name.startsWith("agent as ")).length

test("tests import fewer and fewer names that no entry point has", () => {
  expect(Object.fromEntries(doors.map((path) => [path, namesIn(path)]))).toEqual(INNER_NAMES)
})
