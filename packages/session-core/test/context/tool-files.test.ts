import { describe, expect, it } from "vitest"
import { filesOfCall } from "../../src/context/tool-files.js"

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-*** Add File: no.ts
+x
*** Add File: with space.ts
+y
*** Delete File: src/c.ts
*** End Patch`

describe("The files of a call", () => {
  it.each([
    ["read", { path: "a" }, { read: ["a"] }],
    ["write", { path: "a" }, { changed: ["a"] }],
    ["Read", { file_path: "/a" }, { read: ["/a"] }],
    ["Edit", { file_path: "/a", old_string: "x", new_string: "y" }, { changed: ["/a"] }],
    ["MultiEdit", { file_path: "/a", edits: [] }, { changed: ["/a"] }],
    ["Write", { file_path: "/a", content: "" }, { changed: ["/a"] }],
    ["NotebookEdit", { notebook_path: "/a.ipynb" }, { changed: ["/a.ipynb"] }],
    ["str_replace_based_edit_tool", { command: "view", path: "/a" }, { read: ["/a"] }],
    ["str_replace_editor", { command: "insert", path: "/a" }, { changed: ["/a"] }],
    ["apply_patch", { input: PATCH }, { changed: ["src/a.ts", "src/b.ts", "with space.ts", "src/c.ts"] }],
    ["Edit", { file_path: 7 }, { changed: [] }],
    ["constructor", { path: "a" }, {}],
    ["Bash", { command: "rm a" }, {}],
  ])("%s of %o", (tool, args, files) => {
    expect(filesOfCall(tool, args)).toEqual(files)
  })
})
