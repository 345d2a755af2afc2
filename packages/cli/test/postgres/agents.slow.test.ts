import {
  assistantMessage,
  claudeFile,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { databaseScene } from "./database-box.js"

const scene = databaseScene()
const CLAUDE = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }

test("the sessions of a database are those of the agents that made them: in lists, searches and sums", async () => {
  const box = scene.machine()
  const { files } = box
  const answer = messageEntry("a", "u", assistantMessage("in pi", { usage: USAGE as never }))
  const pi = sessionText(testHeader({ id: "pi", cwd: files.project }), userEntry("u", null, "a lamp for pi"), answer)
  files.write(".pi/agent/sessions/--x--/2026-03-07T14-00-00-000Z_pi.jsonl", pi)
  const folder = `.claude/projects/${files.project.replace(/[^a-zA-Z0-9]/g, "-")}`
  files.write(`${folder}/${CLAUDE}.jsonl`, claudeFile(CLAUDE, files.project, "the lamp is green"))
  const bundle = await files.run(["bundle", "--all", "-o", "../all.tgz"], { env: { USER: "ada" } })
  expect(bundle.code, bundle.stderr).toBe(0)
  await box.print("import", "../all.tgz")
  await box.store([userEntry("own", null, "a lamp of treelog")], "own")

  const json = async (...argv: string[]) => (await box.run([...argv, "--all", "--json"])).json
  const listed = (await json("list")).map(({ id, agent, person }) => [id, agent, person])
  expect(listed.sort()).toEqual([
    [CLAUDE, "claude-code", "ada"],
    ["own", undefined, undefined],
    ["pi", "pi", "ada"],
  ])
  for (const [agent, id] of [
    ["pi", "pi"],
    ["claude-code", CLAUDE],
    ["treelog", "own"],
  ] as const) {
    expect((await json("list", "--agent", agent)).map((one) => one.id)).toEqual([id])
    for (const search of [[`lamp agent:${agent}`], ["lamp", "--agent", agent]]) {
      const hits = (await json("search", ...search)) as { session?: { id: string } }[]
      expect([...new Set(hits.map(({ session }) => session?.id))]).toEqual([id])
    }
  }
  const keys = async (...argv: string[]) =>
    ((await json("stats", ...argv)) as { rows: { key: string }[] }[])
      .flatMap(({ rows }) => rows)
      .map(({ key }) => key)
      .sort()
  expect(await keys("--by", "agent")).toEqual(["claude-code", "pi"])
  expect(await keys("--by", "agent", "--agent", "pi")).toEqual(["pi"])
  expect(await keys("--by", "person")).toEqual(["ada"])
})
