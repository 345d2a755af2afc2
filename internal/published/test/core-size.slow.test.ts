import { mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { beforeAll, expect, test } from "vitest"
import { packedPackage } from "../src/packed-packages.js"
import { textsInTarball } from "../src/tarball.js"
import { removeFoldersAfterAll, temporaryFolder } from "../src/temporary-folder.js"
import { ROOT } from "./repository.js"

const KB = 1024

// What npm delivers is measured, not the sources: in the package a module can no longer be dropped as a whole.
let project: string

removeFoldersAfterAll()
beforeAll(async () => {
  project = await temporaryFolder("core-size")
  const modules = join(project, "node_modules")
  for (const name of ["@treelog/session-core", "@treelog/storage-indexeddb", "@treelog/viewer"]) {
    for (const [path, text] of await textsInTarball(await packedPackage(name))) {
      const file = join(modules, name, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }
  await symlink(join(ROOT, "packages", "session-core", "node_modules", "zod"), join(modules, "zod"))
})

// In KB, gzipped, with a twenty-fifth of room.
test.each([
  ["nothing but a constant", 'export { CURRENT_VERSION } from "@treelog/session-core"', 0.2],
  ["one function", 'export { formatLine } from "@treelog/session-core/adapter"', 1.1],
  ["contexts", 'export { buildSessionContext } from "@treelog/session-core"', 6],
  ["reading, and contexts", 'export { readSession, buildSessionContext } from "@treelog/session-core"', 17.4],
  ["a storage in IndexedDB", 'export * from "@treelog/storage-indexeddb"', 4.5],
  ["the schemas, with what they take of zod", 'export * from "@treelog/session-core/schema"', 10.7],
  ["keeping sessions", 'export { SessionManager, MemorySessionStorage } from "@treelog/session-core"', 42.4],
  // See docs/decisions/0016: this only keeps it from growing unseen.
  [
    "everything, with what it takes of zod",
    'export * from "@treelog/session-core"; export * from "@treelog/session-core/schema"',
    54.3,
  ],
  ["a list of sessions", 'export { mountSessionList } from "@treelog/viewer/parts"', 38.4],
  ["all parts of the viewer, most of it the highlighting of code", 'export * from "@treelog/viewer/parts"', 160.4],
])("In a page, %s takes no more than it should.", async (_, contents, budget) => {
  expect(await gzipped(contents)).toBeLessThanOrEqual(budget * KB)
})

test.each(["session-core", "session-core/schema", "storage-indexeddb", "viewer/parts", "viewer/routes"])(
  "Importing @treelog/%s for nothing leaves nothing behind.",
  async (path) => {
    const { outputFiles } = await bundle(`import "@treelog/${path}"`)
    expect(outputFiles[0]?.text).toBe("")
  },
)

async function gzipped(contents: string): Promise<number> {
  const { outputFiles } = await bundle(contents)
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length
}

function bundle(contents: string) {
  return build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "silent",
  })
}
