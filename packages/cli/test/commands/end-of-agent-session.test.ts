import { existsSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { claudeTurns } from "@treelog-internal/test-kit/claude-code"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"

/** A session of Claude Code of an hour ago, with two compactions and some turns behind the last one. */
function withClaudeSession(): Sandbox {
  const box = sandbox()
  const lines: string[] = []
  let compactions = 0
  for (const line of claudeTurns(7, 1, 6)) {
    compactions += line.includes('"compact_boundary"') ? 1 : 0
    if (compactions > 2) break
    lines.push(line)
  }
  const path = box.write(`.claude/projects/-home-ada-shop/${ID}.jsonl`, `${lines.join("\n")}\n`)
  const hourAgo = (Date.now() - 3_600_000) / 1000
  utimesSync(path, hourAgo, hourAgo)
  return box
}

const isConverted = ({ cacheDir }: Sandbox): boolean => existsSync(join(cacheDir, "agents", "claude-code", "converted"))

test("The context of a session of Claude Code, and its last messages, are those of the whole, which is not converted for them.", async () => {
  const box = withClaudeSession()
  const context = await box.run(["context", ID, "--json"])
  const last = await box.run(["show", ID, "--tail", "3", "--json"])
  expect([context.code, last.code]).toEqual([0, 0])
  expect(isConverted(box)).toBe(false)
  const whole = await box.run(["show", ID, "--json"])
  expect([whole.code, isConverted(box)]).toEqual([0, true])
  expect((await box.run(["context", ID, "--json"])).stdout).toBe(context.stdout)
  expect((await box.run(["show", ID, "--tail", "3", "--json"])).stdout).toBe(last.stdout)
  const messages = (text: string) =>
    (JSON.parse(text).items as { entry: { id: string; message?: unknown } }[]).flatMap(({ entry }) =>
      entry.message ? [[entry.id, entry.message]] : [],
    )
  const ends = messages(last.stdout)
  expect(ends).not.toEqual([])
  expect(messages(whole.stdout).slice(-ends.length)).toEqual(ends)
})

test("What is printed above the last messages names the session and its agent, and no sum of what was not read.", async () => {
  const box = withClaudeSession()
  const { stdout } = await box.run(["show", ID, "--tail", "2"])
  expect(stdout.split("\n")[0]).toMatch(
    new RegExp(`^(?:.* · )?${ID} · /home/ada/shop.* · claude-code · the last \\d+ entr(?:y|ies)$`),
  )
})
