import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Rollup } from "vite"

const ROOT = fileURLToPath(new URL("../../../", import.meta.url))
const CACHE = join(ROOT, "node_modules/.cache/treelog")

/** What the page is made of. */
const PARTS = [
  "packages/viewer/src/page",
  "packages/viewer/build",
  "packages/viewer/vite.config.ts",
  "packages/session-core/src",
  "pnpm-lock.yaml",
]

let built: Promise<BuiltPage> | undefined

export interface BuiltPage {
  readonly html: string
  readonly url: string
}

/** The viewer's page as the sources are now; made again only when they changed. */
export function builtPage(): Promise<BuiltPage> {
  built ??= make()
  return built
}

async function make(): Promise<BuiltPage> {
  const path = join(CACHE, `viewer-${await digestOf(PARTS)}.html`)
  if (!existsSync(path)) {
    await mkdir(CACHE, { recursive: true })
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, await bundle())
    await rename(unfinished, path)
  }
  return { html: await readFile(path, "utf8"), url: `file://${path}` }
}

async function bundle(): Promise<string> {
  const configFile = join(ROOT, "packages/viewer/vite.config.ts")
  const result = (await build({ configFile, logLevel: "error", build: { write: false } })) as Rollup.RollupOutput
  const page = result.output.find(({ fileName }) => fileName === "index.html")
  if (page?.type !== "asset") throw new Error("The build gave no page.")
  return String(page.source)
}

async function digestOf(parts: readonly string[]): Promise<string> {
  const digest = createHash("sha256")
  for (const part of parts) {
    const path = join(ROOT, part)
    const names = /\.\w+$/.test(part) ? [""] : await readdir(path, { recursive: true })
    for (const name of names.sort()) {
      if (name !== "" && !/\.\w+$/.test(name)) continue
      digest.update(`${part}/${name}\n`).update(await readFile(join(path, name)))
    }
  }
  return digest.digest("hex").slice(0, 16)
}
