import { createHash } from "node:crypto"
import { dirname, resolve } from "node:path"
import { buildSync, transformSync } from "esbuild"

/** The files that a module of TypeScript consists of: its own, and those of the same package that it imports. */
export function filesOfModule(path: string): string[] {
  const absWorkingDir = dirname(path)
  const options = { absWorkingDir, bundle: true, packages: "external", write: false, metafile: true } as const
  const { metafile } = buildSync({ entryPoints: [path], format: "esm", ...options })
  return Object.keys(metafile.inputs)
    .sort()
    .map((input) => resolve(absWorkingDir, input))
}

/** The first digits of the SHA-256 of TypeScript code. Comments, types and whitespace do not count. */
export function codeDigest(codes: readonly string[]): string {
  const digest = createHash("sha256")
  for (const code of codes)
    digest.update(transformSync(code, { loader: "ts", minifyWhitespace: true, legalComments: "none" }).code)
  return digest.digest("hex").slice(0, 12)
}
