import { isInPromptScope } from "@treelog/history-sqlite"
import { expect, test } from "vitest"

test("a prompt is of a folder by any of its spellings, and of a repository by any of its root", () => {
  const folder = { kind: "cwd", cwd: "C:\\Users\\me\\shop" } as const
  const repository = { kind: "repository", roots: [folder.cwd] } as const
  for (const cwd of ["c:/users/ME/shop", "/mnt/c/Users/me/shop"]) {
    expect(isInPromptScope(folder, { cwd })).toBe(true)
    expect(isInPromptScope(repository, { cwd: `${cwd}/src` })).toBe(true)
  }
  expect(isInPromptScope(folder, { cwd: "/mnt/c/Users/me/shop2" })).toBe(false)
  expect(isInPromptScope(repository, { cwd: "/mnt/c/Users/me/shop2" })).toBe(false)
})
