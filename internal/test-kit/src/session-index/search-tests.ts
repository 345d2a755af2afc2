import { equal, failsWith, ok } from "./assert.js"
import { hitsOf, type Tests } from "./fixture.js"
import { assistant, call, compaction, label, named, result, thought, user } from "./samples.js"

export const wordTests: Tests = {
  "finds the texts that contain all words, the newest first": async ({ session, update, finds }) => {
    await session("s1", [user("a", "Fix the flaky retry test"), assistant("b", "The retry waits for a clock now.")])
    await session("s2", [user("c", "The test of the retry is flaky again")])
    await update()
    await finds("retry", ["c", "b", "a"])
    await finds("flaky test", ["c", "a"])
    await finds("flaky clock", [])
  },

  "compares without case, accents and width": async ({ session, update, finds }) => {
    await session("s1", [user("a", "Crème brûlée in the Café"), user("b", "ＦＵＬＬ width"), user("c", "ΣΑΣ")])
    await update()
    for (const [text, id] of [
      ["creme BRULEE", "a"],
      ["café", "a"],
      ["full", "b"],
      ["σας", "c"],
    ] as const)
      await finds(text, [id])
  },

  "finds instructions, reminders and what no user sees only where they are asked for": async ({
    session,
    update,
    finds,
  }) => {
    const hidden = { type: "custom_message", customType: "x", content: "rule one", display: false }
    await session("s1", [
      { ...user("a", ""), message: { role: "system", content: "rule of the system" } },
      user("b", "<system-reminder>rule in a prompt</system-reminder>what I typed <b>"),
      { ...user("c", ""), message: undefined, ...hidden },
      { ...user("d", ""), message: undefined, ...hidden, content: "rule that is shown", display: true },
    ])
    await update()
    await finds("rule", ["d"])
    await finds("typed", ["b"])
    await finds("rule role:other", ["c", "b", "a"])
    await finds("typed role:other", [])
  },

  "finds documents, and what a provider searched and ran by itself, but nothing that is encrypted": async ({
    session,
    update,
    finds,
  }) => {
    const sealed = "c2VhbGVk".repeat(40)
    const blocks = [
      { type: "text", text: "It is so." },
      { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "howlite" } },
      { type: "web_search_tool_result", content: [{ title: "Marble", encrypted_content: sealed }] },
    ]
    const spec = {
      type: "document",
      title: "spec.pdf",
      source: { type: "text", media_type: "text/plain", data: "jasper" },
    }
    const found = { type: "search_result", title: "Basalt", source: "https://rocks.example" }
    await session("s1", [
      { ...user("a", ""), message: { role: "user", content: [spec] } },
      { ...user("b", ""), message: { role: "assistant", content: blocks } },
      { ...user("c", ""), message: { role: "toolResult", toolCallId: "k", toolName: "lookup", content: [found] } },
    ])
    await update()
    for (const [text, id] of [
      ["spec.pdf", "a"],
      ["jasper", "a"],
      ["howlite", "b"],
      ["marble", "b"],
      ["basalt", "c"],
    ] as const)
      await finds(text, [id])
    await finds(sealed, [])
  },

  "finds phrases only where their words follow each other": async ({ session, update, finds }) => {
    await session("s1", [result("a", "bash", "one two\nthree"), result("b", "bash", "two one three")])
    await update()
    await finds('"one two"', ["a"])
    await finds('"two three"', ["a"])
    await finds('"one two" three', ["a"])
    await finds('"three one"', [])
  },

  "finds words that begin or end in a colour of a terminal, and none of what sets it": async ({
    session,
    update,
    finds,
  }) => {
    await session("s1", [
      result("a", "bash", "\x1b[1;32mPASS\x1b[0m \x1b]8;;file:///x\x07src/a.test.ts\x1b]8;;\x07 in \x1b[2m5\x1b[22mms"),
      user("b", "\x1b[1mbold\x1b[0m \x1b[?25hprompt fo\x1b[1mun\x1b[md"),
    ])
    await update()
    await finds("pass", ["a"])
    await finds('"pass src"', ["a"])
    await finds("5ms", ["a"])
    await finds('"bold prompt found"', ["b"])
    for (const hidden of ["32mpass", "0m", "22mms", "file"]) await finds(hidden, [])
  },

  "finds parts of words from three characters on in what was said, and none in results and thoughts": async ({
    session,
    update,
    finds,
  }) => {
    await session("s1", [
      user("a", "the retryPolicy"),
      result("b", "bash", "the retryPolicy"),
      thought("c", "the retryPolicy"),
      call("d", "bash", { command: "grep -r retryPolicy" }),
    ])
    await update()
    await finds("tryPol", ["d", "a"])
    await finds("retrypolicy", ["d", "c", "b", "a"])
    await finds("tr", [])
    await finds("Polic*", ["d", "a"])
    await finds("retr*", ["d", "c", "b", "a"])
  },

  "finds Chinese, Japanese and Korean by one character and more": async ({ session, update, finds }) => {
    await session("s1", [
      user("a", "修复不稳定的重试测试"),
      user("b", "テストを直す"),
      user("c", "재시도 테스트"),
      result("d", "bash", "运行重试测试完成 bug"),
    ])
    await update()
    await finds("重", ["a"])
    await finds("重试", ["d", "a"])
    await finds("重试测", ["d", "a"])
    await finds("bug -重试", [])
    await finds("运试", [])
    await finds("スト", ["b"])
    await finds("도", ["c"])
    await finds("试重", [])
  },

  "leaves out what contains an excluded word or phrase": async ({ session, update, finds }) => {
    await session("s1", [user("a", "retry the build"), user("b", "retry the test"), user("c", "build it")])
    await update()
    await finds("retry -build", ["b"])
    await finds('retry -"the test"', ["a"])
    await finds("role:user -retry", ["c"])
  },

  "finds flags as they were copied, and where only they are asked for, those of one dash too": async ({
    session,
    update,
    finds,
  }) => {
    await session("s1", [
      call("a", "bash", { command: "git commit --no-verify" }),
      call("b", "bash", { command: "git commit; rm -rf dist" }),
    ])
    await update()
    await finds("commit --no-verify", ["a"])
    await finds("--no-verify", ["a"])
    await finds("-rf", ["b"])
    await finds("commit -rf", ["a"])
  },

  "ends words where a script without spaces begins": async ({ session, update, finds }) => {
    await session("s1", [
      user("a", "测试 retry 修复bug了"),
      result("b", "bash", "测试 retry 修复bug了"),
      result("c", "bash", "retry debugging"),
    ])
    await update()
    await finds("bug", ["b", "a"])
    await finds("retry -bug", ["c"])
    await finds("retry -bugs", ["c", "b", "a"])
    await finds('"retry 修复 bug"', ["b", "a"])
    await finds("修复bug", ["b", "a"])
  },

  "finds phrases that begin where a word does, and end within one": async ({ session, update, finds }) => {
    await session("s1", [
      user("a", "重试测试 修复了"),
      user("b", "修复了 重试测试"),
      user("c", "the smart prices"),
      user("d", "prices, and the smart"),
      result("e", "bash", "smart prices"),
    ])
    await update()
    await finds('"试 修"', ["a"])
    await finds('"了 重试"', ["b"])
    await finds('"art prices"', [])
    await finds('"smart pri"', ["c"])
    await finds('"smart pr"', [])
    await finds('"smart prices"', ["e", "c"])
    await finds('"the smart pri"', ["c"])
  },

  "compares line ends as spaces, whatever else a text has": async ({ session, update, finds }) => {
    await session("s1", [user("a", "x = [\n(1"), user("b", "é: x = [\n(1"), user("c", "é: x = [ (1")])
    await update()
    await finds('"[ ("', ["c", "b", "a"])
  },

  "finds a phrase of any length": async ({ session, update, finds }) => {
    const phrases = [
      "один два ".repeat(4_000),
      "a[0] + b[1] ".repeat(3_000),
      "修复重试".repeat(9_000),
      "x".repeat(40_000),
    ]
    await session(
      "s1",
      phrases.flatMap((phrase, at) => [user(`u${at}`, `say ${phrase}!`), result(`r${at}`, "bash", `print ${phrase}!`)]),
    )
    await update()
    for (const [at, phrase] of phrases.entries()) await finds(`"${phrase.trim()}"`, [`r${at}`, `u${at}`])
  },

  "takes whatever is typed as text": async ({ session, update, finds, search }) => {
    await session("s1", [user("a", 'AND OR NOT NEAR(x) ^col: {a b} "q" 50% of_it \\ * (b)'), user("b", "plain")])
    await update()
    for (const text of ["AND", "OR NOT", "NEAR(x)", "^col:", "{a b}", "50%", "of_it", "(b)", "a:b AND", "'; --"])
      ok((await search(text)) !== undefined, `${text} is searched`)
    await finds("NEAR(x)", ["a"])
    await finds("50%", ["a"])
    await finds('"', ["b", "a"])
    await finds("*", ["b", "a"])
  },

  "says what matched, in a part of the text around it": async ({ session, update, search }) => {
    const before = "word ".repeat(200)
    await session("s1", [user("a", `${before}Crème brûlée,\nwell done ${before}`)])
    await update()
    const [hit] = hitsOf(await search("creme done"))
    ok(hit !== undefined, "there is a hit")
    const { text, matches, isCutBefore, isCutAfter } = hit.snippet
    equal(
      matches.map(([from, to]) => text.slice(from, to)),
      ["Crème", "done"],
      "what matched",
    )
    equal([isCutBefore, isCutAfter, text.includes("\n"), text.length < 300], [true, true, false, true], "the snippet")
  },
}

