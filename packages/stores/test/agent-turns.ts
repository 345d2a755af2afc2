// Sessions of agents as they are at a moment of a turn: what their files had when the programs of npm were run, with the fields that decide.

/** `asked`: the model is asked. `called`: it has called a tool. `over`: it has answered. `asking`: the agent has asked for a permission. */
export type Moment = "asked" | "called" | "asking" | "over"

export const ID = "0a1b2c3d-0000-4000-8000-000000000001"
export const CWD = "/srv/shop"
/** Milliseconds since 1970. */
export const AT = Date.UTC(2026, 10, 29, 5, 40)

const timestamp = new Date(AT).toISOString()

/** A session of an agent in a home folder. */
export interface AgentTurn {
  readonly agent: string
  /** The command of its process. */
  readonly command: string
  readonly file: string
  lines(moment: Moment): readonly object[]
}

const claude: AgentTurn = {
  agent: "claude-code",
  command: "claude",
  file: `.claude/projects/-work-shop/${ID}.jsonl`,
  lines(moment) {
    const common = { sessionId: ID, cwd: CWD, version: "2.1.332", isSidechain: false, userType: "external", timestamp }
    const replies = {
      asked: [],
      called: [{ content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: {} }], stop_reason: "tool_use" }],
      asking: [],
      over: [{ content: [{ type: "text", text: "Done" }], stop_reason: "end_turn" }],
    }[moment]
    return [
      { ...common, type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "Why?" } },
      ...replies.map((reply) => ({
        ...{ ...common, type: "assistant", uuid: "a1", parentUuid: "u1", requestId: "r1" },
        message: { id: "m1", role: "assistant", model: "claude-x", usage: {}, ...reply },
      })),
      { type: "last-prompt", lastPrompt: "Why?", sessionId: ID },
    ]
  },
}

const codex: AgentTurn = {
  agent: "codex",
  command: "codex",
  file: `.codex/sessions/2026/11/29/rollout-2026-11-29T05-40-00-${ID}.jsonl`,
  lines(moment) {
    const event = (payload: object) => ({ timestamp, type: "event_msg", payload })
    const item = (payload: object) => ({ timestamp, type: "response_item", payload })
    const call = { type: "function_call", name: "exec_command", arguments: "{}", call_id: "c1" }
    const answer = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done" }] }
    const meta = { id: ID, timestamp, cwd: CWD, originator: "codex-tui", cli_version: "0.171.0", source: "cli" }
    return [
      { timestamp, type: "session_meta", payload: meta },
      event({ type: "task_started", turn_id: "t1" }),
      item({ type: "message", role: "user", content: [{ type: "input_text", text: "Why?" }] }),
      event({ type: "user_message", message: "Why?" }),
      ...(moment === "called" ? [item(call)] : []),
      ...(moment === "over" ? [item(answer), event({ type: "task_complete", turn_id: "t1" })] : []),
    ]
  },
}

const copilot: AgentTurn = {
  agent: "copilot",
  command: "copilot",
  file: `.copilot/session-state/${ID}/events.jsonl`,
  lines(moment) {
    let count = 0
    const event = (type: string, data: object) => ({ type, data, id: `e${++count}`, timestamp, parentId: null })
    const toolRequests = [{ toolCallId: "c1", name: "bash", arguments: {}, type: "function" }]
    const hasCalled = moment === "called" || moment === "asking"
    const asked = event("permission.requested", {
      requestId: "q1",
      permissionRequest: { kind: "shell", toolCallId: "c1" },
    })
    const answered = event("permission.completed", { requestId: "q1", toolCallId: "c1", result: { kind: "approved" } })
    return [
      event("session.start", {
        sessionId: ID,
        version: 1,
        copilotVersion: "1.0.102",
        startTime: timestamp,
        context: { cwd: CWD },
      }),
      event("user.message", { content: "Why?" }),
      event("assistant.turn_start", { turnId: "0" }),
      ...(hasCalled
        ? [
            event("assistant.message", { messageId: "m1", content: "", toolRequests }),
            event("tool.execution_start", { toolCallId: "c1", toolName: "bash", arguments: {} }),
            asked,
          ]
        : []),
      ...(moment === "called" ? [answered] : []),
      ...(moment === "over"
        ? [
            event("assistant.message", { messageId: "m1", content: "Done", toolRequests: [] }),
            event("assistant.turn_end", { turnId: "0" }),
          ]
        : []),
    ]
  },
}

const qwen: AgentTurn = {
  agent: "qwen",
  command: "qwen",
  file: `.qwen/projects/-work-shop/chats/${ID}.jsonl`,
  lines(moment) {
    const common = { sessionId: ID, timestamp, cwd: CWD, version: "0.24.4" }
    const call = { functionCall: { id: "c1", name: "run_shell_command", args: {} } }
    const parts = moment === "called" ? [call] : [{ text: "Done" }]
    return [
      { ...common, uuid: "u1", parentUuid: null, type: "user", message: { role: "user", parts: [{ text: "Why?" }] } },
      ...(moment === "asked"
        ? []
        : [
            {
              ...common,
              uuid: "a1",
              parentUuid: "u1",
              type: "assistant",
              model: "x",
              message: { role: "model", parts },
            },
          ]),
    ]
  },
}

const gemini: AgentTurn = {
  agent: "gemini",
  command: "gemini",
  file: ".gemini/tmp/shop/chats/session-2026-11-29T05-40-0a1b2c3d.jsonl",
  lines(moment) {
    return [
      {
        sessionId: ID,
        projectHash: "00",
        startTime: timestamp,
        lastUpdated: timestamp,
        kind: "main",
        directories: [CWD],
      },
      { id: "u1", timestamp, type: "user", content: [{ text: "Why?" }] },
      // A call is stored with its result.
      ...(moment === "asked" ? [] : [{ id: "a1", timestamp, type: "gemini", content: "Done", model: "gemini-x" }]),
      { $set: { lastUpdated: timestamp } },
    ]
  },
}

const pi: AgentTurn = {
  agent: "pi",
  command: "pi",
  file: `.pi/agent/sessions/--work-shop--/2026-11-29T05-40-00-000Z_${ID}.jsonl`,
  lines(moment) {
    const call = { type: "toolCall", id: "c1", name: "bash", arguments: {} }
    const reply = moment === "called" ? [[call], "toolUse"] : [[{ type: "text", text: "Done" }], "stop"]
    const [content, stopReason] = reply
    const message = {
      role: "assistant",
      content,
      stopReason,
      provider: "x",
      model: "y",
      api: "z",
      usage: {},
      timestamp: AT,
    }
    return [
      { type: "session", version: 3, id: ID, timestamp, cwd: CWD },
      {
        type: "message",
        id: "u1",
        parentId: null,
        timestamp,
        message: { role: "user", content: "Why?", timestamp: AT },
      },
      ...(moment === "asked" ? [] : [{ type: "message", id: "a1", parentId: "u1", timestamp, message }]),
    ]
  },
}

export const AGENT_TURNS = { claude, codex, copilot, qwen, gemini, pi }
