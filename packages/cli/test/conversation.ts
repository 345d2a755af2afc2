import { readFileSync } from "node:fs"
import { assistantMessage, chain, messageEntry, toolResultMessage, userEntry } from "@treelog-internal/test-kit"
import type { Sandbox } from "./sandbox.js"

/** Three turns of about 100 tokens each, the first of which reads a file and writes another: `u1`, `a1`, `r1`, `r2`, `b1`, `u2` … `a3`. */
export function conversation(): object[] {
  const call = (id: string, name: string, path: string) => ({
    type: "toolCall" as const,
    id,
    name,
    arguments: { path },
  })
  const calls = [call("c1", "read", "src/form.ts"), call("c2", "write", "src/field.ts")]
  return chain(
    userEntry("u1", null, `First question. ${"word ".repeat(40)}`),
    messageEntry("a1", null, assistantMessage("", { content: calls, stopReason: "toolUse" })),
    messageEntry("r1", null, toolResultMessage("form", { toolCallId: "c1", toolName: "read" })),
    messageEntry("r2", null, toolResultMessage("written", { toolCallId: "c2", toolName: "write" })),
    messageEntry("b1", null, assistantMessage(`First answer. ${"word ".repeat(40)}`)),
    userEntry("u2", null, `Second question. ${"word ".repeat(40)}`),
    messageEntry("a2", null, assistantMessage(`Second answer. ${"word ".repeat(40)}`)),
    userEntry("u3", null, `Third question. ${"word ".repeat(40)}`),
    messageEntry("a3", null, assistantMessage(`Third answer. ${"word ".repeat(40)}`)),
  )
}

/** Bytes of every session, and what else there is beside them. */
export function storedBytes(box: Sandbox): string[] {
  return box.snapshot().filter((line) => line.includes(".jsonl"))
}

/** The entries of a session as they are stored. */
export function entriesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .slice(1)
    .map((line) => JSON.parse(line))
}