export const filterTests: Tests = {
  "finds texts by who said them": async ({ session, update, finds }) => {
    await session("s1", [
      user("a", "needle"),
      assistant("b", "needle"),
      thought("c", "needle"),
      call("d", "bash", { command: "echo needle", deep: [{ at: "all" }] }),
      result("e", "bash", "needle"),
      compaction("f", "needle"),
      label("g", "a", "needle"),
      named("h", "needle"),
    ])
    await update()
    const byRole = {
      user: "a",
      assistant: "b",
      thinking: "c",
      call: "d",
      result: "e",
      summary: "f",
      label: "a",
      name: "h",
    }
    for (const [role, id] of Object.entries(byRole)) await finds(`role:${role} needle`, [id])
    await finds("role:tool needle", ["e", "d"])
    await finds("role:user role:assistant needle", ["b", "a"])
    await finds("tool:BASH needle", ["e", "d"])
    await finds("label:need", ["a"])
    await finds("role:call all", ["d"])
  },

  "finds texts by time, model, folder, name, session and file": async ({ session, update, finds, index }) => {
    await session("s1", [user("a", "needle"), call("b", "edit", { path: "src/retry.ts", text: "needle" })])
    await session("s2", [user("c", "needle"), named("d", "Flaky retry")], { cwd: "/home/ada/blog" })
    await session("s3", [assistant("e", "needle", { model: "gpt-test", provider: "openai" })])
    await update()
    await finds("needle since:2026-03-03 until:2026-03-03", ["c"])
    await finds("needle until:2026-03-02", ["b", "a"])
    await finds("needle model:GPT", ["e"])
    await finds("needle model:claude", ["b"])
    await finds("needle project:blog", ["c"])
    await finds("needle cwd:/home/ada/blog", ["c"])
    await finds("needle name:flaky", ["c"])
    await finds("needle session:s3", ["e"])
    await finds("needle file:retry.ts", ["b", "a"])
    for (const [file, count] of [
      [["none.ts", "src/retry.ts"], 1],
      [["none.ts"], 0],
      [[], 0],
    ] as const)
      equal((await index.search({ file })).sessions.length, count, "sessions with one of several files")
    await finds("needle file:src/retry.ts", ["b", "a"])
    await finds("needle file:try.ts", [])
  },

  "finds texts of the sessions of an agent that headers name": async ({ session, update, finds }) => {
    await session("s1", [user("a", "needle")], { source: { agent: "codex" } })
    await session("s2", [user("b", "needle")], { source: { agent: "pi" } })
    await session("s3", [user("c", "needle")])
    await update()
    await finds("needle agent:Codex", ["a"])
    await finds("needle agent:code", [])
  },

  "finds all that fits a filter where there is no word": async ({ session, update, finds }) => {
    await session("s1", [user("a", "one"), assistant("b", "two"), user("c", "three")])
    await update()
    await finds("role:user", ["c", "a"])
    await finds("", ["c", "b", "a"])
  },

  "counts an entry without a time in no span": async ({ session, update, finds }) => {
    await session("s1", [user("a", "needle", { timestamp: "no time" }), user("b", "needle")])
    await update()
    await finds("needle since:2020", ["b"])
    await finds("needle", ["b", "a"])
  },
}

