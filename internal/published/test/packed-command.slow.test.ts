import { mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { RUNTIMES } from "@treelog-internal/test-kit/runtimes"
import { describe, test } from "vitest"
import { installedPackages } from "../src/installed-packages.js"
import { PNPM, packedPackage } from "../src/packed-packages.js"
import { emptyProject, type InstallOptions, install, type Manager } from "../src/project.js"
import { runAtHome } from "../src/run-at-home.js"
import { removeFoldersAfterAll } from "../src/temporary-folder.js"

removeFoldersAfterAll()

const CLI = "@treelog/cli"

async function installed(manager: Manager, options: InstallOptions) {
  const folder = await emptyProject()
  await install(folder, manager, [CLI], options)
  const command = join(folder, "node_modules", ".bin", "treelog")
  return { folder, treelog: (...args: string[]) => runAtHome(folder, command, args) }
}

/** An empty database in the home folder `home`. */
async function makeHistory(home: string): Promise<void> {
  const agent = join(home, ".treelog", "agent")
  await mkdir(agent, { recursive: true })
  await writeFile(join(agent, "history.db"), "")
}

/** What npm has to say of its settings is no business of ours. */
const printsVersion = async () => ({ code: 0, stdout: `${(await packedPackage(CLI)).version}\n` })

describe.concurrent("the command, installed by npm without what is optional", () => {
  let made: ReturnType<typeof installed> | undefined
  const project = () => {
    made ??= installed("npm", { withoutOptional: true })
    return made
  }

  test("comes without SQLite, and compiles nothing.", async ({ expect }) => {
    const packages = await installedPackages((await project()).folder)
    expect(packages.filter(({ name, runsWhenInstalled }) => runsWhenInstalled || /sqlite3/.test(name))).toEqual([])
  })

  test("is found by npx.", async ({ expect }) => {
    const { folder } = await project()
    const ran = await runAtHome(folder, "npx", ["--no-install", "treelog", "--version"])
    expect(ran).toMatchObject(await printsVersion())
  })

  test("says its version and its help.", async ({ expect }) => {
    const { treelog } = await project()
    expect(await treelog("--version")).toEqual({ ...(await printsVersion()), stderr: "" })
    const help = await treelog("--help")
    expect(help).toMatchObject({ code: 0, stderr: "" })
    expect(help.stdout).toMatch(/^List, read, search.*\nfind +list /)
  })

  test("writes a session, lists, shows, checks and exports it.", async ({ expect }) => {
    const { treelog } = await project()
    expect((await treelog("new", "--name", "Audit")).code).toBe(0)
    expect((await treelog("append", "@last", "--role", "user", "--text", "Hi")).code).toBe(0)
    for (const [args, says] of [
      [["list"], /1 +pending +Audit\n$/],
      [["list", "--json"], /^\{"v":1,.*"name":"Audit".*\}\n$/],
      [["show"], /^Audit .*\buser\b.*\n {2}Hi\n$/s],
      [["tree"], /user {2}Hi {2}← leaf\n$/],
      [["context"], /^model .*\n {2}Hi\n$/s],
      [["stats", "--disk"], /\(1 session\)$/m],
      [["export", "--format", "md"], /^# Audit\n.*\nHi\n$/s],
      [["export", "--format", "html"], /<title>Audit<\/title>/],
    ] as const) {
      const { code, stdout, stderr } = await treelog(...args)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" })
      expect(stdout).toMatch(says)
    }
    expect(await treelog("verify")).toMatchObject({ code: 0, stderr: expect.stringContaining("no damage") })
    expect(await treelog("scan")).toMatchObject({ code: 0, stderr: expect.stringContaining("looks like a secret") })
  })

  test("says in one line what its history needs on Node 20, and ends with 1.", async ({ expect, skip }) => {
    if (isBuiltin("node:sqlite")) skip("this Node includes SQLite")
    const { folder, treelog } = await project()
    await makeHistory(folder)
    const line =
      /^The prompts of treelog cannot be read: The prompt history needs better-sqlite3, which is not installed\. Run: npm install better-sqlite3@12, or use Node 22\.13 or newer, which includes SQLite\n/
    expect(await treelog("search", "--prompts", "flaky")).toEqual({
      ...{ code: 1, stdout: "", stderr: expect.stringMatching(line) },
    })
    const { code, stderr } = await treelog("search", "--prompts", "flaky", "--json")
    const [warned = ""] = stderr.split("\n")
    expect({ code, warning: JSON.parse(warned).warning }).toMatchObject({
      code: 1,
      warning: { code: "HistoryUnavailableError", data: { reason: "not-installed" } },
    })
  })

  test("finds prompts with the SQLite that Node includes.", async ({ expect, skip }) => {
    const [{ name, binary } = { name: "Node 22", binary: undefined }] = RUNTIMES
    if (binary === undefined) return skip(`no binary of ${name} comes from npm for this machine`)
    const { folder } = await project()
    const home = await mkdtemp(join(folder, "home-"))
    const prompts = (...args: string[]) =>
      runAtHome(home, binary, [join(folder, "node_modules/@treelog/cli/dist/main.js"), "search", "--prompts", ...args])
    await makeHistory(home)
    expect(await prompts("laky")).toMatchObject({ code: 6, stdout: "" })
    await mkdir(join(home, ".codex", "sessions"), { recursive: true })
    await writeFile(join(home, ".codex", "history.jsonl"), '{"session_id":"s","ts":1,"text":"Fix the flaky test"}\n')
    expect(await prompts("laky", "--all")).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/Fix the flaky test\n$/) },
    })
  })
})

describe("the command, installed by pnpm, which compiles nothing unless asked to", () => {
  test("is found by pnpm exec, says in one line what its history needs on Node 20, and uses the SQLite of newer Node and Bun.", async ({
    expect,
  }) => {
    const { folder } = await installed("pnpm", {})
    const found = await runAtHome(folder, process.execPath, [PNPM, "exec", "treelog", "--version"])
    expect(found).toMatchObject(await printsVersion())
    const prompts = (binary: string) =>
      runAtHome(folder, binary, ["node_modules/@treelog/cli/dist/main.js", "search", "--prompts", "--all", "Hi"])
    await makeHistory(folder)
    if (!isBuiltin("node:sqlite"))
      expect(await prompts(process.execPath)).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/ does not load here \(.*\)\. Run: .* pnpm approve-builds, or use Node 22/),
      })
    for (const { binary } of RUNTIMES)
      if (binary !== undefined)
        expect(await prompts(binary)).toEqual({
          code: 6,
          stdout: "",
          stderr: expect.not.stringContaining("cannot be read"),
        })
  })
})
