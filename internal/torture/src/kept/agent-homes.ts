import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"

type SqliteDatabase = ReturnType<Awaited<ReturnType<typeof loadDriver>>["open"]>

/** An agent, and how it has a session on the disk: always the same for the same texts, so that a longer one begins with a shorter one. */
export interface WrittenAgent {
  readonly name: string
  /** Whether another folder of projects can have a session. */
  readonly isMovable: boolean
  readonly idOf: (number: number) => string
  /** Writes a session as it is now; none of texts deletes it. @param place the number of a project */
  readonly write: (home: string, id: string, texts: readonly string[] | undefined, place: number) => Promise<void>
  /** Changes the tables of its database, as a new version of the agent does: there is a column more, or one less. */
  readonly migrate?: (home: string) => Promise<void>
  /** Moves it to another project. */
  readonly move?: (home: string, id: string, from: number, to: number) => void
}

const START = Date.parse("2026-11-22T14:49:54.000Z")
const timeOf = (at: number): string => new Date(START + at * 1000).toISOString()
const uuid = (number: number): string => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`
const lines = (...all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join("")

/** A session in a file. */
function ofFile(
  name: string,
  pathOf: (id: string, place: number) => string,
  contentOf: (id: string, texts: readonly string[]) => string,
  { isMovable = false, idOf = uuid }: { isMovable?: boolean; idOf?: (number: number) => string } = {},
): WrittenAgent {
  const write: WrittenAgent["write"] = async (home, id, texts, place) => {
    const path = join(home, pathOf(id, place))
    if (!texts) return rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contentOf(id, texts))
  }
  const move: WrittenAgent["move"] = (home, id, from, to) => {
    mkdirSync(dirname(join(home, pathOf(id, to))), { recursive: true })
    renameSync(join(home, pathOf(id, from)), join(home, pathOf(id, to)))
  }
  return { name, isMovable, idOf, write, move }
}

/** Sessions in a database with a table of sessions and others. */
function ofDatabase(
  name: string,
  file: string,
  tables: readonly string[],
  rowsOf: (
    id: string,
    texts: readonly string[],
  ) => readonly (readonly [table: string, ...values: (string | number | null)[]])[],
  deleting: readonly string[],
): WrittenAgent {
  const inDatabase = async (home: string, work: (db: SqliteDatabase) => void): Promise<void> => {
    const path = join(home, file)
    mkdirSync(dirname(path), { recursive: true })
    const db = (await loadDriver()).open(path)
    try {
      db.exec("PRAGMA journal_mode = WAL; BEGIN")
      for (const table of tables) db.exec(`CREATE TABLE IF NOT EXISTS ${table}`)
      work(db)
      db.exec("COMMIT")
    } finally {
      db.close()
    }
  }
  const columnsOf = (table: string): string => {
    const definition = tables.find((one) => one.startsWith(`${table} `)) ?? ""
    return [...definition.matchAll(/[(,]\s*(\w+)/g)].map(([, name]) => name).join(", ")
  }
  const write: WrittenAgent["write"] = (home, id, texts) =>
    inDatabase(home, (db) => {
      for (const from of deleting) db.prepare(`DELETE FROM ${from} = ?`).run(id)
      for (const [table, ...values] of texts ? rowsOf(id, texts) : [])
        db.prepare(`INSERT INTO ${table} (${columnsOf(table)}) VALUES (${values.map(() => "?")})`).run(...values)
    })
  const migrate = (home: string): Promise<void> =>
    inDatabase(home, (db) => {
      const [table = ""] = (tables[0] ?? "").split(" ")
      const isNew = db
        .prepare(`PRAGMA table_info(${table})`)
        .all<{ name: string }>()
        .some(({ name }) => name === "extra")
      db.exec(isNew ? `ALTER TABLE ${table} DROP COLUMN extra` : `ALTER TABLE ${table} ADD COLUMN extra TEXT`)
    })
  return { name, isMovable: false, idOf: (number) => `ses_${String(number).padStart(12, "0")}`, write, migrate }
}

const project = (place: number): string => `-home-ada-shop${place}`
const text = (text: string) => [{ type: "text", text }]

const ofPi = (name: string, folder: string): WrittenAgent =>
  ofFile(
    name,
    (id, place) => `${folder}/agent/sessions/-${project(place)}--/2026-11-22T14-49-54-000Z_${id}.jsonl`,
    (id, texts) =>
      lines(
        { type: "session", version: 3, id, timestamp: timeOf(0), cwd: "/home/ada/shop0" },
        ...texts.map((content, at) => ({
          ...{ type: "message", id: String(at).padStart(8, "0"), timestamp: timeOf(at) },
          parentId: at === 0 ? null : String(at - 1).padStart(8, "0"),
          message: { role: "user", content, timestamp: START + at * 1000 },
        })),
      ),
    { isMovable: true, idOf: (number) => uuid(number).replace("4000", PI_IDS[name] ?? "4000") },
  )
/** Lists have a conversation once, whichever store it is in. */
const PI_IDS: Readonly<Record<string, string>> = { pi: "4001", omp: "4002" }

export const WRITTEN_AGENTS: readonly WrittenAgent[] = [
  ofPi("pi", ".pi"),
  ofPi("omp", ".omp"),
  ofFile(
    "claude-code",
    (id, place) => `.claude/projects/${project(place)}/${id}.jsonl`,
    (sessionId, texts) =>
      lines(
        ...texts.map((content, at) => ({
          ...{ type: "user", uuid: `${sessionId.slice(0, 24)}${String(at).padStart(12, "0")}`, sessionId },
          parentUuid: at === 0 ? null : `${sessionId.slice(0, 24)}${String(at - 1).padStart(12, "0")}`,
          ...{ cwd: "/home/ada/shop0", version: "2.1.0", isSidechain: false, userType: "external" },
          ...{ message: { role: "user", content }, timestamp: timeOf(at) },
        })),
      ),
    { isMovable: true },
  ),
  ofFile(
    "codex",
    (id, place) =>
      `.codex/${place === 0 ? "sessions/2026/11/22" : "archived_sessions"}/rollout-2026-11-22T14-49-54-${id}.jsonl`,
    (id, texts) => {
      const meta = { id, timestamp: timeOf(0), cwd: "/home/ada/shop", originator: "codex_cli", cli_version: "0.169.0" }
      const payload = { ...meta, source: "cli", model_provider: "openai", history_mode: "paginated" }
      return lines(
        { timestamp: timeOf(0), type: "session_meta", payload },
        ...texts.map((text, at) => ({
          ...{ timestamp: timeOf(at), type: "response_item" },
          payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
        })),
      )
    },
    { isMovable: true },
  ),
  ofFile(
    "copilot",
    (id) => `.copilot/session-state/${id}/events.jsonl`,
    (sessionId, texts) => {
      const event = (type: string, at: number, data: object) => ({
        type,
        data,
        id: uuid(at),
        timestamp: timeOf(at),
        parentId: null,
      })
      const start = {
        sessionId,
        version: 1,
        copilotVersion: "1.0.102",
        startTime: timeOf(0),
        context: { cwd: "/home/ada/shop" },
      }
      const prompts = texts.map((content, at) =>
        event("user.message", at + 1, { content, transformedContent: content }),
      )
      return lines(event("session.start", 0, start), ...prompts)
    },
  ),
  ofFile(
    "gemini",
    (id, place) => `.gemini/tmp/shop${place}/chats/session-2026-11-22T14-49-${id.slice(0, 8)}.json`,
    (sessionId, texts) =>
      JSON.stringify({
        ...{ sessionId, projectHash: "f00", startTime: timeOf(0), lastUpdated: timeOf(texts.length) },
        messages: texts.map((content, at) => ({
          id: `${sessionId}-${at}`,
          timestamp: timeOf(at),
          type: "user",
          content,
        })),
      }),
    { isMovable: true },
  ),
  ofFile(
    "qwen",
    (id, place) => `.qwen/projects/${project(place)}/chats/${id}.jsonl`,
    (sessionId, texts) =>
      lines(
        ...texts.map((text, at) => ({
          ...{ uuid: `${sessionId}-${at}`, parentUuid: at === 0 ? null : `${sessionId}-${at - 1}`, sessionId },
          ...{ timestamp: timeOf(at), type: "user", cwd: "/home/ada/shop", version: "0.24.4", provenance: "real_user" },
          message: { role: "user", parts: [{ text }] },
        })),
      ),
    { isMovable: true },
  ),
  ofFile(
    "droid",
    (id, place) => `.factory/sessions/${project(place)}/${id}.jsonl`,
    (id, texts) =>
      lines(
        { type: "session_start", id, title: "One", owner: "unknown", version: 2, cwd: "/home/ada/shop" },
        ...texts.map((said, at) => ({
          ...{ type: "message", id: `${id}-${at}`, timestamp: timeOf(at) },
          message: { role: "user", content: text(said) },
        })),
      ),
    { isMovable: true },
  ),
  ofFile(
    "kimi",
    (id) => `.kimi-code/sessions/wd_shop_0a1b2c3d4e5f/${id}/agents/main/wire.jsonl`,
    (id, texts) =>
      lines(
        { type: "metadata", protocol_version: "1.5", created_at: START },
        ...texts.map((said, at) => ({
          ...{ type: "context.append_message", agentId: "main" },
          message: {
            role: "user",
            content: text(said),
            id: `msg_${id}_${at}`,
            toolCalls: [],
            origin: { kind: "user" },
          },
          time: START + at * 1000,
        })),
      ),
  ),
  ofFile(
    "cline",
    (id) => `.cline/data/tasks/${id}/api_conversation_history.json`,
    (_, texts) => JSON.stringify(texts.map((said) => ({ role: "user", content: text(said) }))),
    { idOf: (number) => String(START + number) },
  ),
  ofFile(
    "cursor-agent",
    (id) => `.cursor/projects/home-ada-shop/agent-transcripts/${id}/${id}.jsonl`,
    (_, texts) =>
      lines(
        ...texts.map((said) => ({
          role: "user",
          message: { content: text(`<user_query>\n${said}\n</user_query>`) },
        })),
      ),
  ),
  ofFile(
    "vscode",
    (id) => `.config/Code/User/workspaceStorage/w/chatSessions/${id}.json`,
    (sessionId, texts) =>
      JSON.stringify({
        ...{ version: 3, creationDate: START, responderUsername: "GitHub Copilot", sessionId },
        requests: texts.map((text, at) => ({
          ...{ requestId: `request_${sessionId}_${at}`, timestamp: START + at * 1000, modelId: "copilot/auto" },
          ...{ message: { text, parts: [] }, variableData: { variables: [] }, response: [] },
        })),
      }),
  ),
  ofDatabase(
    "opencode",
    ".local/share/opencode/opencode.db",
    [
      "session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer)",
      "message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)",
      "part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)",
    ],
    (id, texts) => [
      ["session", id, null, "/home/ada/shop", "A title", "1.18.33", null, START, START + texts.length * 1000],
      ...texts.flatMap((text, at) => {
        const [name, time] = [`${id.slice(4)}_${String(at).padStart(6, "0")}`, START + at * 1000]
        const data = JSON.stringify({ role: "user", time: { created: time } })
        return [
          ["message", `msg_${name}`, id, time, time, data] as const,
          ["part", `prt_${name}`, `msg_${name}`, id, time, time, JSON.stringify({ type: "text", text })] as const,
        ]
      }),
    ],
    ["session WHERE id", "message WHERE session_id", "part WHERE session_id"],
  ),
  ofDatabase(
    "hermes",
    ".hermes/state.db",
    [
      `sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, session_key TEXT, model TEXT, model_config TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
        ended_at REAL, end_reason TEXT, cwd TEXT, title TEXT, archived INTEGER NOT NULL DEFAULT 0)`,
      `messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
        timestamp REAL NOT NULL, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0)`,
    ],
    (id, texts) => [
      ["sessions", id, "cli", null, "hermes-4", null, null, START / 1000, null, null, "/home/ada/shop", null, 0],
      ...texts.map(
        (text, at) => ["messages", `${id}_${at}`, id, "user", text, null, null, null, START / 1000 + at, 1, 0] as const,
      ),
    ],
    ["sessions WHERE id", "messages WHERE session_id"],
  ),
]
