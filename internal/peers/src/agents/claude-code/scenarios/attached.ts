import { PIXEL } from "../../model/pixel.js"
import { printed } from "../scenario.js"

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

/** Instructions of a project, files that a prompt names, and files that a tool reads: texts, a picture, a document. */
export const files = printed(
  "files",
  [
    "What is in @a.txt and @notes/b.md?",
    'CALL Read {"file_path":"pixel.png"}',
    'CALL Read {"file_path":"page.pdf"}\nCALL Read {"file_path":"sub/c.txt"}',
    "Look at @pixel.png and @sub and @page.pdf",
    'CALL Edit {"file_path":"a.txt","old_string":"one","new_string":"two"}',
  ],
  {
    files: {
      "CLAUDE.md": "Always be brief.\n",
      "a.txt": "line one\n",
      "notes/b.md": "# Notes\n",
      "pixel.png": Buffer.from(PIXEL, "base64"),
      "page.pdf": PDF,
      "sub/CLAUDE.md": "Never be long.\n",
      "sub/c.txt": "three\n",
    },
  },
)

const HOOK = (name: string): object => ({
  hooks: [
    {
      type: "command",
      command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: `Of ${name}` } })}'`,
    },
  ],
})

/** Hooks that add to what the model gets. */
export const hooks = printed(
  "hooks",
  ["Hello", 'CALL Bash {"command":"echo one","description":"one"}', "Again", "/compact", "And now?"],
  {
    settings: {
      hooks: {
        SessionStart: [HOOK("SessionStart")],
        UserPromptSubmit: [HOOK("UserPromptSubmit")],
        PreToolUse: [{ matcher: "Bash", ...HOOK("PreToolUse") }],
        PostToolUse: [{ matcher: "Bash", ...HOOK("PostToolUse") }],
        Stop: [{ hooks: [{ type: "command", command: "echo stopped" }] }],
      },
    },
  },
)

const SERVER = `
const lines = require("node:readline").createInterface({ input: process.stdin })
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" }, instructions: "Count with it." }),
  "tools/list": () => ({ tools: [{ name: "count", description: "Counts", inputSchema: { type: "object", properties: {} } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "four" }, { type: "image", data: "${PIXEL}", mimeType: "image/png" }] }),
}
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.(params)
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "none" } }) }))
})
`

/** A server of tools, a command of the project, a skill. */
export const extended = printed(
  "extended",
  ["CALL mcp__small__count {}", "/greet Ada", 'CALL Skill {"skill":"sing"}', "And now?"],
  {
    args: [
      "--mcp-config",
      JSON.stringify({ mcpServers: { small: { command: "node", args: ["server.cjs"] } } }),
      "--allowedTools",
      "mcp__small__count,Skill",
    ],
    files: {
      "server.cjs": SERVER,
      ".claude/commands/greet.md": "Greet $ARGUMENTS kindly.\n",
      ".claude/skills/sing/SKILL.md": "---\nname: sing\ndescription: Sings\n---\nSing a song.\n",
    },
  },
)
