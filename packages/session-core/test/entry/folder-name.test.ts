import { folderName, isSameFolder, isWholePath, joinPath, pathBelow, plainPath } from "@treelog/session-core/adapter"
import { describe, expect, test } from "vitest"

describe("plainPath", () => {
  test.each([
    "C:\\Users\\me\\shop",
    "c:\\Users\\me\\shop\\",
    "C:/Users/me/shop",
    "c:/Users//me/./shop/",
    "C:\\Users\\me\\other\\..\\shop",
    "\\\\?\\C:\\Users\\me\\shop",
    "\\\\.\\c:\\Users\\me\\shop",
    "\\??\\C:\\Users\\me\\shop",
    "//?/C:/Users/me/shop",
    "/mnt/c/Users/me/shop",
    "/c/Users/me/shop",
    "/cygdrive/c/Users/me/shop/",
    "/proc/cygdrive/c/Users/me/shop",
    "/C:/Users/me/shop",
    "file:///C:/Users/me/shop",
    "file:///c%3A/Users/me/shop",
    "file://localhost/C:/Users/me/shop",
    "\\\\wsl$\\Ubuntu\\mnt\\c\\Users\\me\\shop",
    "vscode-remote://wsl%2Bubuntu/mnt/c/Users/me/shop",
  ])("%s is a folder of the drive C", (text) => {
    expect(plainPath(text)).toBe("C:/Users/me/shop")
  })

  test.each([
    "/home/me/tools",
    "/home/me/tools/",
    "//wsl.localhost/Ubuntu/home/me/tools",
    "\\\\wsl$\\Ubuntu\\home\\me\\tools",
    "\\\\WSL.LOCALHOST\\Debian\\home\\me\\tools",
    "\\\\?\\UNC\\wsl$\\Ubuntu\\home\\me\\tools",
    "file://wsl.localhost/Ubuntu/home/me/tools",
    "file:///home/me/tools",
    "/home/me/../me/tools/.",
    "vscode-remote://wsl+Ubuntu/home/me/tools",
  ])("%s is a folder of Linux", (text) => {
    expect(plainPath(text)).toBe("/home/me/tools")
  })

  test.each([
    ["\\\\server\\share\\shop\\", "//server/share/shop"],
    ["\\\\?\\UNC\\server\\share\\shop", "//server/share/shop"],
    ["file://server/share/shop", "//server/share/shop"],
    ["C:", "C:/"],
    ["C:\\", "C:/"],
    ["/mnt/c", "C:/"],
    ["/", "/"],
    ["/..", "/"],
    ["\\\\wsl$\\Ubuntu", "/"],
    ["/mnt/cd/shop", "/mnt/cd/shop"],
    ["/home/me/a\\b", "/home/me/a\\b"],
    ["/private/var/folders/x", "/var/folders/x"],
    ["/private/tmp", "/tmp"],
    ["/private/notes", "/private/notes"],
    ["/System/Volumes/Data/Users/me", "/Users/me"],
    ["/home/me/cafe\u0301", "/home/me/café"],
    ["file:///home/me/100%25%20sure", "/home/me/100% sure"],
    ["file:///home/me/100%", "/home/me/100%"],
    ["vscode-remote://ssh-remote%2Bhost/home/me", "vscode-remote://ssh-remote%2Bhost/home/me"],
    ["", ""],
    ["src/a", "src/a"],
    ["..", ".."],
    ["~/shop", "~/shop"],
  ])("%s is %s", (text, path) => {
    expect(plainPath(text)).toBe(path)
  })
})

test("Windows ignores case, in drives and on servers, and Linux does not", () => {
  expect(isSameFolder("C:\\Users\\Me", "/mnt/c/users/me")).toBe(true)
  expect(isSameFolder("\\\\Server\\Share", "//server/share/")).toBe(true)
  expect(isSameFolder("/home/Me", "/home/me")).toBe(false)
  expect(folderName("/home/Me")).toBe("/home/Me")
})

test("what is below a folder is found in any spelling, and keeps its letters", () => {
  expect(pathBelow("c:\\users\\ME", "/mnt/c/Users/me/Shop/Src")).toBe("Shop/Src")
  expect(pathBelow("/home/me", "/home/me/")).toBe("")
  expect(pathBelow("/", "/home")).toBe("home")
  expect(pathBelow("C:\\", "C:\\İx\\b")).toBe("İx/b")
  expect(pathBelow("/home/me", "/home/meg/shop")).toBeUndefined()
  expect(joinPath("/home/ada", "shop/src")).toBe("/home/ada/shop/src")
  expect(joinPath("D:\\work\\", "shop/src")).toBe("D:\\work\\shop\\src")
  expect(joinPath("/", "shop")).toBe("/shop")
  expect(joinPath("/home/ada/", "")).toBe("/home/ada/")
})

test("a whole path is one of any system", () => {
  for (const path of ["/a", "C:\\a", "c:/a", "\\\\server\\share", "file:///a", "/c/a"])
    expect(isWholePath(path)).toBe(true)
  for (const path of ["", "a", "..", "~/a", "https://host/a", "vscode-remote://ssh-remote+a/b"])
    expect(isWholePath(path)).toBe(false)
})
