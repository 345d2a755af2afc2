import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { build } from "esbuild"

const CHILD = join(import.meta.dirname, "child")

/** Bundles the programs of child/ from the sources, so that other processes run the very code that is tested. */
export async function bundlePrograms(): Promise<{ program(name: string): string; remove(): Promise<void> }> {
  // Here they find what is not bundled, such as a driver of SQLite.
  const dist = join(import.meta.dirname, "..", "dist")
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, "programs-"))
  await build({
    entryPoints: (await readdir(CHILD)).map((name) => join(CHILD, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@treelog/source"],
    logLevel: "error",
    // The driver of PostgreSQL is CommonJS.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url)',
    },
    external: ["pg-native"],
  })
  return { program: (name) => join(folder, `${name}.mjs`), remove: () => rm(folder, { recursive: true, force: true }) }
}
