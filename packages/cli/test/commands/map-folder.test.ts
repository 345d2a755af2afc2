import { expect, test } from "vitest"
import { folderMapping, mappedFolder } from "../door.js"

test.each([
  ["/home/ada", ["/home/ada=/Users/ada"], "/Users/ada"],
  ["/home/ada/shop", ["/home/ada=/Users/ada"], "/Users/ada/shop"],
  ["/home/adam", ["/home/ada=/Users/ada"], "/home/adam"],
  ["/home/ada/shop/web", ["/home/ada=/Users/ada", "/home/ada/shop/=/srv/shop/"], "/srv/shop/web"],
  ["/home/ada", ["/=/backup"], "/backup/home/ada"],
  ["/home/ada", ["/home/ada=/"], "/"],
  ["/home/ada/shop", ["/home/ada=/"], "/shop"],
  ["C:\\Users\\ada\\shop", ["C:\\Users\\ada=/Users/ada"], "/Users/ada/shop"],
])("%s with %s is %s", (cwd, mappings, expected) => {
  expect(mappedFolder(cwd, mappings.map(folderMapping))).toBe(expected)
})
