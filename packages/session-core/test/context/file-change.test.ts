import { type DiffLine, fileChangeOf, languageOfPath } from "@treelog/session-core/adapter"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { lineDiff, looksLikeDiff, parseDiff } from "../door.js"

const SIGNS = { same: " ", added: "+", removed: "-", gap: "@" } as const
const text = (diff: readonly DiffLine[]): string[] => diff.map(({ kind, text }) => SIGNS[kind] + text)

/** The diff of a call that has to be an edit. */
function diffOf(toolArguments: unknown, details?: unknown): string[] {
  const change = fileChangeOf(toolArguments, details)
  if (change?.kind !== "edit") throw new Error(`Not an edit: ${change?.kind}`)
  return text(change.diff)
}

/** `{"a":{"a":…}}` or `[[…]]`, so many levels deep. */
function nested(levels: number, isList: boolean): unknown {
  let value: unknown = "deepest"
  for (let level = 0; level < levels; level++) value = isList ? [value] : { a: value }
  return value
}

describe("A change of a file", () => {
  test.each([
    ["pi", { oldText: "one\ntwo", newText: "one\n2" }],
    ["omp and Claude Code", { old_string: "one\ntwo", new_string: "one\n2" }],
    ["xcsh", { edits: [{ old_text: "one\ntwo", new_text: "one\n2" }] }],
    ["pi, several at once", { edits: [{ oldText: "one\ntwo", newText: "one\n2" }] }],
    ["a text editor of Anthropic", { command: "str_replace", old_str: "one\ntwo", new_str: "one\n2" }],
    ["omp, as a patch", { edits: [{ op: "update", diff: "@@\n one\n-two\n+2" }] }],
    ["apply_patch", { input: "*** Begin Patch\n*** Update File: a.ts\n one\n-two\n+2\n*** End Patch" }],
  ])("is read from what %s stores.", (_, given) => {
    const change = fileChangeOf({ path: "src/a.ts", ...given })
    expect(change).toMatchObject({ kind: "edit", path: "src/a.ts" })
    expect(diffOf({ path: "src/a.ts", ...given }).filter((line) => !line.startsWith("@"))).toEqual([
      " one",
      "-two",
      "+2",
    ])
  })

  test("keeps several edits apart, and is none where one of them cannot be read.", () => {
    const [first, second] = [
      { oldText: "a", newText: "b" },
      { oldText: "c", newText: "d" },
    ]
    expect(diffOf({ path: "x", edits: [first, second] })).toEqual(["-a", "+b", "@", "-c", "+d"])
    for (const odd of [undefined, null, "text", 3, [], {}, { oldText: "a" }, { op: "delete" }])
      expect(fileChangeOf({ path: "x", edits: [first, odd] })).toBeUndefined()
    expect(fileChangeOf({ path: "x", edits: [] })).toBeUndefined()
  })

  test("prefers the diff that the tool stored, which has line numbers.", () => {
    const given = { path: "a", oldText: "one", newText: "1" }
    expect(diffOf(given, { diff: "-12 one\n+12 1" })).toEqual(["-12 one", "+12 1"])
    expect(diffOf({ input: "PUT 3..4:" }, { diff: "-a\n+b" })).toEqual(["-a", "+b"])
    for (const odd of [undefined, null, {}, { diff: "" }, { diff: "words only" }, { diff: 3 }, []])
      expect(diffOf(given, odd)).toEqual(["-one", "+1"])
  })

  test("is a file that is written where there is a path and a content.", () => {
    expect(fileChangeOf({ file_path: "a.py", content: "x = 1\n", mode: "new" })).toEqual({
      kind: "write",
      path: "a.py",
      content: "x = 1\n",
      otherArguments: { file_path: "a.py", mode: "new" },
    })
    expect(fileChangeOf({ path: "a", content: "" })).toMatchObject({ kind: "write", content: "" })
    expect(fileChangeOf({ command: "create", path: "a", file_text: "x" })).toMatchObject({
      kind: "write",
      content: "x",
    })
    expect(fileChangeOf({ content: "no path" })).toBeUndefined()
    expect(diffOf({ path: "a", edits: [{ op: "create", diff: "new\nfile\n" }] })).toEqual(["+new", "+file"])
  })

  test("says which arguments it does not show.", () => {
    expect(fileChangeOf({ path: "a", oldText: "a", newText: "b", replace_all: true })).toMatchObject({
      otherArguments: { path: "a", replace_all: true },
    })
    const change = fileChangeOf(JSON.parse('{"__proto__":{"x":1},"path":"a","content":"b"}'))
    expect(Object.keys(change?.otherArguments ?? {})).toEqual(["__proto__", "path"])
  })

  test("is found or not in whatever is stored, of any depth, and never throws.", () => {
    const field = fc.constantFrom("path", "content", "oldText", "newText", "edits", "diff", "input", "op", "x")
    const given = fc.oneof(fc.anything(), fc.dictionary(field, fc.anything()))
    fc.assert(
      fc.property(given, given, (toolArguments, details) => {
        const change = fileChangeOf(toolArguments, details)
        if (change) expect(["edit", "write"]).toContain(change.kind)
      }),
    )
    for (const levels of [6_000, 200_000])
      for (const deep of [nested(levels, true), nested(levels, false)]) {
        expect(fileChangeOf(deep, deep)).toBeUndefined()
        expect(fileChangeOf({ path: "a", edits: deep })).toBeUndefined()
        expect(fileChangeOf({ path: "a", content: deep, oldText: deep, newText: "" })).toBeUndefined()
        expect(diffOf({ path: "a", edits: [{ oldText: "a", newText: "b", more: deep }], deep })).toEqual(["-a", "+b"])
        expect(diffOf({ path: "a", oldText: "a", newText: "b" }, { diff: deep })).toEqual(["-a", "+b"])
      }
  })
})

