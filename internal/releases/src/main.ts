// npm run write-fixtures: what this version writes, kept for all later ones to read. See test/release-fixtures.test.ts.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { writeRelease } from "./write-release.js"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: "string", default: "." }, again: { type: "boolean", default: false } },
})
const { root, again } = values
const target = join(root, "fixtures", "releases", positionals[0] ?? currentVersion())
if (existsSync(target) && !again) {
  process.stderr.write(`${target} is there already. If that version is not out yet: --again\n`)
  process.exitCode = 1
} else {
  await writeRelease(target)
  process.stdout.write(`Wrote ${target}\n`)
}

function currentVersion(): string {
  const manifest = readFileSync(join(root, "packages", "session-core", "package.json"), "utf8")
  return (JSON.parse(manifest) as { version: string }).version
}
