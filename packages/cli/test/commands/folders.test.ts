import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { assistantMessage, messageEntry, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { sandbox } from "../sandbox.js"
import { answerOf, listOf, viewed } from "../viewed.js"

const WINDOWS = "C:\\Users\\me\\shop"
const SPELLINGS = [
  WINDOWS,
  "c:\\users\\ME\\shop\\",
  "C:/Users/me/shop",
  "/mnt/c/Users/me/shop",
  "\\\\?\\C:\\Users\\me\\shop",
]

function editEntry(id: string, path: string): object {
  return messageEntry(
    id,
    null,
    assistantMessage("", { content: [{ type: "toolCall", id, name: "edit", arguments: { path } }] }),
  )
}

describe("the spellings of a folder of Windows", () => {
  function windowsBox() {
    const box = sandbox()
    for (const [at, cwd] of SPELLINGS.entries())
      box.store([editEntry(`call${at}`, `${cwd.replace(/\\$/, "")}/src/retry.ts`)], { id: `spelled${at}`, cwd })
    box.store([userEntry("a", null)], { id: "below", cwd: `${WINDOWS}\\packages` })
    return box
  }
  const ids = ({ json }: { readonly json: readonly Record<string, unknown>[] }) => json.map(({ id }) => id).sort()
  const all = SPELLINGS.map((_, at) => `spelled${at}`)

  test("are one folder for lists, groups, sums and resume", async () => {
    const box = windowsBox()
    for (const cwd of [...SPELLINGS, "file:///c%3A/Users/me/shop"])
      expect(ids(await box.run(["list", "--json", "--cwd", cwd]))).toEqual(all)
    const groups = await box.print("list", "--all", "--group")
    expect(groups.match(/^C:\\Users\\me\\shop {2}5 sessions$/m)).not.toBeNull()
    expect(await box.print("resume", "--last", "--print", "id", "--cwd", "/c/users/me/shop")).toMatch(/^spelled/)
    expect((await box.run(["search", "cwd:/mnt/c/users/me/shop", "edit", "--json"])).json).toHaveLength(5)
  })

  test("are found by the path of a file, by any of its ends", async () => {
    const box = windowsBox()
    for (const path of [
      "src/retry.ts",
      "SRC\\Retry.ts",
      `${WINDOWS}\\src\\retry.ts`,
      "/mnt/c/Users/me/shop/src/retry.ts",
    ])
      expect((await box.run(["files", path, "--all", "--json"])).json).toHaveLength(5)
  })

  test("are moved and mapped together, with what is below them", async () => {
    const box = windowsBox()
    const { json } = await box.run(["relocate", "--from", WINDOWS, "--to", "/home/me/shop", "--json"])
    expect(json.map(({ to }) => to).sort()).toEqual([...Array(5).fill("/home/me/shop"), "/home/me/shop/packages"])
    const home = await box.run(["relocate", "--from", "/home/me", "--to", "D:\\me", "--json"])
    expect(home.code).toBe(3)
  })
})

test("a project is the same by whichever link it is entered, and by `~`", async () => {
  const box = sandbox()
  mkdirSync(join(box.folder, "data/shop"), { recursive: true })
  symlinkSync("data/shop", join(box.folder, "shop"))
  const [link, real] = [join(box.folder, "shop"), join(box.folder, "data/shop")]
  box.store([userEntry("a", null)], { id: "by-link", cwd: link })
  box.store([userEntry("b", null)], { id: "by-path", cwd: real })
  for (const cwd of [link, real, "~/shop", `${real}/../shop/`])
    expect((await box.run(["list", "--json", "--cwd", cwd])).json).toHaveLength(2)
  expect(await box.print("list", "--all", "--group")).toContain("~/data/shop  2 sessions")
  const { json } = await box.run(["relocate", "--from", link, "--to", real, "--json"])
  expect(json.map(({ id }) => id)).toEqual(["by-link"])
})

test("a worktree that is gone belongs to the repository that its session names", async () => {
  const box = sandbox()
  box.write("project/.git/config", '[remote "origin"]\n\turl = git@example.com:acme/shop.git\n')
  const store = (id: string, repository: string) =>
    box.store([userEntry(id, null)], { id, cwd: join(box.folder, id), source: { agent: "codex", repository } })
  store("by-folder", box.project)
  store("by-remote", "https://example.com/acme/shop.git")
  store("of-another", "https://example.com/acme/other.git")
  const ids = (await box.run(["list", "--json"])).json.map(({ id }) => id)
  expect(ids.sort()).toEqual(["by-folder", "by-remote"])
  const { json } = await box.run(["search", "role:user", "--json"])
  expect(json.length).toBeGreaterThan(0)
  expect(await box.print("list", "--all", "--group")).toMatch(/^~\/project {2}2 sessions$/m)
  expect(await box.print("list", "--all", "--group")).toMatch(/^example\.com\/acme\/other {2}1 session$/m)
})

test("the page sums the usage of a worktree that is gone with that of its repository, as the list names it", async () => {
  const box = sandbox()
  box.write("project/.git/config", "")
  const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 12 }
  const reply = (id: string) => [messageEntry(id, null, assistantMessage("Yes", { usage }))]
  box.store(reply("here"), { id: "here" })
  const source = { agent: "codex", repository: box.project }
  box.store(reply("gone"), { id: "gone", cwd: join(box.folder, "gone"), source })
  const sums: unknown[] = []
  const projects = new Set<unknown>()
  await viewed(box, ["--no-open"], async (url) => {
    const { rows } = await answerOf<{ rows: { key: string; totals: { calls: number } }[] }>(url, "usage?by=project")
    for (const { key, totals } of rows) sums.push([key, totals.calls])
    for (const { project } of await listOf(url)) projects.add(project)
  })
  expect(sums).toEqual([[box.project, 2]])
  expect([...projects]).toEqual([box.project])
})
