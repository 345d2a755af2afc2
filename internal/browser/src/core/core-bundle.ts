import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const HERE = "internal/browser/src/core"

/** A script for pages and workers, from the sources as they are. Test files bring the runner of this folder in place of vitest. */
export async function coreBundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: "browser",
    format: "esm",
    target: "es2022",
    conditions: ["@treelog/source"],
    alias: {
      vitest: `./${HERE}/page-runner.ts`,
      "node:crypto": `./${HERE}/node-for-pages.ts`,
      "node:fs": `./${HERE}/node-for-pages.ts`,
    },
    define: { "process.env.TREELOG_LONG": "undefined" },
    // Test files are imported for what they do, though their package has no side effects.
    ignoreAnnotations: true,
    logLevel: "silent",
  })
  return outputFiles.map(({ text }) => text).join("")
}
