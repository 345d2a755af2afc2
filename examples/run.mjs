// npm run example -- NAME: takes the types off an example and runs it with the built packages, as those who install them do.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const HERE = fileURLToPath(new URL(".", import.meta.url))
const [name = "embed-in-an-agent", ...args] = process.argv.slice(2)
const outfile = join(HERE, "dist", `${name}.mjs`)

await build({
  entryPoints: [join(HERE, `${name}.ts`)],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
})
const cwd = process.env.INIT_CWD ?? process.cwd()
const child = spawn(process.execPath, [outfile, ...args], { cwd, stdio: "inherit" })
child.on("exit", (code) => {
  process.exitCode = code ?? 1
})
