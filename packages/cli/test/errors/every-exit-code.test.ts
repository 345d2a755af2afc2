import { expect, test } from "vitest"
import { EXIT } from "../door.js"
import { hold, storeAged } from "../housekeeping-box.js"
import { type Ran, type Sandbox, sandbox } from "../sandbox.js"

// One way to each code; exit-codes.test.ts and the tests of the commands have the others. A code without one is an error of types.

const ways: Readonly<Record<keyof typeof EXIT, (box: Sandbox) => Promise<Ran>>> = {
  ok: (box) => box.run(["list"]),
  failed: (box) => box.run(["show", box.agentDir]),
  usage: (box) => box.run(["show", "--no-such-option"]),
  notFound: (box) => box.run(["show", "nothing"]),
  damaged: (box) => box.run(["verify", box.write("bad.jsonl", "nonsense\n")]),
  locked: async (box) => {
    await hold(box, storeAged(box, "held", 1))
    return box.run(["delete", "held"])
  },
  nothing: (box) => box.run(["verify", "--all", "--agent-dir", "empty"]),
  interrupted: (box) => box.run(["list"], { interrupted: AbortSignal.abort() }),
}

test.each(Object.entries(EXIT))("`%s` is %i, for scripts to rely on.", async (name, code) => {
  const box = sandbox()
  storeAged(box, "one", 1)
  expect((await ways[name as keyof typeof EXIT](box)).code).toBe(code)
})

test("The codes are those that README.md documents.", () => {
  expect(EXIT).toEqual({ ok: 0, failed: 1, usage: 2, notFound: 3, damaged: 4, locked: 5, nothing: 6, interrupted: 130 })
})
