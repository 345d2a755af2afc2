import { spawnSync } from "node:child_process"
import { chmodSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { MAIN } from "../built-imports.js"
import { bashQuoted, shellWords } from "../door.js"
import { NOW, storeAged } from "../housekeeping-box.js"
import { type Sandbox, sandbox } from "../sandbox.js"

// What only the shells can show. They run what `npm run build` made.

function missing(shell: string): string | false {
  return spawnSync(shell, ["--version"]).error !== undefined && `${shell} is not installed`
}

/** A store with sessions, and a `treelog` that can be called. */
function given(): { box: Sandbox; env: NodeJS.ProcessEnv } {
  const box = sandbox()
  storeAged(box, "one", 2, { name: "Discount field" })
  chmodSync(box.write("bin/treelog", `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`), 0o755)
  const path = `${box.folder}/bin:${process.env.PATH}`
  const store = { TREELOG_AGENT_DIR: box.agentDir, TREELOG_CACHE_DIR: box.cacheDir }
  return { box, env: { ...store, PATH: path, HOME: box.folder, TERM: "dumb" } }
}

function ran(shell: string, args: readonly string[]): string {
  const { box, env } = given()
  const { stdout, stderr, status } = spawnSync(shell, args, { cwd: box.project, env, encoding: "utf8" })
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
  return stdout.trim()
}

const NO_BASH = missing("bash")
describe.skipIf(NO_BASH)(`bash${NO_BASH ? ` (skipped: ${NO_BASH})` : ""}`, () => {
  test.each([
    ["treelog relo", "relo", "relocate"],
    ["treelog show @la", "la", "last"],
    ["treelog show Disc", "Disc", "Discount\\ field"],
    ['treelog show "Disc', "Disc", "Discount field"],
    ["treelog show Discount\\ f", "Discount\\ f", "Discount\\ field"],
    ["treelog tree --filter us", "us", "user-only"],
  ])("completes `%s`, of which it sees `%s`, by `%s`.", (line, word, completed) => {
    const script = `eval "$(treelog completion bash)"; COMP_LINE=$1; COMP_POINT=\${#1}; _treelog treelog "$2" x; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(ran("bash", ["-c", script, "bash", line, word])).toBe(completed)
  })
})

const NO_FISH = missing("fish")
test.skipIf(NO_FISH)(`fish completes commands and names${NO_FISH ? ` (skipped: ${NO_FISH})` : ""}.`, () => {
  const complete = (line: string) => ran("fish", ["-c", `treelog completion fish | source; complete -C '${line}'`])
  expect(complete("treelog dele")).toMatch(/^delete\t/)
  expect(complete("treelog show ").split("\n")[0]).toBe("@last\tthe newest")
  expect(complete("treelog show Disc")).toMatch(/^Discount\\? field\tone$/)
})

const NO_ZSH = missing("zsh")
test.skipIf(NO_ZSH)(`zsh takes the script for what it is${NO_ZSH ? ` (skipped: ${NO_ZSH})` : ""}.`, () => {
  const script = 'compdef() { print "$@" }; eval "$(treelog completion zsh)"; whence -w _treelog'
  expect(ran("zsh", ["-f", "-c", script])).toBe("_treelog treelog\n_treelog: function")
})

test("zsh gets words with descriptions, and colons escaped.", async () => {
  const box = sandbox()
  storeAged(box, "one", 2, { name: "fix: the form" })
  const { stdout } = await box.run(["completion", "zsh", "--", "show", "fix"], NOW)
  expect(stdout).toBe("words\nfix\\: the form:one\n")
})

test.each([
  ["treelog show a", ["treelog", "show", "a"], "a"],
  ["treelog show ", ["treelog", "show", ""], ""],
  ['treelog  "a b"c\\ d', ["treelog", "a bc d"], '"a b"c\\ d'],
  ["treelog 'it\\'", ["treelog", "it\\"], "'it\\'"],
  ["", [""], ""],
])("`%s` is read as a shell would.", (line, words, last) => {
  expect(shellWords(line)).toEqual({ words, last })
})

test("What bash might take for something else is quoted.", () => {
  expect(bashQuoted("a b$(c)'d\"é中@last")).toBe("a\\ b\\$\\(c\\)\\'d\\\"é中@last")
})
