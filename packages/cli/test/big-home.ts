import { join } from "node:path"
import { claudeFile, userEntry } from "@treelog-internal/test-kit"
import { codexFile } from "@treelog-internal/test-kit/codex"
import type { Sandbox } from "./sandbox.js"
import { writeDatabase } from "./write-database.js"

/** What a session of each store of the big home says, and by which it is found. */
export const saidIn = (store: string): string => `the lamp of ${store.replace(/[^a-z0-9]/g, "")} is lit`

const TIME = "2026-11-25T10:00:00.000Z"
const START = Date.parse(TIME)
const ID = "8d2b6a0e-5f51-4a86-9a3f-0d6f8a0c1b11"
const COPILOT_ID = "beb8d2ae-4c8f-4332-8278-9577f5f9a904"
const GEMINI_ID = "aaaaaaaa-3eee-4d2a-b5df-6c2d5f5a0a01"

/** Writes one session of each agent and program that treelog reads, all of the sandbox's project; returns the names of their stores. */
export async function bigHome(box: Sandbox): Promise<string[]> {
  box.store([userEntry("own-1", null, saidIn("treelog"))], { id: "own" })
  for (const [store, folder] of Object.entries(PI_FOLDERS)) piSession(box, store, folder)
  for (const [store, write] of Object.entries(AGENTS)) await write(box, saidIn(store))
  return ["treelog", ...Object.keys(PI_FOLDERS), ...Object.keys(AGENTS)]
}

/** What stands in the way in real homes: a copy, damaged and empty files, files of others, names that are no UTF-8. */
export function addTrouble(box: Sandbox): void {
  const claude = join(".claude/projects", box.project.replace(/[^a-zA-Z0-9]/g, "-"))
  box.store([userEntry("copy-1", null, saidIn("pi"))], { id: "in-pi" })
  box.write(join(claude, "empty.jsonl"), "")
  box.write(join(claude, "foreign.jsonl"), '{"not":"a session"}\n')
  box.write(
    ".codex/sessions/2026/11/25/rollout-2026-11-25T10-00-00-0b8f2c4d-7d0e-4f5a-8c52-1f6f0f6f2a22.jsonl",
    "torn{",
  )
  box.write("agent/sessions/--odd--/2026-03-07T14-00-00-000Z_torn.jsonl", "nonsense\n")
  const odd = Buffer.concat([Buffer.from(`${join(box.folder, claude)}/`), Buffer.from([0xe9]), Buffer.from(".jsonl")])
  box.writeAt(odd, claudeFile("0b8f2c4d-7d0e-4f5a-8c52-1f6f0f6f2a23", box.project, "odd"))
}

/** The programs whose files have pi's format. */
const PI_FOLDERS = {
  pi: ".pi/agent",
  xcsh: ".xcsh/agent",
  omp: ".omp/agent",
  "omp:my work": ".omp/profiles/my work/agent",
  omo: ".omo/agent",
  "prime-agent": ".prime/agent",
} as const

function piSession(box: Sandbox, store: string, folder: string): void {
  const id = `in-${store.replace(/[^a-z]/g, "-")}`
  const header = { type: "session", version: 3, id, timestamp: TIME, cwd: box.project }
  const bucket = store === "prime-agent" ? "" : `--${box.project.slice(1).replaceAll("/", "-")}--`
  const lines = [header, userEntry(`${id}-1`, null, saidIn(store))]
  box.write(join(folder, "sessions", bucket, `2026-11-25T10-00-00-000Z_${id}.jsonl`), linesOf(lines))
}

