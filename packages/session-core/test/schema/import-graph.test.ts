import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const SOURCES = new URL("../../src/", import.meta.url)

/** What is loaded when a module of the core is: its files, and the packages that they name. Imports of types load nothing. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const open = [new URL(entry, SOURCES)]
  for (let module = open.pop(); module; module = open.pop()) {
    const path = relative(fileURLToPath(SOURCES), fileURLToPath(module)).replaceAll("\\", "/")
    if (files.has(path)) continue
    files.add(path)
    for (const specifier of specifiersOf(readFileSync(module, "utf8"))) {
      if (specifier.startsWith(".")) open.push(new URL(specifier.replace(/\.js$/, ".ts"), module))
      else packages.add(specifier)
    }
  }
  return { files: [...files], packages: [...packages] }
}

function specifiersOf(code: string): string[] {
  const statements = code.matchAll(/^(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"/gm)
  const dynamic = code.matchAll(/\bimport\(\s*"([^"]+)"/g)
  return [...statements, ...dynamic].flatMap(([, from, bare]) => from ?? bare ?? [])
}

describe("@treelog/session-core", () => {
  it("loads neither zod nor the schemas, nor any other package", () => {
    const { files, packages } = loadedBy("index.ts")
    expect(packages).toEqual([])
    expect(files.filter((path) => path.startsWith("schema"))).toEqual([])
    expect(files).toContain("session/session-manager.ts")
    expect(files).toContain("errors.ts")
  })

  it("loads zod from its schema subpath alone", () => {
    const { files, packages } = loadedBy("schema.ts")
    expect(packages).toEqual(["zod/mini", "zod/v4/core", "zod/v4/locales"])
    expect(files).toContain("schema/entry-schemas.ts")
    expect(loadedBy("testing/index.ts").packages).toEqual([])
  })
})
