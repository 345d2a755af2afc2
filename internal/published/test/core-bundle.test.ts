import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { entryPoints, ROOT } from "./repository.js"

const OURS = /^packages\/session-core\/src\//
const ZOD = /(^|\/)node_modules\/zod\//

describe.each(entryPoints("packages/session-core"))("$specifier in a browser", ({ source }) => {
  test("bundles without externals, from session-core and zod alone", async () => {
    const { errors, warnings, metafile, outputFiles } = await build({
      entryPoints: [source],
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      conditions: ["@treelog/source"],
      logLevel: "silent",
    })
    expect(errors).toEqual([])
    expect(warnings).toEqual([])
    expect(Object.values(metafile.outputs).flatMap((output) => output.imports)).toEqual([])
    expect(Object.keys(metafile.inputs).filter((path) => !OURS.test(path) && !ZOD.test(path))).toEqual([])
    expect(outputFiles.map((file) => file.text).join("")).not.toMatch(/["']node:/)
  })
})
