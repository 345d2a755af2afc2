import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { nameOfRemote, projectName } from "@treelog/stores"
import { describe, expect, test } from "vitest"
import { temporaryBox } from "./box.js"

test.each([
  ["git@github.com:me/shop.git", "github.com/me/shop"],
  ["https://github.com/me/shop", "github.com/me/shop"],
  ["https://me:secret@GitHub.com/me/shop.git/", "github.com/me/shop"],
  ["https://host:8443/group/sub/shop.git?token=secret", "host/group/sub/shop"],
  ["ssh://git@host:2222/me/shop.git", "host/me/shop"],
  ["host:shop.git", "host/shop"],
  ["git://host/shop", "host/shop"],
  ["/srv/git/shop.git", undefined],
  ["../shop", undefined],
  ["file:///srv/git/shop.git", undefined],
  ["", undefined],
])("the name of the remote %s is %s", (remote, name) => {
  expect(nameOfRemote(remote)).toBe(name)
})

describe("projectName", () => {
  const config =
    '[remote "fork"]\n\turl = git@host:else/where.git\n[remote "origin"]\n\tfetch = +refs/*\n\turl = git@host:me/shop.git\n'

  test("is that of `origin`, in each folder of the repository", () => {
    const box = temporaryBox()
    box.write("shop/.git/config", config)
    mkdirSync(join(box.folder, "shop/src/deep"), { recursive: true })
    expect(["shop", "shop/src/deep"].map((folder) => projectName(join(box.folder, folder)))).toEqual([
      "host/me/shop",
      "host/me/shop",
    ])
  })

  test("is the same in a worktree", () => {
    const box = temporaryBox()
    box.write("shop/.git/config", config)
    box.write("shop/.git/worktrees/side/commondir", "../..\n")
    box.write("side/.git", `gitdir: ${box.folder}/shop/.git/worktrees/side\n`)
    expect(projectName(join(box.folder, "side"))).toBe("host/me/shop")
  })

  test("is none without a repository, without a configuration, and without `origin`", () => {
    const box = temporaryBox()
    mkdirSync(join(box.folder, "bare/.git"), { recursive: true })
    box.write("fork/.git/config", config.replace("origin", "upstream"))
    writeFileSync(join(box.folder, "plain.txt"), "")
    for (const folder of ["nowhere", "bare", "fork", "plain.txt"])
      expect(projectName(join(box.folder, folder))).toBeUndefined()
  })
})
