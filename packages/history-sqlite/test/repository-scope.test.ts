import { execFileSync } from "node:child_process"
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repositoryScope } from "@treelog/history-sqlite"
import { expect, it } from "vitest"
import { tempFolder } from "./temp-folder.js"

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd, stdio: "pipe" })

function repository(folder: string): string {
  mkdirSync(join(folder, "src", "deep"), { recursive: true })
  git(folder, "init", "-q")
  git(folder, "commit", "-q", "--allow-empty", "-m", "first")
  return folder
}

it("is the root and every worktree, from whichever of them", async () => {
  const base = realpathSync(tempFolder())
  const main = repository(join(base, "main"))
  git(main, "worktree", "add", "-q", join(base, "feature"))
  git(main, "worktree", "add", "-q", join(base, "fix"))
  const expected = { kind: "repository", roots: [join(base, "feature"), join(base, "fix"), main] }
  for (const cwd of [main, join(main, "src", "deep"), join(base, "fix")])
    expect(await repositoryScope(cwd)).toEqual(expected)
})

it("is the folder alone outside of any repository", async () => {
  const folder = tempFolder()
  expect(await repositoryScope(folder)).toEqual({ kind: "cwd", cwd: folder })
})

it("is the worktrees of a bare repository", async () => {
  const base = realpathSync(tempFolder())
  const main = repository(join(base, "main"))
  git(base, "clone", "-q", "--bare", main, "bare.git")
  git(join(base, "bare.git"), "worktree", "add", "-q", join(base, "work"))
  expect(await repositoryScope(join(base, "work"))).toEqual({ kind: "repository", roots: [join(base, "work")] })
})

it("is the submodule within a repository that has one", async () => {
  const base = realpathSync(tempFolder())
  const main = repository(join(base, "main"))
  mkdirSync(join(main, "sub"))
  mkdirSync(join(main, ".git", "modules", "sub"), { recursive: true })
  writeFileSync(join(main, "sub", ".git"), "gitdir: ../.git/modules/sub\n")
  expect(await repositoryScope(join(main, "sub"))).toEqual({ kind: "repository", roots: [join(main, "sub")] })
})
