import { SessionManager } from "@treelog/session-core"
import { compact } from "@treelog/session-core/compaction"
import { describe, expect, it } from "vitest"
import { givenManager } from "./given-manager.js"

describe("the faces that callers of pi and xcsh know", () => {
  const session = givenManager().sessions.inMemory("/project")

  it.each([
    "append",
    "appendMessage",
    "appendThinkingLevelChange",
    "appendModelChange",
    "appendCompaction",
    "appendCustomEntry",
    "appendCustomMessageEntry",
    "appendSessionInfo",
    "appendLabelChange",
    "getLeafId",
    "getLeafEntry",
    "getEntry",
    "getEntries",
    "getBranch",
    "getTree",
    "getChildren",
    "getLabel",
    "branch",
    "resetLeaf",
    "branchWithSummary",
    "createBranchedSession",
    "newSession",
    "setSessionFile",
    "buildSessionContext",
    "readContext",
    "getHeader",
    "getSessionName",
    "getCwd",
    "getSessionDir",
    "getSessionId",
    "getSessionFile",
    "isPersisted",
    "flush",
    "close",
    "retry",
    "persistLeaf",
    "getDiagnostics",
  ] as const)("a session has %s", (name) => {
    expect(session[name]).toBeInstanceOf(Function)
  })

  it.each([
    "create",
    "open",
    "continueRecent",
    "inMemory",
    "forkFrom",
    "list",
    "listAll",
    "resolve",
    "delete",
    "readContext",
  ] as const)("a manager has %s", (name) => {
    expect(SessionManager.prototype[name]).toBeInstanceOf(Function)
  })

  it("what a session consists of is no member of it, and an object that only looks like one is refused", async () => {
    expect("parts" in session).toBe(false)
    const alike = Object.create(session, {}) as typeof session
    await expect(compact(alike, { summary: "S" } as never)).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "session" },
    })
  })
})
