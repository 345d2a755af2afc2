import type { FoundSession } from "@treelog/session-core/adapter"
import { equal } from "./assert.js"
import { hitsOf, type IndexFixture, type Tests } from "./fixture.js"
import { assistant, call, result, usage, user } from "./samples.js"

/** A session with a sub-agent, whose transcript is a part of it. */
async function withSubagent({
  session,
  part,
  update,
}: IndexFixture): Promise<{ owner: string; agent: NonNullable<FoundSession["part"]> }> {
  const owner = await session("s1", [user("a", "Split the work"), assistant("b", "Done", usage(1))])
  const agent = { of: owner, name: "Scan.jsonl", role: "subagent" }
  const said = [assistant("c", "the howlite shelf", usage(2)), call("d", "edit", { path: "src/shelf.ts" })]
  await part("agent", agent, said, { cwd: "/tmp/elsewhere" })
  await update()
  return { owner, agent }
}

export const partTests: Tests = {
  "names the session of what was said and changed in a part of it, and the part": async (fixture) => {
    const { owner } = await withSubagent(fixture)
    const { sessions } = await fixture.search("howlite session:s1")
    const [hit] = hitsOf({ sessions, isMore: false })
    const [use] = await fixture.index.files({ path: "shelf.ts", cwd: "/home/ada/shop" })
    equal(
      [sessions.map(({ session }) => session.key), hit?.entryId, hit?.part?.name, use?.session.key, use?.part?.role],
      [[owner], "c", "Scan.jsonl", owner, "subagent"],
      "the session and the part",
    )
  },

  "sums a part with its session, and by role what parts used": async (fixture) => {
    const { owner } = await withSubagent(fixture)
    const outputs = async (by: "session" | "project" | "role") =>
      (await fixture.index.usage({ by, session: "s1" })).map(({ key, totals }) => [key, totals.output])
    equal(
      [await outputs("session"), await outputs("project"), await outputs("role")],
      [
        [[owner, 3]],
        [["/home/ada/shop", 3]],
        [
          ["subagent", 2],
          ["", 1],
        ],
      ],
      "the sums",
    )
  },

  "counts once what the result of a call repeats of a part": async ({ session, part, index, update }) => {
    const outcome = {
      results: [
        { id: "Scan", ...usage(4) },
        { id: "Lost", ...usage(8) },
      ],
      ...usage(12),
    }
    const first = result("b", "task", "done") as { message: object }
    const of = await session("s1", [user("a", "Split"), { ...first, message: { ...first.message, details: outcome } }])
    await part("agent", { of, name: "Scan.jsonl", role: "subagent" }, [assistant("c", "scanned", usage(4))])
    await update()
    equal(
      (await index.usage({})).map(({ totals }) => [totals.calls, totals.output]),
      [[2, 12]],
      "the sum",
    )
  },

  "leaves to its session what that counts for a part": async ({ session, part, finds, index, update }) => {
    const of = await session("s1", [user("a", "Split"), { type: "usage", id: "b", role: "subagent", ...usage(4) }])
    const said = [assistant("c", "scanned the howlite shelf", usage(4))]
    await part("agent", { of, name: "a.jsonl", role: "subagent" }, said, { countedIn: "s1" })
    await update()
    await finds("howlite", [])
    equal(
      (await index.usage({ by: "role" })).map(({ key, totals }) => [key, totals.output]),
      [["subagent", 4]],
      "the sum",
    )
  },

  "follows a transcript whose session appears later": async (fixture) => {
    const { session, index, update } = fixture
    const key = await session("agent", [assistant("c", "the howlite shelf", usage(2))])
    await update()
    const owner = await session("s1", [user("a", "Split")])
    fixture.storage.placeOf.set(key, { of: owner, name: "agent.jsonl", role: "review" })
    await update()
    const { sessions } = await fixture.search("howlite")
    const roles = (await index.usage({ by: "role" })).map((row) => row.key)
    equal([sessions.map((one) => one.session.key), roles], [[owner], ["review"]], "the session and the role")
  },

  "takes a part that is no transcript for an artifact, and no fault": async (fixture) => {
    const { storage, session, replace, update, finds } = fixture
    const owner = await session("s1", [user("a", "Split the work")])
    const key = await session("agent", [])
    storage.placeOf.set(key, { of: owner, name: "notes.jsonl", role: "subagent" })
    await replace(key, '{"not":"a session"}\n')
    await update()
    await update()
    await finds("split", ["a"])
  },
}