test("A language is the plain extension of a file name, and nothing that could end a fence.", () => {
  expect(languageOfPath("src/Form.TSX")).toBe("tsx")
  expect(languageOfPath("C:\\work\\main.rs")).toBe("rs")
  expect(languageOfPath("deploy/Dockerfile")).toBe("dockerfile")
  for (const none of ["README", "a.d/README", "a.", "", "a.`js", "a.js\n```", "a.j s", `a.${"x".repeat(30)}`])
    expect(languageOfPath(none)).toBeUndefined()
})

describe("A comparison of texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 }).map((all) => all.join("\n"))

  test("has all that came and all that went.", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(before, after)
        const count = (text: string): Map<string, number> => {
          const counts = new Map<string, number>()
          for (const line of text === "" ? [] : text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1)
          return counts
        }
        const [old, now] = [count(before), count(after)]
        for (const line of new Set([...old.keys(), ...now.keys()])) {
          const added = diff.filter(({ kind, text }) => kind === "added" && text === line).length
          const removed = diff.filter(({ kind, text }) => kind === "removed" && text === line).length
          expect(added - removed).toBe((now.get(line) ?? 0) - (old.get(line) ?? 0))
        }
      }),
    )
  })

  test("leaves out what is far from any change.", () => {
    const many = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    const diff = lineDiff(many.join("\n"), many.join("\n").replace("line 20", "changed"))
    expect(diff.map(({ kind }) => kind).join(" ")).toBe("gap same same same removed added same same same gap")
  })

  test("reads the diffs that programs store.", () => {
    const stored = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n 1 same\n-2 old\n+2 new\n ..."
    expect(looksLikeDiff(stored)).toBe(true)
    expect(parseDiff(stored).map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      "gap:@@ -1 +1 @@",
      "same:1 same",
      "removed:2 old",
      "added:2 new",
      "gap:",
    ])
    expect(looksLikeDiff("just some text\nof two lines")).toBe(false)
  })

  test("drops the names of the files in a stored diff, and no line that only looks like one.", () => {
    const stored = "--- a/x.sql\n+++ b/x.sql\n@@ -1 +1 @@\n--- old comment\n+new"
    expect(parseDiff(stored).map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      "gap:@@ -1 +1 @@",
      "removed:-- old comment",
      "added:new",
    ])
  })

  test("has no empty line where a text is empty, or where both end with a line end.", () => {
    expect(lineDiff("", "a\nb\n").map(({ kind, text }) => `${kind}:${text}`)).toEqual(["added:a", "added:b"])
    expect(lineDiff("a", "").map(({ kind, text }) => `${kind}:${text}`)).toEqual(["removed:a"])
    expect(lineDiff("a\n", "b\n").map(({ kind, text }) => `${kind}:${text}`)).toEqual(["removed:a", "added:b"])
    expect(lineDiff("a\n", "a").map(({ kind, text }) => `${kind}:${text}`)).toEqual(["same:a", "removed:"])
    expect(lineDiff("\n", "")).toEqual([{ kind: "removed", text: "" }])
  })
})
