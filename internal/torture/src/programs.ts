import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import type { Programs } from "./fault-test.js"

const NAMES = [
  "append-and-log",
  "append-shared",
  "append-through",
  "append-to-postgres",
  "compact-shared",
  "hold",
  "slim",
] as const

/** Bundles the programs of child/ from the sources, so that other processes run the very code that is tested. */
export async function bundlePrograms(): Promise<Programs & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "treelog-programs-"))
  await build({
    entryPoints: NAMES.map((name) => join(import.meta.dirname, "child", `${name}.ts`)),
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
  return { path: (name) => join(folder, `${name}.mjs`), remove: () => rm(folder, { recursive: true, force: true }) }
}