export const resultTests: Tests = {
  "groups hits by session, in the order of the first hit of each": async ({ session, update, search }) => {
    await session("s1", [user("a", "needle"), user("b", "needle", { timestamp: "2026-06-01T00:00:00.000Z" })])
    await session("s2", [user("c", "needle")])
    await update()
    const { sessions } = await search("needle")
    equal(
      sessions.map(({ session: { id, cwd }, hits }) => [id, cwd, hits.map(({ entryId }) => entryId)]),
      [
        ["s1", "/home/ada/shop", ["b", "a"]],
        ["s2", "/home/ada/shop", ["c"]],
      ],
      "the hits by session",
    )
  },

  "gives no more than the limit, and says whether there are more": async ({
    session,
    update,
    finds,
    search,
    index,
  }) => {
    await session("s1", [user("a", "needle"), user("b", "needle"), user("c", "needle")])
    await update()
    await finds("needle", ["c", "b"], { limit: 2 })
    equal(
      [(await search("needle", { limit: 2 })).isMore, (await search("needle", { limit: 3 })).isMore],
      [true, false],
      "isMore",
    )
    await failsWith("InvalidArgumentError", index.search({ limit: 0 }), "a limit of 0")
  },

  "shows what forks share once, in the oldest session that fits": async ({ session, update, search }) => {
    const shared = user("a", "needle", { timestamp: "2026-03-02T09:05:00.000Z" })
    await session("s1", [shared, user("b", "needle")])
    await session("s2", [shared, user("c", "needle")], { cwd: "/home/ada/blog", parentSession: "s1" })
    await update()
    const idsBySession = async (text: string) =>
      (await search(text)).sessions.map(({ session: { id }, hits }) => [id, hits.map(({ entryId }) => entryId)])
    equal(
      await idsBySession("needle"),
      [
        ["s2", ["c"]],
        ["s1", ["a", "b"]],
      ],
      "the hits of all sessions",
    )
    equal(await idsBySession("needle project:blog"), [["s2", ["c", "a"]]], "those of the fork")
  },

  "finds entries of one id and time that say something else": async ({ session, update, search }) => {
    const timestamp = "2026-03-02T09:05:00.000Z"
    await session("s1", [user("a", "needle of mine", { timestamp })])
    await session("s0", [user("a", "needle of another", { timestamp })], { timestamp: "2001-01-01T00:00:00.000Z" })
    await update()
    const idsOf = async (text: string) => (await search(text)).sessions.map(({ session: { id } }) => id).sort()
    equal([await idsOf("needle"), await idsOf("mine")], [["s0", "s1"], ["s1"]], "the sessions")
  },

  "finds one text of each session on request, also of forks": async ({ session, update, search }) => {
    const shared = user("a", "needle", { timestamp: "2026-03-02T09:05:00.000Z" })
    await session("s1", [shared, user("b", "needle", { timestamp: "2026-03-02T09:06:00.000Z" }), user("c", "hay")])
    await session("s2", [shared, user("d", "hay")], { parentSession: "s1" })
    await session("s3", [user("e", "hay")])
    await update()
    const found = await search("needle", { distinct: "session" })
    equal(
      found.sessions.map(({ session: { id }, hits }) => [id, hits.map(({ entryId }) => entryId)]),
      [
        ["s1", ["b"]],
        ["s2", ["a"]],
      ],
      "the newest hit of each session",
    )
    equal((await search("needle", { distinct: "session", limit: 1 })).isMore, true, "isMore")
    equal((await search("needle", { distinct: "session", limit: 2 })).isMore, false, "isMore of both")
  },

  "sorts by relevance on request": async ({ session, update, search }) => {
    await session("s1", [user("a", "needle needle needle"), user("b", `needle ${"hay ".repeat(200)}`)])
    await update()
    equal(
      hitsOf(await search("needle", { sort: "relevance" })).map(({ entryId }) => entryId),
      ["a", "b"],
      "the order",
    )
  },

  "fails once it is closed": async ({ index }) => {
    await index.close()
    const attempts = [index.update(), index.search({}), index.usage({}), index.files({ path: "a" })]
    for (const attempt of attempts) await failsWith("IndexUnavailableError", attempt, "a closed index")
  },
}

/** Of an index whose data outlive it. */
export const reopenTests: Tests = {
  "answers the next process from what it has": async ({ session, update, reopen, index }) => {
    await session("s1", [user("a", "needle")])
    await update()
    await index.close()
    const again = await reopen()
    equal(
      hitsOf(await again.search({ terms: [{ text: "needle" }] })).map(({ entryId }) => entryId),
      ["a"],
      "the hits",
    )
    equal((await again.update()).read, 0, "how many sessions were read again")
  },
}
