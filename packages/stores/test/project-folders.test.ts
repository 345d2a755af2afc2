import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { ProjectFolders } from "@treelog/stores"
import { expect, test } from "vitest"
import { temporaryBox } from "./box.js"

test("the folders, worktrees and deleted folders of a repository are its project, and a submodule, a bare repository and no repository are not", () => {
  const box = temporaryBox()
  const at = (name: string): string => join(box.folder, name)
  box.write("shop/.git/config", "")
  box.write("shop/.git/worktrees/side/commondir", "../..\n")
  box.write("side/.git", `gitdir: ${at("shop/.git/worktrees/side")}\n`)
  box.write("shop/.trees/gone/.git", `gitdir: ${at("shop/.git/worktrees/gone")}\n`)
  box.write("shop/lib/.git", "gitdir: ../.git/modules/lib\n")
  box.write("hidden/.bare/worktrees/main/commondir", "../..\n")
  box.write("hidden/.git", "gitdir: ./.bare\n")
  box.write("hidden/main/.git", `gitdir: ${at("hidden/.bare/worktrees/main")}\n`)
  box.write("bare.git/worktrees/one/commondir", "../..\n")
  box.write("one/.git", `gitdir: ${at("bare.git/worktrees/one")}\n`)
  mkdirSync(at("plain"))
  const folders = new ProjectFolders()
  const projects = (...names: string[]) => names.map((name) => folders.nameOf(at(name)).slice(box.folder.length + 1))
  expect(projects("shop", "shop/src/gone/deep", "side/src", "shop/.git")).toEqual(["shop", "shop", "shop", "shop"])
  expect(projects("shop/.trees/gone", "shop/lib/src")).toEqual(["shop/.trees/gone", "shop/lib"])
  expect(projects("hidden", "hidden/main", "one")).toEqual(["hidden", "hidden", "bare.git"])
  expect(projects("plain", "gone", "plain/gone/deeper")).toEqual(["plain", "gone", "plain/gone/deeper"])
  rmSync(at("shop"), { recursive: true })
  expect(projects("shop/src/gone")).toEqual(["shop"])
})

test("a home folder that is a repository is no project of the folders in it, and what is in one there stays", () => {
  const box = temporaryBox()
  box.write("home/.git/config", "")
  box.write("home/shop/.git/config", "")
  symlinkSync(join(box.folder, "home"), join(box.folder, "link"))
  for (const home of ["home", "link"]) {
    const folders = new ProjectFolders({ home: join(box.folder, home) })
    for (const name of ["home", "home/notes"])
      expect(folders.nameOf(join(box.folder, name))).toBe(join(box.folder, name))
    expect(folders.nameOf(join(box.folder, "home/shop/src"))).toBe(join(box.folder, "home/shop"))
  }
})

test("what is no path of this machine is what its spelling means", () => {
  const folders = new ProjectFolders({ platform: "linux" })
  for (const cwd of ["", ".", "src", "/a\0b", `/${"bb/".repeat(100_000)}b`, `/${"a".repeat(300)}`])
    expect(folders.nameOf(cwd)).toBe(cwd)
  for (const cwd of [
    "C:\\Users\\me\\shop",
    "/mnt/c/Users/me/shop/",
    "\\\\?\\c:\\users\\ME\\shop",
    "file:///c%3A/Users/me/shop",
  ])
    expect(folders.nameOf(cwd)).toBe("c:/users/me/shop")
  expect(folders.titleOf("C:\\Users\\me\\shop")).toBe("C:\\Users\\me\\shop")
  expect(new ProjectFolders({ platform: "linux" }).titleOf("/mnt/c/Users/me/shop")).toBe("C:\\Users\\me\\shop")
  expect(new ProjectFolders({ platform: "win32" }).nameOf("/home/me/shop")).toBe("/home/me/shop")
})

test("a folder is one by whichever link it is entered, also where a folder below it is gone", () => {
  const box = temporaryBox()
  const at = (name: string): string => join(box.folder, name)
  mkdirSync(at("data/shop"), { recursive: true })
  box.write("data/repo/.git/config", "")
  symlinkSync(at("data/shop"), at("shop"))
  symlinkSync("data/repo", at("repo"))
  symlinkSync("repo", at("again"))
  const folders = new ProjectFolders()
  expect(["shop", "data/shop", "shop/."].map((name) => folders.nameOf(at(name)))).toEqual(
    Array(3).fill(at("data/shop")),
  )
  expect(folders.nameOf(at("shop/gone"))).toBe(at("data/shop/gone"))
  expect(["repo", "again/src/gone", "data/repo"].map((name) => folders.nameOf(at(name)))).toEqual(
    Array(3).fill(at("data/repo")),
  )
})

test("a worktree that is gone belongs to the repository that git, its layout or the session's program names", () => {
  const box = temporaryBox()
  const at = (name: string): string => join(box.folder, name)
  box.write("shop/.git/config", '[remote "origin"]\n\turl = git@example.com:acme/shop.git\n')
  box.write("shop/.git/worktrees/pruned-not/gitdir", `${at("kept/pruned-not/.git")}\n`)
  box.write("shop/.git/worktrees/broken/gitdir", "")
  const folders = new ProjectFolders()
  const projectOf = (name: string, noted?: string) => folders.nameOf(at(name), () => noted)
  expect(projectOf("gone", at("shop"))).toBe(at("shop"))
  expect(projectOf("gone/packages/api", at("shop/src"))).toBe(at("shop"))
  expect(projectOf("elsewhere", "https://me@example.com/acme/shop")).toBe(at("shop"))
  expect(projectOf("kept/pruned-not/src")).toBe(at("shop"))
  expect(projectOf("shop.worktrees/side/src")).toBe(at("shop"))
  expect(projectOf("shop-worktrees/side")).toBe(at("shop"))
  expect(projectOf("shop/.claude/worktrees/inner")).toBe(at("shop"))
  expect(projectOf("gone")).toBe(at("gone"))
  expect(projectOf("gone", "git@example.com:acme/other.git")).toBe("example.com/acme/other")
  expect(projectOf("gone", "no address")).toBe(at("gone"))
})

test("what a program noted of a folder that is there, and in no repository, does not move it", () => {
  const box = temporaryBox()
  box.write("shop/.git/config", "")
  mkdirSync(join(box.folder, "plain"))
  const folders = new ProjectFolders()
  expect(folders.nameOf(join(box.folder, "plain"), () => join(box.folder, "shop"))).toBe(join(box.folder, "plain"))
})

test("an empty folder .git, as sandboxes leave it, is no repository", () => {
  const box = temporaryBox()
  for (const name of [".git", "shop"]) mkdirSync(join(box.folder, name))
  const { nameOf } = new ProjectFolders()
  expect(nameOf(join(box.folder, "shop"))).toBe(join(box.folder, "shop"))
})
