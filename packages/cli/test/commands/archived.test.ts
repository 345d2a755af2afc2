import { rmSync } from "node:fs"
import { join } from "node:path"
import { codexFile } from "@treelog-internal/test-kit/codex"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { type Statement, writeDatabase } from "../write-database.js"

/** A session of one prompt, at this hour. */
interface Written {
  readonly id: string
  readonly hour: number
  readonly isArchived: boolean
}

const OPEN: Written = { id: "01a203bc-2fbc-7a02-81fd-38d282610988", hour: 10, isArchived: false }
const ARCHIVED: Written = { id: "01a203bc-3247-7a50-bba6-50faffe1fa0a", hour: 12, isArchived: true }

const timeOf = ({ hour }: Written): string => `2026-11-22T${hour}:00:00.000Z`
const millisOf = (session: Written): number => Date.parse(timeOf(session))

/** Writes sessions as each agent does, archived as each marks it. */
const AGENTS: Readonly<Record<string, (box: Sandbox, sessions: readonly Written[]) => void | Promise<void>>> = {
  codex: (box, sessions) => {
    for (const session of sessions) {
      const { id, isArchived } = session
      const folder = isArchived ? "archived_sessions" : "sessions/2026/11/22"
      const name = `rollout-2026-11-22T${session.hour}-00-00-${id}.jsonl`
      const text = codexFile(id, box.project, ["Hello"]).replaceAll(
        /"timestamp":"[^"]*"/g,
        `"timestamp":"${timeOf(session)}"`,
      )
      box.write(join(".codex", folder, name), text)
    }
  },
  qwen: (box, sessions) => {
    for (const session of sessions) {
      const { id, isArchived } = session
      const message = { role: "user", parts: [{ text: "Hello" }] }
      const record = { uuid: `${id}-1`, parentUuid: null, sessionId: id, timestamp: timeOf(session), type: "user" }
      const line = { ...record, cwd: box.project, version: "0.24.4", provenance: "real_user", message }
      const folder = isArchived ? "chats/archive" : "chats"
      box.write(`.qwen/projects/-home-ada-shop/${folder}/${id}.jsonl`, `${JSON.stringify(line)}\n`)
    }
  },
  opencode: (box, sessions) =>
    writeDatabase(join(box.folder, ".local/share/opencode/opencode.db"), [
      [
        "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer, time_archived integer)",
      ],
      [
        "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)",
      ],
      [
        "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)",
      ],
      ...sessions.flatMap((session): Statement[] => {
        const { id, isArchived } = session
        const time = millisOf(session)
        const data = { role: "user", time: { created: time }, model: { providerID: "a", modelID: "b" } }
        const part = { type: "text", text: "Hello" }
        return [
          [
            "INSERT INTO session VALUES (?, NULL, ?, 'Lamp', '1.18.33', NULL, ?, ?, ?)",
            ...[id, box.project, time, time, isArchived ? time : null],
          ],
          ["INSERT INTO message VALUES (?, ?, ?, ?, ?)", `${id}_m`, id, time, time, JSON.stringify(data)],
          ["INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", `${id}_p`, `${id}_m`, id, time, time, JSON.stringify(part)],
        ]
      }),
    ]),
  openclaw: (box, sessions) =>
    writeDatabase(join(box.folder, ".openclaw/agents/main/agent/openclaw-agent.sqlite"), [
      [
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT)",
      ],
      [
        "CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, previous_session_id TEXT, reason TEXT, created_at INTEGER, updated_at INTEGER)",
      ],
      [
        "CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, parent_session_key TEXT, spawned_by TEXT, created_via TEXT, fork_source_session_id TEXT, label TEXT, display_name TEXT, archived_at INTEGER)",
      ],
      ...sessions.flatMap((session): Statement[] => {
        const { id, isArchived } = session
        const time = millisOf(session)
        const header = { type: "session", version: 4, id, timestamp: timeOf(session), cwd: box.project }
        const message = { role: "user", content: "Hello", timestamp: time }
        const event = { type: "message", id: `${id}-1`, parentId: null, timestamp: timeOf(session), message }
        return [
          [
            "INSERT INTO session_nodes VALUES (?, ?, NULL, NULL, NULL, NULL, NULL, NULL, ?)",
            ...[`agent:main:${id}`, id, isArchived ? time : null],
          ],
          ["INSERT INTO session_windows VALUES (?, ?, NULL, NULL, ?, ?)", id, `agent:main:${id}`, time, time],
          ...[header, event].map(
            (one, at): Statement => [
              "INSERT INTO transcript_events VALUES (?, ?, ?, ?, NULL, NULL, NULL)",
              ...[id, at, JSON.stringify(one), time],
            ],
          ),
        ]
      }),
    ]),
  cursor: (box, sessions) =>
    writeDatabase(join(box.folder, ".config/Cursor/User/globalStorage/state.vscdb"), [
      ["CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"],
      ...sessions.flatMap((session): Statement[] => {
        const { id, isArchived } = session
        const time = millisOf(session)
        const composer = {
          ...{ composerId: id, name: "Lamp", createdAt: time, lastUpdatedAt: time, isArchived },
          workspaceIdentifier: { uri: { fsPath: box.project } },
          fullConversationHeadersOnly: [{ bubbleId: "b1", type: 1 }],
        }
        const bubble = { bubbleId: "b1", type: 1, text: "Hello", createdAt: timeOf(session) }
        return [
          ["INSERT INTO cursorDiskKV VALUES (?, ?)", `composerData:${id}`, JSON.stringify(composer)],
          ["INSERT INTO cursorDiskKV VALUES (?, ?)", `bubbleId:${id}:b1`, JSON.stringify(bubble)],
        ]
      }),
    ]),
}

describe.each(Object.entries(AGENTS))("a session that is archived in %s", (agent, write) => {
  test("is marked in lists, and newest only where there is no other", async () => {
    const box = sandbox()
    await write(box, [OPEN, ARCHIVED])
    const of = ["--store", agent]
    const rows = (await box.print("list", ...of)).split("\n").filter((line) => line.includes("archived"))
    expect(rows).toHaveLength(1)
    const { json } = await box.run(["list", "--json", ...of])
    expect(json.map(({ id, kind }) => [id, kind])).toEqual([
      [ARCHIVED.id, "archived"],
      [OPEN.id, undefined],
    ])
    const last = async (ref: string) => (await box.run(["show", ref, "--json", ...of])).json[0]?.sessionId
    expect([await last("@last"), await last("@-2")]).toEqual([OPEN.id, ARCHIVED.id])
    expect(await box.print("resume", "--last", "--print", "id", ...of)).toBe(OPEN.id)
    for (const command of [["resume", "--last", "--print", "id"], ["show"]])
      expect(await box.print(...command)).toContain(OPEN.id)
  })

  test("is the newest where there is nothing else", async () => {
    const box = sandbox()
    await write(box, [ARCHIVED])
    expect(await box.print("resume", "--last", "--print", "id")).toBe(ARCHIVED.id)
    expect(await box.print("show", "@last")).toContain(ARCHIVED.id)
    rmSync(box.cacheDir, { recursive: true })
    expect((await box.run(["list", "--json"])).json).toMatchObject([{ id: ARCHIVED.id, kind: "archived" }])
  })
})
