import { sumOfUsages } from "@treelog/session-core/search"
import { equal, failsWith } from "./assert.js"
import { type IndexFixture, line, type Tests } from "./fixture.js"
import { assistant, call, compaction, named, result, usage, user } from "./samples.js"

/** Two sessions, of which the second was forked from the first behind its first answer. */
async function forked({ session, update }: IndexFixture): Promise<void> {
  const first = { ...assistant("a", "one", usage(1)), timestamp: "2026-03-02T12:00:00.000Z" }
  const second = { ...assistant("b", "two", { ...usage(2), model: "other" }), timestamp: "2026-03-09T12:00:00.000Z" }
  const third = { ...assistant("c", "three", usage(4)), timestamp: "2026-04-15T12:00:00.000Z" }
  await session("s1", [first, second])
  await session("s2", [first, third], { cwd: "/home/ada/blog" })
  await update()
}

export const usageTests: Tests = {
  "sums up everything, what forks share once": async (fixture) => {
    await forked(fixture)
    const [row, ...rest] = await fixture.index.usage({})
    const totals = { ...sumOfUsages([]), calls: 3, input: 30, output: 7, totalTokens: 37, cost: 0.07 }
    equal(
      [row?.key, { ...row?.totals, cost: Number(row?.totals.cost.toFixed(6)) }, rest],
      ["total", totals, []],
      "the sum",
    )
  },

  "sums up by day, week, month, model, project and session": async (fixture) => {
    await forked(fixture)
    const outputs = async (by: "day" | "week" | "month" | "model" | "project" | "session") =>
      (await fixture.index.usage({ by })).map(({ key, session, totals }) => [session?.id ?? key, totals.output])
    equal(
      await outputs("day"),
      [
        ["2026-03-02", 1],
        ["2026-03-09", 2],
        ["2026-04-15", 4],
      ],
      "days",
    )
    equal(
      await outputs("week"),
      [
        ["2026-W10", 1],
        ["2026-W11", 2],
        ["2026-W16", 4],
      ],
      "weeks",
    )
    equal(
      await outputs("month"),
      [
        ["2026-03", 3],
        ["2026-04", 4],
      ],
      "months",
    )
    equal(
      await outputs("model"),
      [
        ["anthropic/claude-test", 5],
        ["anthropic/other", 2],
      ],
      "models",
    )
    equal(
      await outputs("project"),
      [
        ["/home/ada/blog", 4],
        ["/home/ada/shop", 3],
      ],
      "projects",
    )
    equal(
      await outputs("session"),
      [
        ["s2", 4],
        ["s1", 3],
      ],
      "sessions",
    )
  },

  "sums up by the agents and the persons that headers name": async ({ session, update, index }) => {
    await session("s1", [assistant("a", "one", usage(1))], { source: { agent: "codex", person: "ada" } })
    await session("s2", [assistant("b", "two", usage(1))], { source: { agent: "codex" } })
    await session("s3", [assistant("c", "three", usage(1))])
    await update()
    const calls = async (by: "agent" | "person") =>
      Object.fromEntries((await index.usage({ by })).map(({ key, totals }) => [key, totals.calls]))
    equal(await calls("agent"), { codex: 2, "": 1 }, "agents")
    equal(await calls("person"), { ada: 1, "": 2 }, "persons")
  },

  "sums up the sessions of each month apart": async (fixture) => {
    await forked(fixture)
    const rows = await fixture.index.usage({ by: "month", per: "session" })
    equal(
      rows.map(({ key, session, totals }) => [key, session?.id, totals.output]),
      [
        ["2026-03", "s1", 3],
        ["2026-04", "s2", 4],
      ],
      "sessions",
    )
  },

  "counts entries of one id and time that say something else as the two that they are": async (fixture) => {
    await forked(fixture)
    const other = { ...assistant("a", "not one", usage(8)), timestamp: "2026-03-02T12:00:00.000Z" }
    await fixture.session("s0", [other], { timestamp: "2001-01-01T00:00:00.000Z" })
    await fixture.update()
    const outputs = async (filter: object) => (await fixture.index.usage(filter)).map(({ totals }) => totals.output)
    equal(await outputs({}), [15], "the sum")
    equal([await outputs({ session: "s1" }), await outputs({ session: "s0" })], [[3], [8]], "of each of them")
  },

  "counts a response once that sessions have under other ids and at other times": async (fixture) => {
    const { session, update, index, change } = fixture
    // Costs that are sums of halves are exact in any order.
    const said = (id: string, text: string, day: number, output: number, responseId?: string) => ({
      ...assistant(id, text, { ...usage(output * 100), ...(responseId !== undefined && { responseId }) }),
      timestamp: `2026-03-0${day}T12:00:00.000Z`,
    })
    const first = await session("s1", [said("a", "one", 2, 1, "msg_1"), said("b", "two", 2, 2, "msg_2")])
    const copies = [said("c", "one", 3, 1, "msg_1"), said("d", "two", 3, 2, "msg_2")]
    await session("s2", [...copies, said("e", "three", 3, 4, "msg_3"), said("f", "another", 3, 8, "msg_8")])
    await session("s3", [said("g", "one", 4, 16), said("h", "one", 4, 1, "msg_1")])
    await update()
    const outputs = async (filter: object) => (await index.usage(filter)).map(({ totals }) => totals.output / 100)
    equal(await outputs({}), [31], "the sum: what names another response or none is another one")
    equal([await outputs({ session: "s2" }), await outputs({ session: "s3" })], [[15], [17]], "of those with copies")
    equal(await outputs({ by: "day" }), [3, 12, 16], "by day")
    await fixture.finds("one", ["g", "a"])
    await change(first, (lease) => lease.remove())
    await update()
    equal([await outputs({}), await outputs({ by: "day" })], [[31], [15, 16]], "without the first of them")
  },

  "counts a reply once that a copy ends within, and finds what each of them says": async (fixture) => {
    const { session, update, index, change, finds } = fixture
    const said = (id: string, text: string, day: number, output: number, input = 10, responseId = "msg_01aB2cD3e") => ({
      ...assistant(id, text, {
        usage: { input, output, cacheRead: 5, cacheWrite: 0, totalTokens: input + 5 + output },
        responseId,
      }),
      timestamp: `2026-03-0${day}T12:00:00.000Z`,
    })
    const whole = await session("s1", [said("a", "beginning and end", 2, 8)])
    await session("s2", [said("b", "beginning", 3, 4), said("c", "of another call", 3, 16, 20)])
    await session("s3", [{ ...said("b", "beginning", 3, 4), parentId: null }])
    await session("s4", [said("d", "yes", 1, 32, 10, "chatcmpl-0"), said("e", "no", 1, 64, 10, "chatcmpl-0")])
    await update()
    const outputs = async (filter: object) => (await index.usage(filter)).map(({ totals }) => totals.output)
    equal(await outputs({}), [120], "the sum: a server may give replies to other requests its id")
    equal([await outputs({ session: "s2" }), await outputs({ session: "s3" })], [[20], [4]], "of each copy")
    equal(await outputs({ by: "day" }), [96, 8, 16], "by day")
    equal(await outputs({ since: Date.UTC(2026, 2, 3) }), [16], "of a span")
    await finds("beginning", ["b", "a"])
    await change(whole, (lease) => lease.remove())
    await update()
    equal([await outputs({}), await outputs({ by: "day" })], [[116], [96, 20]], "without the whole reply")
  },

  "finds and counts a response that one conversation has in many copies": async (fixture) => {
    const { session, update, index, search, finds } = fixture
    const timestamp = "2026-03-02T12:00:00.000Z"
    const copy = (id: string) => ({ ...assistant(id, "flaky", { ...usage(2), responseId: "msg_1" }), timestamp })
    for (let n = 0; n < 40; n++) await session(`s${n}`, [copy("a"), copy(`b${n}`)])
    await update()
    equal(
      (await index.usage({})).map(({ totals }) => totals.output),
      [2],
      "the sum",
    )
    await finds("flaky", ["a"])
    const found = await search("flaky", { limit: 100, distinct: "session" })
    equal(found.sessions.length, 40, "the sessions that have it")
  },

  "sums up what fits": async (fixture) => {
    await forked(fixture)
    const output = async (filter: object) => (await fixture.index.usage(filter)).map(({ totals }) => totals.output)
    equal(await output({ session: "s2" }), [5], "of the fork, with what it copied")
    equal(await output({ since: Date.UTC(2026, 2, 5), until: Date.UTC(2026, 3, 1) }), [2], "of a span")
    equal(await output({ model: "other" }), [2], "of a model")
    equal(await output({ project: "nowhere" }), [], "of nothing")
  },
}

