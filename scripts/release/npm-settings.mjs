import { readFileSync } from "node:fs"
import { ROOT } from "../tools.mjs"

/** npm's settings on this machine, from any file or variable: which registry, and the way to it. */
export async function npmSettings(runner) {
  const said = JSON.parse(
    await runner.run("npm", ["config", "list", "--long", "--json"], { cwd: ROOT, env: process.env }),
  )
  return {
    registry: said.registry,
    proxy: said["https-proxy"] ?? said.proxy ?? undefined,
    noProxy: [said.noproxy ?? []].flat().join(",") || undefined,
    ca: said.cafile ? readFileSync(said.cafile, "utf8") : undefined,
    strictSsl: said["strict-ssl"] !== false,
  }
}
