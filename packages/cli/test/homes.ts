import { join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import type { Sandbox } from "./sandbox.js"

/** The file that every session of a home reads. */
export const READ_FILE = "lamp.ts"
/** A word that every session of a home says. */
export const SAID = "lamp"

const CLAUDE = "8d2b6a0e-5f51-4a86-9a3f-0d6f8a0c1b11"
const USAGE = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15 }
const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 }

const timeAt = (minute: number): string => new Date(Date.UTC(2026, 10, 25, 10, minute)).toISOString()

/** A turn of pi: what the user said, a call that reads the file, and its result. */
function turn(name: string, minute: number, parentId: string | null): object[] {
  const at = { timestamp: timeAt(minute) }
  const time = Date.parse(at.timestamp)
  const call = { type: "toolCall", id: `${name}-call`, name: "read", arguments: { path: READ_FILE } }
  const assistant = { role: "assistant", provider: "anthropic", model: "claude-opus-4-6", api: "anthropic-messages" }
  const answer = {
    ...assistant,
    content: [call],
    usage: { ...USAGE, cost: COST },
    stopReason: "toolUse",
    timestamp: time,
  }
  const content = [{ type: "text", text: "export const lamp = 1" }]
  const result = { role: "toolResult", toolCallId: call.id, toolName: "read", content, isError: false, timestamp: time }
  const user = { role: "user", content: `the ${SAID} of ${name}`, timestamp: time }
  return [user, answer, result].map((message, nth) => ({
    ...{ type: "message", id: `${name}-${nth}`, parentId: nth === 0 ? parentId : `${name}-${nth - 1}`, ...at, message },
  }))
}

interface PiSession {
  /** Of the store, such as `.pi/agent`. */
  readonly folder: string
  readonly id: string
  /** The id in the name of the file. Default: that of the session. */
  readonly named?: string
  /** The folder of the file. Default: that of the project. */
  readonly bucket?: string
  /** The names of its turns, each at a minute of its own. */
  readonly turns: readonly (readonly [name: string, minute: number])[]
}

export function writePi(box: Sandbox, { folder, id, named = id, bucket = bucketOf(box), turns }: PiSession): string {
  const header = { type: "session", version: 3, id, timestamp: timeAt(0), cwd: box.project }
  const lines = turns.flatMap(([name, minute], nth) => {
    const before = turns[nth - 1]?.[0]
    return turn(name, minute, before === undefined ? null : `${before}-2`)
  })
  return box.write(
    join(folder, "sessions", bucket, `2026-11-25T10-00-00-000Z_${named}.jsonl`),
    [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""),
  )
}

const bucketOf = (box: Sandbox): string => `--${box.project.slice(1).replaceAll("/", "-")}--`

/** A session of Claude Code with a sub-agent, and a file beside it that is no transcript. */
export function writeClaude(box: Sandbox): void {
  const folder = join(".claude/projects", box.project.replace(/[^a-zA-Z0-9]/g, "-"))
  box.write(join(folder, `${CLAUDE}.jsonl`), claudeLines(box, "claude", {}))
  const agent = { agentId: "a1", isSidechain: true }
  box.write(join(folder, CLAUDE, "subagents", "agent-a1.jsonl"), claudeLines(box, "sub", agent))
}

function claudeLines(box: Sandbox, name: string, fields: object): string {
  const base = {
    ...{ sessionId: CLAUDE, cwd: box.project, version: "2.1.0", isSidechain: false, userType: "external" },
    ...fields,
  }
  const record = (nth: number, type: string, message: object) => ({
    ...base,
    ...{
      type,
      uuid: `${name}-${nth}`,
      parentUuid: nth === 0 ? null : `${name}-${nth - 1}`,
      timestamp: timeAt(nth),
      message,
    },
  })
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const call = {
    type: "tool_use",
    id: `toolu_${name}`,
    name: "Read",
    input: { file_path: join(box.project, READ_FILE) },
  }
  const reply = {
    id: `msg_${name}`,
    type: "message",
    role: "assistant",
    model: "claude-opus-4-6",
    stop_reason: "tool_use",
    usage,
  }
  const result = { type: "tool_result", tool_use_id: call.id, content: "export const lamp = 1" }
  const records = [
    record(0, "user", { role: "user", content: `the ${SAID} of ${name}` }),
    { ...record(1, "assistant", { ...reply, content: [call] }), requestId: `req_${name}` },
    record(2, "user", { role: "user", content: [result] }),
  ]
  return records.map((one) => `${JSON.stringify(one)}\n`).join("")
}

/** Homes in which sessions are copies, parts, forks and what cannot be read: all commands agree on what is there. */
export const HOMES: Readonly<Record<string, (box: Sandbox) => void | Promise<void>>> = {
  "of sessions with a sub-agent": writeClaude,
  "of a fork of a session with a sub-agent": async (box) => {
    writeClaude(box)
    await box.run(["fork", CLAUDE])
  },
  "of an import beside its original": async (box) => {
    writeClaude(box)
    await box.run(["import", "--from", "claude-code", "--all"])
  },
  "of a conversation that was copied, and went on in the copy": (box) => {
    writePi(box, { folder: ".pi/agent", id: "went-on", turns: [["one", 1]] })
    writePi(box, {
      folder: ".omp/agent",
      id: "went-on",
      turns: [
        ["one", 1],
        ["two", 2],
      ],
    })
  },
  "of a conversation that went on in both copies": (box) => {
    writePi(box, {
      folder: ".pi/agent",
      id: "parted",
      turns: [
        ["one", 1],
        ["left", 2],
      ],
    })
    writePi(box, {
      folder: ".omp/agent",
      id: "parted",
      turns: [
        ["one", 1],
        ["right", 3],
      ],
    })
  },
  "of files whose names have other ids than their headers": (box) => {
    writePi(box, { folder: ".pi/agent", id: "11111111-header", named: "22222222-name", turns: [["one", 1]] })
    writePi(box, { folder: ".pi/agent", id: "33333333-plain", turns: [["two", 2]] })
  },
  "of two files with one id in one store": (box) => {
    writePi(box, { folder: ".pi/agent", id: "twin", turns: [["one", 1]] })
    writePi(box, {
      folder: ".pi/agent",
      bucket: "--elsewhere--",
      id: "twin",
      turns: [
        ["one", 1],
        ["two", 2],
      ],
    })
  },
  "with files that cannot be read, and files that are no sessions": (box) => {
    writePi(box, { folder: ".pi/agent", id: "whole", turns: [["one", 1]] })
    const bucket = ".pi/agent/sessions/--odd--"
    box.write(`${bucket}/2026-11-25T10-00-00-000Z_torn.jsonl`, "nonsense\n")
    const whole = writePi(box, { folder: ".omp/agent", id: "beside", turns: [["two", 2]] })
    // A file beside a session that is no session.
    box.write(join(whole.replace(/\.jsonl$/, ""), "run-0", "log.jsonl").slice(box.folder.length + 1), '{"not":"one"}\n')
    box.write(".omp/agent/sessions/--odd--/empty.jsonl", "")
  },
  "of an agent with an empty file and one of another program": (box) => {
    writeClaude(box)
    const folder = join(".claude/projects", box.project.replace(/[^a-zA-Z0-9]/g, "-"))
    box.write(join(folder, "11111111-1111-4111-8111-111111111111.jsonl"), "")
    box.write(join(folder, "21111111-1111-4111-8111-111111111111.jsonl"), '{"not":"one"}\n')
  },
  "of treelog's own store alone": (box) => {
    box.store([userEntry("own-1", null, `the ${SAID} of own`)], { id: "own" })
  },
}
