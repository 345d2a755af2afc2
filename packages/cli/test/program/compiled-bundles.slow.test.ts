import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { MAIN } from "../built-imports.js"

interface CompiledBundles {
  load(file: string): unknown
  keep(): void
}

const { openCompiledBundles } = createRequire(MAIN)("./program/compiled-bundles.js") as {
  openCompiledBundles: (bundles: string, env: object, node?: string) => CompiledBundles
}

let folder: string
let bundle: string
let kept: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treelog-bundles-"))
  mkdirSync(join(folder, "bundles", "commands"), { recursive: true })
  bundle = write("commands/list.js", "exports.answer = () => 41 + 1")
  kept = join(folder, "cache", "code", "commands-list.js")
})

afterEach(() => rmSync(folder, { recursive: true }))

test("What was compiled is kept, and is not written again by the next process.", () => {
  expect(answerOf(bundle)).toBe(42)
  const { mtimeNs, ino } = statSync(kept, { bigint: true })
  expect(answerOf(bundle)).toBe(42)
  expect(statSync(kept, { bigint: true })).toMatchObject({ mtimeNs, ino })
})

test("A bundle that has changed is compiled again, also where it is as long as before.", () => {
  expect(answerOf(bundle)).toBe(42)
  write("commands/list.js", "exports.answer = () => 41 + 2")
  expect(answerOf(bundle)).toBe(43)
  expect(answerOf(bundle)).toBe(43)
})

test("What another build of Node has compiled is not run, and is replaced.", () => {
  expect(answerOf(bundle, "v20.19.0")).toBe(42)
  const [{ ino }, code] = [statSync(kept), readFileSync(kept)]
  expect(answerOf(bundle)).toBe(42)
  expect(statSync(kept)).not.toMatchObject({ ino })
  expect(readFileSync(kept).subarray(0, 4)).not.toEqual(code.subarray(0, 4))
})

test("Kept code of which a byte is wrong, or bytes are missing, is not run, and is replaced.", () => {
  answerOf(bundle)
  const right = readFileSync(kept)
  const at = fc.nat({ max: right.length - 1 })
  fc.assert(
    fc.property(
      fc.oneof(fc.record({ at, xor: fc.integer({ min: 1, max: 255 }) }), fc.record({ length: at })),
      (harm) => {
        const wrong = "length" in harm ? right.subarray(0, harm.length) : Buffer.from(right)
        if ("at" in harm) wrong[harm.at] = (wrong[harm.at] ?? 0) ^ harm.xor
        writeFileSync(kept, wrong)
        expect(answerOf(bundle)).toBe(42)
        const { mtimeNs } = statSync(kept, { bigint: true })
        expect(answerOf(bundle)).toBe(42)
        expect(statSync(kept, { bigint: true }).mtimeNs).toBe(mtimeNs)
        expect(readFileSync(kept).length).toBeGreaterThan(100)
      },
    ),
  )
})

test("Where nothing can be kept, the bundle runs all the same.", () => {
  writeFileSync(join(folder, "cache"), "no folder")
  expect(answerOf(bundle)).toBe(42)
  expect(readFileSync(join(folder, "cache"), "utf8")).toBe("no folder")
})

test.skipIf(process.getuid?.() !== 0)("What another user has put there is not run.", () => {
  answerOf(bundle)
  const { ino } = statSync(kept)
  chownSync(kept, 65_534, 65_534)
  expect(answerOf(bundle)).toBe(42)
  expect(statSync(kept)).not.toMatchObject({ ino })
  expect(statSync(kept).uid).toBe(0)
})

test.skipIf(process.platform === "win32")("A pipe in the place of kept code is replaced, and not waited for.", () => {
  mkdirSync(join(folder, "cache", "code"), { recursive: true })
  execFileSync("mkfifo", [kept])
  expect(answerOf(bundle)).toBe(42)
  expect(statSync(kept).isFile()).toBe(true)
})

test("A bundle gets other bundles once, and all else from Node.", () => {
  write("once.js", "globalThis.loadedOnce = (globalThis.loadedOnce ?? 0) + 1; exports.times = globalThis.loadedOnce")
  write(
    "commands/list.js",
    `const { sep } = require("node:path")
    exports.answer = () => [require("../once.js").times, require("../once.js").times, sep, __filename, __dirname]`,
  )
  const path = join(folder, "bundles", "commands")
  expect(answerOf(bundle)).toEqual([1, 1, join("/"), bundle, path])
  expect(readdirSync(join(folder, "cache", "code")).sort()).toEqual(["commands-list.js", "once.js"])
})

test("An error names the bundle and the line.", () => {
  write("commands/list.js", "exports.answer = () => {\n  throw new Error('wrong')\n}")
  for (let process = 0; process < 2; process++) {
    let stack = ""
    try {
      answerOf(bundle)
    } catch (error) {
      stack = (error as Error).stack ?? ""
    }
    expect(stack).toContain(`${bundle}:2:9`)
  }
})

function write(path: string, source: string): string {
  const file = join(folder, "bundles", path)
  writeFileSync(file, source)
  return file
}

/** As a process of its own would load it. */
function answerOf(file: string, node?: string): unknown {
  const bundles = openCompiledBundles(join(folder, "bundles"), { TREELOG_CACHE_DIR: join(folder, "cache") }, node)
  const { answer } = bundles.load(file) as { answer: () => unknown }
  try {
    return answer()
  } finally {
    bundles.keep()
  }
}
