import { PIXEL } from "../../model/pixel.js"
import { answer, call, ODD_IDS, said, thought } from "../../model/prompt-calls.js"
import { writeToolServer } from "../../model/tool-server.js"
import { agent, printed } from "../scenario.js"

const bash = (command: string): string => call("Bash", { command, description: command })

/** Thoughts between texts, encrypted ones, and replies that are nothing else or say nothing. */
export const thoughts = printed("thoughts", [
  `${answer(thought("One"), said("First"), thought("Two"), said("Second"))}\n${bash("echo one")}`,
  answer({ type: "redacted_thinking", data: "ZW5jcnlwdGVk" }, thought("Three"), said("Third")),
  answer(thought("Nothing else")),
  answer(said("")),
  answer(thought("Four"), said(""), said("Fourth")),
  `${answer(said("Cut off in the"))}\nSTOP max_tokens`,
  "What now?",
])

const OLD = { args: ["--model", "claude-sonnet-4-5"] }

/** Models that take turns: one gets no messages of the system, and none gets the thoughts of another. */
export const models = printed("models", [
  "Hello",
  { prompt: bash("echo one"), ...OLD },
  { prompt: "/compact", ...OLD },
  { prompt: bash("echo two"), ...OLD },
  "What now?",
])

/** Odd replies of a model that gets no messages of the system at the end. */
export const oldModel = printed("old-model", ["Hello", bash("echo one"), "What now?"], OLD)

/** Behind the call that is answered, one that runs until it is killed. */
const twoCalls = (first: string) => ({
  prompt: `${bash(`echo ${first}`)}\n${bash("tail -f /dev/null")}`,
  killedIn: `"content":"${first}"`,
})

/** Killed between two calls, twice without a prompt between, and in the stream of a reply, of which nothing is stored. The last call is lost until it is resumed. */
export const killed = printed("killed", [
  "Hello",
  twoCalls("one"),
  "What was it?",
  { prompt: `${answer(thought("One"), said("Half of"))}\nSTOP hang`, killedIn: "Half of" },
  twoCalls("two"),
  twoCalls("three"),
])

/** Pictures in a prompt and in results, calls with ids that are not of ASCII alone, one that fails, and one without a result. */
export const pieces = printed(
  "pieces",
  [
    "Look at @pixel.png",
    `${ODD_IDS}\n${call("mcp__local__look", {})}\n${call("mcp__local__fail", {})}`,
    twoCalls("one"),
    "What now?",
  ],
  {
    files: { "pixel.png": Buffer.from(PIXEL, "base64") },
    args: ["--allowedTools", "mcp__local__look,mcp__local__fail"],
    argsIn: (home) => {
      const local = { command: process.execPath, args: [writeToolServer(home)] }
      return ["--mcp-config", JSON.stringify({ mcpServers: { local } })]
    },
  },
)

/** Killed in a call behind a compaction, and in one of a sub-agent. */
export const killedLater = printed("killed-later", [
  bash("echo zero"),
  "/compact",
  twoCalls("one"),
  "What was it?",
  { prompt: agent("look", `${bash("echo two")}\n${bash("tail -f /dev/null")}`), killedIn: '"content":"two"' },
])

/** Outputs that are too long for the model: of a command, a file, and an edit of it. */
export const long = printed(
  "long",
  [
    bash("seq 1 20000"),
    call("Read", { file_path: "long.txt" }),
    call("Bash", { command: "cat long.txt >&2; exit 3" }),
    "What now?",
  ],
  { files: { "long.txt": Array.from({ length: 3000 }, (_, at) => `line ${at} of many\n`).join("") } },
)