/** The result of an edit that failed. @param callOf the entry with the call */
function failed(id: string, callOf: string): object {
  return result(id, "edit", "no match", { toolCallId: `call-${callOf}`, isError: true })
}

export const fileTests: Tests = {
  "finds who read and who changed a file, the newest first": async ({ session, update, index }) => {
    await session("s1", [
      call("a", "read", { path: "/home/ada/shop/src/retry.ts" }),
      call("b", "edit", { path: "src/retry.ts" }),
      call("c", "write", { path: "src/not-retry.ts" }),
      compaction("d", "so far", { readFiles: [], modifiedFiles: ["src/retry.ts"] }),
    ])
    await session("s2", [user("e", "src/retry.ts"), call("f", "read", { file_path: "lib/src/retry.ts" })])
    await update()
    const uses = async (path: string | readonly string[], isChanged?: boolean) =>
      (await index.files({ path, ...(isChanged && { isChanged }) })).map(({ entryId, isChange }) => [entryId, isChange])
    equal(
      await uses("src/retry.ts"),
      [
        ["f", false],
        ["d", true],
        ["b", true],
        ["a", false],
      ],
      "the uses",
    )
    equal(
      await uses("retry.ts", true),
      [
        ["d", true],
        ["b", true],
      ],
      "the changes",
    )
    equal(
      await uses("./src/retry.ts", true),
      [
        ["d", true],
        ["b", true],
      ],
      "the changes, from here",
    )
    equal(
      await uses(["not-retry.ts", "lib/src/retry.ts"]),
      [
        ["f", false],
        ["c", true],
      ],
      "the uses of either",
    )
    equal(await uses("y.ts"), [], "no file")
    for (const path of [" ", ["a", ""], []])
      await failsWith("InvalidArgumentError", index.files({ path }), "an empty path")
  },

  "leaves out calls that failed": async ({ session, update, index, finds }) => {
    const calls = [
      { type: "toolCall", id: "1", name: "edit", arguments: { path: "src/retry.ts" } },
      { type: "toolCall", id: "2", name: "read", arguments: { path: "src/retry.ts" } },
    ]
    await session("s1", [
      assistant("a", "", { content: calls }),
      result("b", "edit", "no match", { toolCallId: "1", isError: true }),
      result("c", "read", "the file", { toolCallId: "2" }),
      call("d", "edit", { path: "src/retry.ts" }),
      result("e", "edit", "done", { toolCallId: "call-d" }),
    ])
    await session("s2", [call("f", "edit", { path: "src/retry.ts" }), failed("g", "f")])
    await update()
    const uses = await index.files({ path: "retry.ts" })
    equal(
      uses.map(({ entryId, isChange }) => [entryId, isChange]),
      [
        ["d", true],
        ["a", false],
      ],
      "the uses",
    )
    await finds("file:retry.ts match", ["b"])
  },

  "leaves out a call that failed after much that is no message": async ({ session, update, index }) => {
    const notes = Array.from({ length: 80 }, (_, at) => ({ type: "custom", id: `n${at}`, customType: "note" }))
    await session("s1", [call("a", "edit", { path: "src/retry.ts" }), ...notes, failed("b", "a")])
    await update()
    equal(await index.files({ path: "retry.ts" }), [], "no use")
  },

  "leaves out calls whose failure is appended later": async ({ session, append, update, index }) => {
    const changes = async () => {
      await update()
      return (await index.files({ path: "retry.ts", isChanged: true })).map(({ entryId }) => entryId)
    }
    const key = await session("s1", [
      call("a", "edit", { path: "src/retry.ts" }),
      call("b", "write", { path: "src/retry.ts" }),
      named("c", "Retries"),
    ])
    equal(await changes(), ["b", "a"], "the changes before the results")
    await append(key, line(failed("d", "b")))
    equal(await changes(), ["a"], "the changes after one")
    await append(key, line(failed("e", "a")).slice(0, -1))
    equal(await changes(), [], "the changes after both")
    await append(key, `\n${line(call("f", "edit", { path: "src/retry.ts" }))}`)
    equal(await changes(), ["f"], "the changes after a retry")
  },

  "takes composed and decomposed letters of a path for the same": async ({ session, update, index }) => {
    const path = "docs/Übung/Café.md"
    const [composed, decomposed] = [path.normalize("NFC"), path.normalize("NFD")]
    await session("s1", [
      call("a", "read", { path: composed }),
      call("b", "read", { path: decomposed }),
      call("c", "read", { path: "docs/Übung/".normalize("NFD") + "Café.md".normalize("NFC") }),
      call("d", "read", { path: "docs/Ubung/Cafe.md" }),
    ])
    await update()
    for (const end of [composed, decomposed])
      for (const sought of [end, end.slice(end.lastIndexOf("/") + 1)]) {
        const uses = await index.files({ path: sought })
        equal(
          uses.map(({ entryId, path: found }) => [entryId, found.length]),
          [
            ["c", 19],
            ["b", 20],
            ["a", 18],
          ],
          "the uses",
        )
        equal((await index.search({ file: sought })).sessions.length, 1, "the sessions")
      }
  },
}
