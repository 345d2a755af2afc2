import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Session, SessionManager } from "@treelog/session-core"
import { describe, expect, test } from "vitest"
import { codeBlocks, codeSpans, pages, proseOf } from "./docs-pages.js"
import { entryPoints, packageFolders, ROOT, readManifest, readText, sourceFiles } from "./repository.js"

const entries = packageFolders.flatMap(entryPoints)
const sourceTexts = packageFolders.flatMap(sourceFiles).map(readText)
const sources = sourceTexts.join("\n")
const everywhere = [
  ...sourceTexts,
  ...["scripts", ".github/workflows", "internal/browser/src", "examples/hosted"].flatMap(codeIn),
].join("\n")
const core = readText("packages/session-core/src/errors.ts")

/** The code of a folder, tests and workflows among it. */
function codeIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:m?[tj]s|yml)$/.test(path))
    .map((path) => readText(`${folder}/${path}`))
}

/** The names that an entry point exports, types included: every one of them only re-exports, by name. */
const exportedBy = (source: string) =>
  [...readText(source.slice(ROOT.length)).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, "")),
  )

const exported = new Map(entries.map(({ specifier, source }) => [specifier, exportedBy(source)]))

describe.each(pages)("what %s names", (page) => {
  const spans = codeSpans(page)

  test("is exported, where its code imports it from us", () => {
    const imports = codeBlocks(page).flatMap((code) => [
      ...code.matchAll(/import (?:type )?\{([^}]*)\} from "(@treelog\/[\w/-]+)"/g),
    ])
    const missing = imports.flatMap(([, names = "", specifier = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => !exported.get(specifier)?.includes(name)),
    )
    expect(missing).toEqual([])
  })

  test("is a method, where it is called as one of a session or of the manager", () => {
    const called = [...readText(page).matchAll(/\b(session|sessions|SessionManager)\.(\w+)\b(?!\.\w)/g)].map(
      ([, owner = "", name = ""]) => ({ owner, name }),
    )
    const faceOf = (owner: string) => (owner === "session" ? Session : SessionManager).prototype
    const files = /^(ts|jsonl|md|html|png)$/
    expect(called.filter(({ owner, name }) => !(name in faceOf(owner)) && !files.test(name))).toEqual([])
  })

  test("is a function or a method of ours, where it stands with parentheses", () => {
    const calls = spans.flatMap((span) => /^(?:\w+\.)*([a-z]\w+)\([^)]*\)$/.exec(span)?.[1] ?? [])
    expect(calls.filter((name) => !new RegExp(`\\b${name}(?:<[^>]*>)?\\(`).test(sources))).toEqual([])
  })

  test("is an error that exists", () => {
    const names = spans.flatMap((span) => /^[A-Z]\w*Error$/.exec(span)?.[0] ?? [])
    const ours = (name: string) => core.includes(`  ${name}: {`) || core.includes(`class ${name}`)
    const ofTheirs = (name: string) =>
      /^packages\/(agent-sdks|bundle|cli|export|prices)\/README[.]md$/.test(page) && sources.includes(name)
    expect(names.filter((name) => !ours(name) && !ofTheirs(name))).toEqual([])
  })

  test("is a package of ours, or what can be imported of it", () => {
    const ours = new Set([...packageFolders.map((folder) => readManifest(folder).name), ...exported.keys()])
    const named = spans.flatMap((span) => /^@treelog\/[\w/-]+$/.exec(span)?.[0] ?? [])
    expect(named.filter((name) => !ours.has(name))).toEqual([])
  })

  test("is read from the environment, where it looks like a variable of it", () => {
    const named = spans.flatMap((span) => /^[A-Z]+_[A-Z_]+$/.exec(span)?.[0] ?? [])
    expect(named.filter((name) => !everywhere.includes(name))).toEqual([])
  })

  test("is a script of ours, where it is run with npm", () => {
    const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> }
    const run = spans.flatMap((span) => /^npm (?:run )?([a-z][a-z-]*)/.exec(span)?.[1] ?? [])
    const ofNpm = new Set(["init", "install", "rebuild"])
    expect(run.filter((script) => !(script in scripts) && !ofNpm.has(script))).toEqual([])
  })

  test.each([
    ["torture", "internal/torture/src/fault-tests"],
    ["bench", "bench/src/questions"],
  ])("is there, where it is an argument of `npm run %s`", (script, folder) => {
    const named = spans.flatMap((span) => new RegExp(`^npm run ${script} -- ([a-z-]+)`).exec(span)?.[1] ?? [])
    expect(named.filter((name) => !existsSync(join(ROOT, folder, `${name}.ts`)))).toEqual([])
  })
})

describe("README.md of each package", () => {
  const tables = packageFolders.flatMap((folder) => {
    const page = `${folder}/README.md`
    const rows =
      proseOf(page)
        .split(/^\| export \|.*$/m)[1]
        ?.split("\n\n")[0] ?? ""
    return [...rows.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = ""]) =>
      cell.split(", ").map((name) => ({ folder, name: name.slice(1, -1) })),
    )
  })

  test.each(tables)("$folder exports $name", ({ folder, name }) => {
    const [entry] = entryPoints(folder)
    expect(exported.get(entry?.specifier ?? "")).toContain(name)
  })

  test.each(packageFolders)("of %s begins with an example, and mentions errors", (folder) => {
    const page = `${folder}/README.md`
    // An example that needs more than our packages is JavaScript: only the tests of its package run it.
    const command = readText(page).match(/^```\n\$ treelog (?:.*\n)*?```/m)?.[0]
    const [first = command ?? ""] = [...codeBlocks(page), ...codeBlocks(page, "js")]
    expect(first.trim().split("\n").length).toBeGreaterThan(5)
    expect(first.trim().split("\n").length).toBeLessThan(20)
    expect(proseOf(page)).toMatch(/error/i)
    expect(proseOf(page)).toContain("](../../docs/")
  })

  test.each([
    ["What `@treelog/session-core` exports", "@treelog/session-core", 12],
    ["What `@treelog/session-core/messages` exports", "@treelog/session-core/messages", 7],
    ["What `@treelog/session-core/compaction` exports", "@treelog/session-core/compaction", 10],
    ["What `@treelog/session-core/maintenance` exports", "@treelog/session-core/maintenance", 8],
    ["What `@treelog/session-core/adapter` adds", "@treelog/session-core/adapter", 13],
  ])("of the core: %s", (heading, specifier, count) => {
    const rows = proseOf("packages/session-core/README.md").split(heading)[1]?.split("\n\n")[1] ?? ""
    const names = [...rows.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)
    expect(names.length).toBeGreaterThan(count)
    expect(names.filter((name) => !exported.get(specifier)?.includes(name))).toEqual([])
  })

  test("of the core has a row for each entry point", () => {
    const rows = [...proseOf("packages/session-core/README.md").matchAll(/^\| `(@treelog\/[\w/-]+)` \|/gm)]
    const specifiers = entryPoints("packages/session-core").map(({ specifier }) => specifier)
    expect(rows.map(([, specifier]) => specifier).sort()).toEqual(specifiers.sort())
  })
})
