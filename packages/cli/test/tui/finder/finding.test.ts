import type { FoundSession, ListFilter } from "@treelog/session-core/adapter"
import { Library } from "@treelog/stores"
import { expect, test } from "vitest"
import type { CommandSource, Finder, FinderScope, Io, Source } from "../../door.js"
import { CommandContext, Finding } from "../../door.js"

const CWD = "/home/me/shop"
const SESSIONS: FoundSession[] = Array.from({ length: 6_000 }, (_, at) => ({
  key: `/store/${at}.jsonl`,
  error: new Error("Damaged"),
}))

/** Lists as the finder with this scope does: which folders were listed, and how often more could be shown. */
async function listed(scope: FinderScope): Promise<{ folders: (string | undefined)[]; times: number }> {
  const output = { isTTY: false }
  const io = { interrupted: new AbortController().signal, now: () => 0, env: {}, stdout: output, stderr: output }
  const folders: (string | undefined)[] = []
  async function* scan({ cwd }: ListFilter): AsyncGenerator<FoundSession[]> {
    folders.push(cwd)
    yield cwd === undefined ? SESSIONS : SESSIONS.slice(0, 9)
  }
  const list = async function* () {}
  const storage = { list, summaries: { scan, flush: async () => {} } }
  const source = {
    storage,
    madeBy: "pi",
    projectOf: () => undefined,
    address: "/store",
  } as unknown as CommandSource
  let times = 0
  const progressed = () => void times++
  const finder = { state: { wanted: { scope } }, progressed, failed: () => {} } as unknown as Finder<Source>
  await new Finding(new CommandContext(io as unknown as Io, { cwd: CWD }), new Library([source]), {}).work(finder)
  return { folders, times }
}

test("the scope on the screen is listed first, then all sessions", async () => {
  expect((await listed("project")).folders).toEqual([CWD, CWD, undefined])
  expect((await listed("all")).folders).toEqual([undefined, CWD, undefined])
})

test("of ever more sessions, twice as many are listed before they are shown: each time takes as long as there are rows", async () => {
  // The first page, those of the project, 400, 800, 1,600, 3,200, all, and the end, since there is no index here.
  expect((await listed("all")).times).toBe(8)
})
