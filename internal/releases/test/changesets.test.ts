import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { parse } from "yaml"

const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
const CHANGESETS = join(ROOT, ".changeset")

/** What changesets asks of the module that makes its changelogs. */
interface Changelog {
  getReleaseLine(changeset: { summary: string }): Promise<string>
  getDependencyReleaseLine(): Promise<string>
}

const changelog = createRequire(import.meta.url)(join(CHANGESETS, "changelog.cjs")) as Changelog
const config = JSON.parse(readFileSync(join(CHANGESETS, "config.json"), "utf8"))
const packages = readdirSync(join(ROOT, "packages")).map((name) => `@treelog/${name}`)
const changesets = readdirSync(CHANGESETS).filter((name) => name.endsWith(".md") && name !== "README.md")

test("all packages carry one version, and the internal ones none", () => {
  expect(config).toMatchObject({ fixed: [["@treelog/*"]], access: "public", privatePackages: { version: false } })
})

test("a changeset stands in the changelog as it was written", async () => {
  const summary = "Lists at once.\n\n- The newest first.\n- In pieces.\n"
  expect(await changelog.getReleaseLine({ summary })).toBe("- Lists at once.\n\n  - The newest first.\n  - In pieces.")
})

test("that packages of ours need each other stands in no changelog", async () => {
  expect(await changelog.getDependencyReleaseLine()).toBe("")
})

test.each(changesets)("the changeset %s names packages of ours, and is minor or patch before 1.0", (name) => {
  const [, head = "", text = ""] = readFileSync(join(CHANGESETS, name), "utf8").split(/^---$/m)
  const bumps = parse(head) as Record<string, string>
  expect(Object.keys(bumps).filter((name) => !packages.includes(name))).toEqual([])
  expect(Object.values(bumps).filter((bump) => bump !== "minor" && bump !== "patch")).toEqual([])
  expect(text.trim()).not.toBe("")
})
