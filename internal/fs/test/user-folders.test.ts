import { homedir } from "node:os"
import { join } from "node:path"
import { absoluteFolder } from "@treelog-internal/fs"
import { expect, test } from "vitest"

test("~ is the folder of HOME, and where that is not set the user's own, never a folder of that name", () => {
  expect(absoluteFolder({ cwd: "/work", env: { HOME: "/home/ada" } }, "~/a")).toBe("/home/ada/a")
  expect(absoluteFolder({ cwd: "/work", env: {} }, "~/a")).toBe(join(homedir(), "a"))
  expect(absoluteFolder({ cwd: "/here", env: {} }, "a")).toBe("/here/a")
})
