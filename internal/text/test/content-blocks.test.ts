import { blockJson, contentLine, documentOf, imageIn, imageLabel } from "@treelog-internal/text"
import { expect, it } from "vitest"

it("a picture that a model made is one, in the format that it says", () => {
  const made = { type: "image_generation_call", id: "ig", status: "completed", result: "aGk=" }
  expect(imageIn(made)).toEqual({ mimeType: "image/png", data: "aGk=" })
  expect(imageIn({ ...made, output_format: "webp" })).toEqual({ mimeType: "image/webp", data: "aGk=" })
  expect(imageIn({ ...made, result: null })).toBeUndefined()
})

it("a picture that is elsewhere is named by its address", () => {
  const source = { type: "url", url: "https://example.com/\n\u001b[31mpic.png" }
  expect(imageLabel({ type: "image", source })).toBe("[image https://example.com/ pic.png]")
  expect(imageLabel({ type: "image", source: { type: "file", file_id: "f" } })).toBe("[image of unknown type]")
})

it("a block without a form of its own is shown as JSON, of which long texts without a space are cut", () => {
  const block = { type: "web_search_tool_result", title: "A title", encrypted_content: "c2Vh".repeat(1024) }
  expect(blockJson(block)).toBe(
    `{"type":"web_search_tool_result","title":"A title","encrypted_content":"${"c2Vh".repeat(10)}… (4 KB)"}`,
  )
  const said = { type: "note", text: `${"long ".repeat(1000)}"quoted"` }
  expect(blockJson(said, "indented")).toBe(JSON.stringify(said, null, 2))
})

it("a file that is named alone is shown by its name and address, and an address that is none as JSON", () => {
  const file = { type: "file", title: "a b.png", url: "/home/ada/a b.png" }
  expect(contentLine([file])).toBe("[document a b.png /home/ada/a b.png]")
  expect(documentOf({ ...file, url: 1 })).toBeUndefined()
})
