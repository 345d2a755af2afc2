// npm run write-fixtures: what the packages write, as they are built, into fixtures/releases/<version>. npm run version-packages
// does it for each release; npm run write-fixtures -- 0.1.0 --again for a version that is named, over what is there.
import { join } from "node:path"
import { buildPackages } from "./build-packages.mjs"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const RELEASES = join(ROOT, "internal", "releases")

try {
  await ensureInstalled()
  await buildPackages("build", "storage-fs", "blob-store", "history-sqlite")
  await bundle(RELEASES, { entryPoints: ["src/main.ts"], external: ["@treelog/*"] })
  process.exitCode = await runScript(join(RELEASES, "dist", "main.js"), ["--root", ROOT, ...process.argv.slice(2)])
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
