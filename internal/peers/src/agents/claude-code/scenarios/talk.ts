import { call } from "../../model/prompt-calls.js"
import { printed } from "../scenario.js"

/** A conversation with calls, a sub-agent, a compaction and a fork. */
export const talk = printed("talk", [
  "How many are there?",
  'CALL Bash {"command":"echo one","description":"one"}\nCALL Bash {"command":"echo two","description":"two"}',
  'CALL Agent {"description":"look","prompt":"Look around","subagent_type":"general-purpose"}',
  "/compact",
  'CALL Write {"file_path":"new.txt","content":"new"}',
  "What now?",
  { prompt: "Another way?", args: ["--fork-session"] },
])

const edit = (old_string: string, new_string: string, more: object = {}): string =>
  call("Edit", { file_path: "sum.ts", old_string, new_string, ...more })

/** A file that is written and changed: within a line, over several, in two places at once, in all, and where the text is not there; one that was read. */
export const edits = printed(
  "edits",
  [
    call("Write", { file_path: "sum.ts", content: "const a = 1\nconst b = 2\nconst c = 1\n" }),
    edit("b = 2", "b = 3"),
    `${edit("const a = 1\n", "const a = 4\nconst d = 5\n")}\n${edit("c = 1", "c = 6")}`,
    edit("const", "let", { replace_all: true }),
    edit("nowhere", "here"),
    call("Read", { file_path: "other.txt" }),
    call("Edit", { file_path: "other.txt", old_string: "two", new_string: "2" }),
    "What now?",
  ],
  { files: { "other.txt": "one\ntwo\nthree\n" } },
)
