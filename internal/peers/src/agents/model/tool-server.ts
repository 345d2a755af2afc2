import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PIXEL } from "./pixel.js"

/** Writes a server of MCP over stdin, whose tool `look` answers with a text, a picture, a resource and a link, and `fail` with an error. @returns its file */
export function writeToolServer(folder: string): string {
  const file = join(folder, "tools.mjs")
  const resource = { uri: "file:///one.txt", mimeType: "text/plain", text: "one" }
  const content = [
    { type: "text", text: "Look:" },
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "resource", resource },
    { type: "resource_link", uri: "file:///two.txt", name: "two" },
  ]
  const inputSchema = { type: "object", properties: {} }
  const tools = ["look", "fail"].map((name) => ({ name, description: "A tool", inputSchema }))
  writeFileSync(
    file,
    `import { createInterface } from "node:readline"
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "local", version: "1.0.0" } }),
  "tools/list": () => (${JSON.stringify({ tools })}),
  "tools/call": ({ name }) =>
    name === "look" ? ${JSON.stringify({ content })} : { content: [{ type: "text", text: "It failed" }], isError: true },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "There is no such method" } }
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n")
}
`,
  )
  return file
}
