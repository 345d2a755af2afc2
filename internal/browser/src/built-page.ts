import { createHash } from "node:crypto"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Rollup } from "vite"
import { cachedFolder } from "./cached-folder.js"

const ROOT = fileURLToPath(new URL("../../../", import.meta.url))

const PARTS = [
  "packages/viewer/src/page",
  "packages/viewer/build",
  "packages/viewer/vite.config.ts",
  "packages/viewer/vite.parts.config.ts",
  "packages/session-core/src",
  "internal/text/src",
  "pnpm-lock.yaml",
]

export interface BuiltPage {
  readonly html: string
  readonly url: string
}

/** The viewer's page as the sources are now. */
export async function builtPage(): Promise<BuiltPage> {
  const folder = await built("vite.config.ts")
  const path = join(folder, "index.html")
  return { html: await readFile(path, "utf8"), url: `file://${path}` }
}

/** The files of `@treelog/viewer/parts` as the sources are now, by their names. */
export async function builtParts(): Promise<ReadonlyMap<string, string>> {
  const folder = await built("vite.parts.config.ts")
  const names = await readdir(folder)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  )
}

const folders = new Map<string, Promise<string>>()

/** The folder with what a configuration of the viewer builds; made again only when the sources changed. */
function built(config: string): Promise<string> {
  const folder = folders.get(config) ?? make(config)
  folders.set(config, folder)
  return folder
}

async function make(config: string): Promise<string> {
  return cachedFolder(`viewer-${config}-${await digestOf(PARTS)}`, async (folder) => {
    const configFile = join(ROOT, "packages/viewer", config)
    const result = await build({ configFile, logLevel: "error", build: { write: false } })
    for (const { output } of [result].flat() as Rollup.RollupOutput[])
      for (const file of output)
        await writeFile(join(folder, file.fileName), file.type === "chunk" ? file.code : file.source)
  })
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