const AGENTS: Readonly<Record<string, (box: Sandbox, said: string) => void | Promise<void>>> = {
  "claude-code": (box, said) => {
    const folder = box.project.replace(/[^a-zA-Z0-9]/g, "-")
    box.write(`.claude/projects/${folder}/${ID}.jsonl`, claudeFile(ID, box.project, said))
  },
  codex: (box, said) => {
    const id = "01a203bc-2fbc-7a02-81fd-38d282610988"
    box.write(`.codex/sessions/2026/11/25/rollout-2026-11-25T10-00-00-${id}.jsonl`, codexFile(id, box.project, [said]))
  },
  opencode: (box, said) => opencodeDatabase(join(box.folder, ".local/share/opencode/opencode.db"), box.project, said),
  kilo: (box, said) => opencodeDatabase(join(box.folder, ".local/share/kilo/kilo.db"), box.project, said),
  copilot: (box, said) => {
    const event = (type: string, data: object) => ({ type, data, id: `${type}-1`, timestamp: TIME, parentId: null })
    box.write(
      `.copilot/session-state/${COPILOT_ID}/events.jsonl`,
      linesOf([
        event("session.start", {
          sessionId: COPILOT_ID,
          version: 1,
          copilotVersion: "1.0.102",
          context: { cwd: box.project },
        }),
        event("user.message", { content: said, transformedContent: said }),
      ]),
    )
  },
  openclaw: (box, said) => clawFile(box, ".openclaw", "claw-1", said),
  qclaw: (box, said) => clawFile(box, ".qclaw", "claw-2", said),
  gemini: (box, said) => {
    const context = `<session_context>\n- **Workspace Directories:**\n  - ${box.project}\n</session_context>`
    const user = (id: string, text: string) => ({ id, timestamp: TIME, type: "user", content: [{ text }] })
    box.write(
      ".gemini/tmp/shop/chats/session-2026-11-25T10-00-aaaaaaaa.jsonl",
      linesOf([
        { sessionId: GEMINI_ID, projectHash: "f00", startTime: TIME, lastUpdated: TIME, kind: "main" },
        { $set: { messages: [user("context", context)], lastUpdated: TIME } },
        user("u1", said),
      ]),
    )
  },
  qwen: (box, said) => {
    const record = {
      uuid: "q1",
      parentUuid: null,
      sessionId: "qwen-1",
      timestamp: TIME,
      cwd: box.project,
      version: "0.24.4",
    }
    const message = { role: "user", parts: [{ text: said }] }
    box.write(
      ".qwen/projects/-home-ada-shop/chats/qwen-1.jsonl",
      linesOf([{ ...record, type: "user", provenance: "real_user", message }]),
    )
  },
  kimi: (box, said) => {
    const folder = ".kimi-code/sessions/wd_shop_0a1b2c3d4e5f/session_kimi-1"
    const message = { id: "msg_1", role: "user", content: [{ type: "text", text: said }], origin: { kind: "user" } }
    box.write(`${folder}/state.json`, JSON.stringify({ id: "session_kimi-1", version: 2, cwd: box.project }))
    box.write(
      `${folder}/agents/main/wire.jsonl`,
      linesOf([
        { type: "metadata", protocol_version: "1.5", created_at: START },
        { type: "context.append_message", agentId: "main", message, time: START },
      ]),
    )
  },
  droid: (box, said) => {
    const message = { role: "user", content: [{ type: "text", text: said }] }
    box.write(
      ".factory/sessions/-home-ada-shop/droid-1.jsonl",
      linesOf([
        { type: "session_start", id: "droid-1", title: said, owner: "unknown", version: 2, cwd: box.project },
        { type: "message", id: "d1", timestamp: TIME, message },
      ]),
    )
  },
  cline: (box, said) => {
    const messages = [{ id: "u1", role: "user", content: [{ type: "text", text: said }], ts: START }]
    box.write(
      ".cline/data/sessions/cline-1/cline-1.messages.json",
      JSON.stringify({ version: 1, sessionId: "cline-1", messages }),
    )
    box.write(
      ".cline/data/sessions/cline-1/cline-1.json",
      JSON.stringify({ session_id: "cline-1", started_at: TIME, cwd: box.project }),
    )
  },
  roo: (box, said) => {
    const task = ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/roo-1"
    const text = `<task>${said}</task>\n<environment_details>\n# Current Workspace Directory (${box.project}) Files\n</environment_details>`
    box.write(
      `${task}/api_conversation_history.json`,
      JSON.stringify([{ role: "user", content: [{ type: "text", text }], ts: START }]),
    )
    box.write(`${task}/ui_messages.json`, JSON.stringify([{ ts: START, type: "say", say: "text", text: said }]))
  },
  vscode: (box, said) => {
    const user = ".config/Code/User"
    const requests = [
      {
        ...{ requestId: "r1", timestamp: START, modelId: "copilot/auto", message: { text: said, parts: [] } },
        ...{ variableData: { variables: [] }, response: [{ value: "Yes." }] },
      },
    ]
    const chat = { version: 3, creationDate: START, responderUsername: "GitHub Copilot", sessionId: "chat-1", requests }
    box.write(`${user}/workspaceStorage/w/chatSessions/chat-1.jsonl`, linesOf([{ kind: 0, v: chat }]))
    box.write(`${user}/workspaceStorage/w/workspace.json`, JSON.stringify({ folder: `file://${box.project}` }))
  },
  cursor: async (box, said) => {
    const path = join(box.folder, ".config/Cursor/User/globalStorage/state.vscdb")
    const workspaceIdentifier = { uri: { fsPath: box.project } }
    const header = { composerId: "composer-1", name: "Lamp", createdAt: START, lastUpdatedAt: START }
    await writeDatabase(path, [
      ["CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"],
      [
        "INSERT INTO cursorDiskKV VALUES (?, ?)",
        "composerData:composer-1",
        JSON.stringify({ ...header, workspaceIdentifier, fullConversationHeadersOnly: [{ bubbleId: "b1", type: 1 }] }),
      ],
      [
        "INSERT INTO cursorDiskKV VALUES (?, ?)",
        "bubbleId:composer-1:b1",
        JSON.stringify({ bubbleId: "b1", type: 1, text: said, createdAt: TIME }),
      ],
    ])
  },
  crush: async (box, said) => {
    const folder = join(box.project, ".crush")
    box.write(
      ".local/share/crush/projects.json",
      JSON.stringify({ projects: [{ path: box.project, data_dir: folder }] }),
    )
    const parts = JSON.stringify([{ type: "text", data: { text: said } }])
    await writeDatabase(join(folder, "crush.db"), [
      [
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, cost REAL, updated_at INTEGER, created_at INTEGER)",
      ],
      [
        "CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER, updated_at INTEGER)",
      ],
      ["INSERT INTO sessions VALUES ('crush-1', NULL, 'Lamp', 0, ?, ?)", START / 1000, START / 1000],
      ["INSERT INTO messages VALUES ('m1', 'crush-1', 'user', ?, '', ?, ?)", parts, START / 1000, START / 1000],
    ])
  },
  hermes: (box, said) =>
    writeDatabase(join(box.folder, ".hermes", "state.db"), [
      ["CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, parent_session_id TEXT, started_at REAL, cwd TEXT)"],
      ["CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL)"],
      ["INSERT INTO sessions VALUES ('hermes-1', 'cli', NULL, ?, ?)", START / 1000, box.project],
      ["INSERT INTO messages VALUES (1, 'hermes-1', 'user', ?, ?)", said, START / 1000],
    ]),
  "pi-durable": (box, said) => {
    const entry = {
      id: 2,
      conversationId: 1,
      kind: "pi.user",
      model: [{ role: "user", content: said, timestamp: START }],
    }
    const cwd = { id: 3, kind: "pi.agent", scope: { kind: "conversation", conversationId: 1 } }
    const content = { kind: "base", version: 1, value: { cwd: box.project } }
    const folder = ".pi/agent/durable/lamp"
    const writes = [
      { type: "conversation", value: { id: 1 } },
      { type: "document.create", record: cwd, ordinal: 0 },
    ]
    box.write(
      `${folder}/doc-3.jsonl`,
      linesOf([{ format: 1, type: "record", seq: 1, ordinal: 0, payload: { type: "document", id: 3, content } }]),
    )
    box.write(
      `${folder}/main.jsonl`,
      linesOf([
        { format: 1, type: "commit", seq: 1, writes },
        { format: 1, type: "commit", seq: 2, writes: [{ type: "entry", value: entry }] },
      ]),
    )
  },
  "cursor-agent": (box, said) => {
    const folder = box.project.slice(1).replace(/[^a-zA-Z0-9]/g, "-")
    const content = [{ type: "text", text: `<user_query>\n${said}\n</user_query>` }]
    box.write(
      `.cursor/projects/${folder}/agent-transcripts/cursor-1.jsonl`,
      linesOf([{ role: "user", message: { content } }]),
    )
  },
}

