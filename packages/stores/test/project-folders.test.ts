import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { projectFolders } from "../src/project-folders.js"
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
  const projectOf = projectFolders()
  const projects = (...names: string[]) => names.map((name) => projectOf(at(name))?.slice(box.folder.length + 1))
  expect(projects("shop", "shop/src/gone/deep", "side/src", "shop/.git")).toEqual(["shop", "shop", "shop", "shop"])
  expect(projects("shop/.trees/gone", "shop/lib/src")).toEqual(["shop/.trees/gone", "shop/lib"])
  expect(projects("hidden", "hidden/main", "one")).toEqual(["hidden", "hidden", "bare.git"])
  expect(projects("plain", "gone", "plain/gone/deeper")).toEqual([undefined, undefined, undefined])
  rmSync(at("shop"), { recursive: true })
  expect(projects("shop/src/gone")).toEqual(["shop"])
})

test("a home folder that is a repository is no project of the folders in it, and what is in one there stays", () => {
  const box = temporaryBox()
  box.write("home/.git/config", "")
  box.write("home/shop/.git/config", "")
  symlinkSync(join(box.folder, "home"), join(box.folder, "link"))
  for (const home of ["home", "link"]) {
    const projectOf = projectFolders(join(box.folder, home))
    for (const folder of ["home", "home/notes"]) expect(projectOf(join(box.folder, folder))).toBeUndefined()
    expect(projectOf(join(box.folder, "home/shop/src"))).toBe(join(box.folder, "home/shop"))
  }
})

test("what is no path of this machine is in no project", () => {
  const projectOf = projectFolders()
  for (const cwd of ["", ".", "src", "C:\\shop", "/a\0b", `/${"a/".repeat(100_000)}`, `/${"a".repeat(300)}`])
    expect(projectOf(cwd)).toBeUndefined()
})
