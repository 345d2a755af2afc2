import { expect, test } from "vitest"
import { pagerCommand } from "../door.js"

const NAMED = { isShell: false, isNamed: true, env: { LESS: "FRX", LV: "-c" } }

test("less is the default, with the options that git gives it", () => {
  expect(pagerCommand({}, {})).toEqual({ ...NAMED, file: "less", args: [], isNamed: false })
})

test("variables that the user set stay", () => {
  expect(pagerCommand({ LESS: "-S", LV: "" }, {})?.env).toEqual({})
})

test.each([
  [{ PAGER: "more" }, "more"],
  [{ PAGER: "more", TREELOG_PAGER: "most" }, "most"],
])("the environment names another: %j", (env, file) => {
  expect(pagerCommand(env, {})).toEqual({ ...NAMED, file, args: [] })
})

test.each([{ PAGER: "" }, { PAGER: "cat" }, { PAGER: " " }, { PAGER: "less", TREELOG_PAGER: "" }, { TERM: "dumb" }])(
  "there is none with %j",
  (env) => expect(pagerCommand(env, {})).toBeUndefined(),
)

test.each([{ json: true }, { pager: false }])("there is none with the options %j", (options) => {
  expect(pagerCommand({}, options)).toBeUndefined()
})

test("words are split at spaces; only a line with signs of a shell gets one", () => {
  expect(pagerCommand({ PAGER: " less  -S -x4 " }, {})).toEqual({ ...NAMED, file: "less", args: ["-S", "-x4"] })
  for (const line of ["less '-P a b'", "grep x | less", "LESS=S less", "$HOME/bin/view", "less >&2", "~/bin/view"])
    expect(pagerCommand({ PAGER: line }, {})).toEqual({ ...NAMED, file: line, args: [], isShell: true })
})