function clawFile(box: Sandbox, folder: string, id: string, said: string): void {
  const header = { type: "session", version: 4, id, timestamp: TIME, cwd: box.project }
  const message = { role: "user", content: said, timestamp: START }
  box.write(
    `${folder}/agents/main/sessions/${id}.jsonl`,
    linesOf([header, { type: "message", id: `${id}-1`, parentId: null, timestamp: TIME, message }]),
  )
}

function opencodeDatabase(path: string, cwd: string, said: string): Promise<void> {
  const id = `ses_${path.includes("kilo") ? "kilo" : "open"}`
  const data = JSON.stringify({
    role: "user",
    time: { created: START },
    agent: "build",
    model: { providerID: "a", modelID: "b" },
  })
  return writeDatabase(path, [
    [
      "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer)",
    ],
    [
      "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)",
    ],
    [
      "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)",
    ],
    ["INSERT INTO session VALUES (?, NULL, ?, 'Lamp', '1.18.33', NULL, ?, ?)", id, cwd, START, START],
    ["INSERT INTO message VALUES (?, ?, ?, ?, ?)", `${id}_m`, id, START, START, data],
    [
      "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
      `${id}_p`,
      `${id}_m`,
      id,
      START,
      START,
      JSON.stringify({ type: "text", text: said }),
    ],
  ])
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("")
}
