import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type DatabaseBox, databaseScene } from "./database-box.js"

const { machine } = databaseScene()
const ORIGIN = "https://me:canary-of-the-remote@github.com/me/shop.git"

/** A machine whose project is a clone of a repository. */
function clone(url: string, env: object = {}): DatabaseBox {
  const box = machine(env)
  mkdirSync(join(box.files.project, ".git"))
  writeFileSync(join(box.files.project, ".git/config"), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`)
  return box
}

test("a project of two machines is one, whatever its folders are called", async () => {
  const [here, there, elsewhere] = [
    clone(ORIGIN),
    clone("git@github.com:me/shop.git"),
    clone("git@github.com:me/other.git"),
  ]
  await here.print("new", "--id", "from-here", "--name", "Here")
  await there.print(
    "append",
    (await there.print("new", "--id", "from-there")).split("  ")[0] ?? "",
    "--role",
    "user",
    "--text",
    "There",
  )
  await elsewhere.print("new", "--id", "from-elsewhere")
  for (const box of [here, there]) {
    const { json } = await box.run(["list", "--json"])
    expect(json.map(({ id, path }) => [id, path]).sort()).toEqual([
      ["from-here", "pg:@github.com/me/shop/from-here"],
      ["from-there", "pg:@github.com/me/shop/from-there"],
    ])
  }
  expect(await here.print("show", "from-there")).toContain("There")
  expect(await there.print("name", "Here")).toBe("Here")
  expect(await here.print("resume", "--query", "there", "--print", "id", "--no-input")).toBe("from-there")
  expect(await elsewhere.print("resume", "--last", "--print", "id")).toBe("from-elsewhere")
  expect(await here.print("list", "--all")).toContain("from-els")
})

test("copied and imported sessions are of their project, too; no key of a user is stored", async () => {
  const [here, there] = [clone(ORIGIN.replace("shop", "copied")), clone("ssh://git@GitHub.com:22/me/copied")]
  here.files.store([userEntry("one", null)], { id: "copied" })
  await here.print("import", "--from", "../agent", "--all")
  await here.print("import", here.files.store([userEntry("one", null)], { id: "imported" }))
  const { stdout, json } = await there.run(["list", "--json"])
  expect(json.map(({ id }) => id).sort()).toEqual(["copied", "imported"])
  expect(stdout).not.toContain("canary-of-the-remote")
})

test("forks of a session from another machine stay in its project", async () => {
  const [here, there] = [clone("git@github.com:me/forked.git"), clone("git@github.com:me/forked.git")]
  await here.print("new", "--id", "source")
  const entry = await here.print("append", "source", "--role", "user", "--text", "One")
  const second = await here.print("append", "source", "--role", "user", "--text", "Two")
  // The folder of the first machine is not on the second one.
  rmSync(here.files.project, { recursive: true })
  const forks = [
    await there.print("fork", "source", "--leaf", entry),
    await there.print("fork", "source", "--before", second),
  ]
  for (const fork of forks) expect(fork).toContain("pg:@github.com/me/forked/")
  expect((await there.run(["list", "--json"])).json).toHaveLength(3)
})

test("a list of a project without sessions says where it looked", async () => {
  expect((await clone("git@github.com:me/empty.git").run(["list"])).stderr).toMatch(
    /^There is no session of \S+ in postgres:\/\/\S+; --all looks in every folder/,
  )
})

test("sessions of a folder without a remote are found by all spellings of it, also those of a worktree that is gone", async () => {
  const box = machine()
  const { project } = box.files
  const link = `${project}-link`
  symlinkSync(project, link)
  mkdirSync(join(project, ".git"))
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n")
  mkdirSync(join(project, "src"))
  const cwds = {
    "by-path": project,
    "by-link": link,
    "by-dots": `${project}/src/..`,
    "in-folder": join(project, "src"),
    "in-worktree": `${project}.worktrees/gone`,
  }
  for (const [id, cwd] of Object.entries(cwds))
    await box.print("import", box.files.store([userEntry("one", null)], { id, cwd }))
  await box.print("import", box.files.store([userEntry("one", null)], { id: "beside", cwd: `${project}-beside` }))
  const idsOf = async (...argv: string[]) =>
    (await box.run(["list", "--json", ...argv])).json.map(({ id }) => id).sort()
  const ids = Object.keys(cwds).sort()
  expect(await idsOf()).toEqual(ids)
  expect(await idsOf("--cwd", link)).toEqual(ids)
  expect((await idsOf("-n", "3")).every((id) => ids.includes(String(id)))).toBe(true)
  expect(await box.print("new")).not.toContain("pg:@")
})

test("sessions of a folder of Windows are found by its other spellings", async () => {
  const box = machine()
  const id = "of-windows"
  await box.print("import", box.files.store([userEntry("one", null)], { id, cwd: "C:\\me\\shop-of-windows" }))
  for (const cwd of ["c:/me/Shop-of-Windows/", "/mnt/c/me/shop-of-windows", "\\\\?\\C:\\me\\shop-of-windows"])
    expect([cwd, (await box.run(["list", "--json", "--cwd", cwd])).json]).toMatchObject([cwd, [{ id }]])
})
