import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { Session, SessionManager } from "@treelog/session-core"
import { expect, test } from "vitest"
import { commandTable, flagsOf } from "../../../packages/cli/test/command-table.js"
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

/** The names that the headings of a page can be linked by. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#")
  const target = path === "" ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return true
  return anchor !== undefined && !(statSync(join(ROOT, target)).isFile() && anchorsOf(target).includes(anchor))
}

/** Every command with the options that it takes, those of the program among them. */
const table = commandTable.map(({ name, part }) => ({ name, flags: flagsOf(part) }))
const everywhereTaken = new Set(["--help", "-h", "--version", "-V", ...flagsOf()])
const anywhere = new Set([...everywhereTaken, ...table.flatMap(({ flags }) => flags)])

/** The command lines of a page, in the text and in code blocks. */
function commandLines(page: string): string[] {
  const blocks = [...readText(page).matchAll(/^```(?:sh|console)?\n(.*?)^```/gms)].map(([, code = ""]) => code)
  const inBlocks = blocks.flatMap((code) => [
    ...[...code.matchAll(/^(?:\$ )?(treelog|npm start --) ([^\n#]*)/gm)].map(([, start, rest]) => `${start} ${rest}`),
    ...[...code.matchAll(/\$\((treelog [^)]*)\)/g)].map(([, line = ""]) => line),
  ])
  return [...codeSpans(page), ...inBlocks].flatMap((span) => /^(?:treelog|npm start --) (.*)$/s.exec(span)?.[1] ?? [])
}

/** The command that a line means: `blobs gc` of `blobs gc --apply`. */
function commandOf(line: string) {
  const words = line.trim().split(/\s+/)
  const named = [words.slice(0, 2).join(" "), words[0] ?? ""]
  return table.find(({ name }) => name === named[0]) ?? table.find(({ name }) => name === named[1])
}

/** What a page says that is not so, by what it is. */
const FAULTS: Readonly<Record<string, (page: string, spans: readonly string[]) => unknown[]>> = {
  "a link that leads nowhere": (page) => {
    const links = [
      ...proseOf(page)
        .replace(/`[^`]*`/g, "")
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map(([, link = ""]) => link)
    return links.filter((link) => !/^https?:/.test(link) && isBroken(page, link))
  },

  "a file that does not exist": (page) => {
    const named = [...proseOf(page).matchAll(/`((?:packages|internal|docs|scripts|bench|examples)\/[\w./-]+)`/g)]
    return named.map(([, path = ""]) => path).filter((path) => !existsSync(join(ROOT, path)))
  },

  "a command that does not exist": (page) =>
    commandLines(page).filter((line) => !line.startsWith("-") && !commandOf(line)),

  "an option that the command does not have": (page) =>
    commandLines(page).flatMap((line) => {
      const flags = line.match(/(?<=^|\s)-(?:-[a-z][\w-]*|[a-zA-Z])(?=$|\s|=)/g) ?? []
      const taken = new Set([...everywhereTaken, ...(commandOf(line)?.flags ?? [])])
      return flags.filter((flag) => !taken.has(flag)).map((flag) => `${line}: ${flag}`)
    }),

  "an option that no command has": (page) => {
    const alone = codeSpans(page).filter((span) => /^(-\w, )?--[a-z-]+( [A-Z|\\a-z]+)?$/.test(span))
    const flags = alone.flatMap((text) => text.match(/--(?!treelog-)[a-z][\w-]*/g) ?? [])
    // Variables of CSS belong to the viewer; `--no-verify` is a word to search for; `--scope` is an option of Claude Code.
    const others = ["--no-verify", "--scope"]
    return flags.filter((flag) => !anywhere.has(flag) && !others.includes(flag))
  },

  "an import that is not exported": (page) => {
    const imports = codeBlocks(page).flatMap((code) => [
      ...code.matchAll(/import (?:type )?\{([^}]*)\} from "(@treelog\/[\w/-]+)"/g),
    ])
    const missing = imports.flatMap(([, names = "", specifier = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => !exported.get(specifier)?.includes(name)),
    )
    return missing
  },

  "a method that a session or the manager does not have": (page) => {
    const called = [...readText(page).matchAll(/\b(session|sessions|SessionManager)\.(\w+)\b(?!\.\w)/g)].map(
      ([, owner = "", name = ""]) => ({ owner, name }),
    )
    const faceOf = (owner: string) => (owner === "session" ? Session : SessionManager).prototype
    const files = /^(ts|jsonl|md|html|png)$/
    return called.filter(({ owner, name }) => !(name in faceOf(owner)) && !files.test(name))
  },

  "a function or a method that is none of ours": (_, spans) => {
    const calls = spans.flatMap((span) => /^(?:\w+\.)*([a-z]\w+)\([^)]*\)$/.exec(span)?.[1] ?? [])
    return calls.filter((name) => !new RegExp(`\\b${name}(?:<[^>]*>)?[?]?\\(`).test(sources))
  },

  "an error that does not exist": (page, spans) => {
    const names = spans.flatMap((span) => /^[A-Z]\w*Error$/.exec(span)?.[0] ?? [])
    const ours = (name: string) => core.includes(`  ${name}: {`) || core.includes(`class ${name}`)
    const ofTheirs = (name: string) =>
      /^packages\/(agent-sdks|bundle|cli|export|prices)\/README[.]md$/.test(page) && sources.includes(name)
    return names.filter((name) => !ours(name) && !ofTheirs(name))
  },

  "a package that is none of ours, or what cannot be imported of it": (_, spans) => {
    const ours = new Set([...packageFolders.map((folder) => readManifest(folder).name), ...exported.keys()])
    const named = spans.flatMap((span) => /^@treelog\/[\w/-]+$/.exec(span)?.[0] ?? [])
    return named.filter((name) => !ours.has(name))
  },

  "a variable of the environment that nothing reads": (_, spans) => {
    const named = spans.flatMap((span) => /^[A-Z]+_[A-Z_]+$/.exec(span)?.[0] ?? [])
    return named.filter((name) => !everywhere.includes(name))
  },

  "a script that there is not": (_, spans) => {
    const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> }
    const run = spans.flatMap((span) => /^npm (?:run )?([a-z][a-z-]*)/.exec(span)?.[1] ?? [])
    const ofNpm = new Set(["init", "install", "rebuild"])
    return run.filter((script) => !(script in scripts) && !ofNpm.has(script))
  },

  "an argument that a script does not take": (_, spans) =>
    [
      { script: "torture", folder: "internal/torture/src/fault-tests" },
      { script: "bench", folder: "bench/src/questions" },
    ].flatMap(({ script, folder }) => {
      const named = spans.flatMap((span) => new RegExp(`^npm run ${script} -- ([a-z-]+)`).exec(span)?.[1] ?? [])
      return named.filter((name) => !existsSync(join(ROOT, folder, `${name}.ts`)))
    }),
}

test.each(pages)("%s names and links only what there is", (page) => {
  const spans = codeSpans(page)
  const faults = Object.entries(FAULTS).map(([what, find]) => [what, find(page, spans)] as const)
  expect(Object.fromEntries(faults.filter(([, found]) => found.length > 0))).toEqual({})
})

test("the command table has commands and global options", () => {
  expect(table.map(({ name }) => name)).toEqual(expect.arrayContaining(["list", "verify", "repair", "blobs gc"]))
  expect([...everywhereTaken]).toEqual(expect.arrayContaining(["--store", "--json", "--no-color"]))
})

test.each(packageFolders)(
  "README.md of %s begins with an example, mentions errors, and has what is exported",
  (folder) => {
    const page = `${folder}/README.md`
    // An example that needs more than our packages is JavaScript: only the tests of its package run it.
    const command = readText(page).match(/^```\n\$ treelog (?:.*\n)*?```/m)?.[0]
    const [first = command ?? ""] = [...codeBlocks(page), ...codeBlocks(page, "js")]
    expect(first.trim().split("\n").length).toBeGreaterThan(5)
    expect(first.trim().split("\n").length).toBeLessThan(20)
    expect(proseOf(page)).toMatch(/error/i)
    expect(proseOf(page)).toContain("](../../docs/")
    const rows = proseOf(page)
      .split(/^\| export \|.*$/m)[1]
      ?.split("\n\n")[0]
    const names = [...(rows ?? "").matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "))
    const [entry] = entryPoints(folder)
    const known = exported.get(entry?.specifier ?? "")
    expect(names.map((name) => name.slice(1, -1)).filter((name) => !known?.includes(name))).toEqual([])
  },
)

test.each([
  ["What `@treelog/session-core` exports", "@treelog/session-core", 12],
  ["What `@treelog/session-core/messages` exports", "@treelog/session-core/messages", 7],
  ["What `@treelog/session-core/compaction` exports", "@treelog/session-core/compaction", 10],
  ["What `@treelog/session-core/maintenance` exports", "@treelog/session-core/maintenance", 8],
  ["What `@treelog/session-core/adapter` adds", "@treelog/session-core/adapter", 13],
])("README.md of the core: %s", (heading, specifier, count) => {
  const rows = proseOf("packages/session-core/README.md").split(heading)[1]?.split("\n\n")[1] ?? ""
  const names = [...rows.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)
  expect(names.length).toBeGreaterThan(count)
  expect(names.filter((name) => !exported.get(specifier)?.includes(name))).toEqual([])
})

test("README.md of the core has a row for each entry point", () => {
  const rows = [...proseOf("packages/session-core/README.md").matchAll(/^\| `(@treelog\/[\w/-]+)` \|/gm)]
  const specifiers = entryPoints("packages/session-core").map(({ specifier }) => specifier)
  expect(rows.map(([, specifier]) => specifier).sort()).toEqual(specifiers.sort())
})
