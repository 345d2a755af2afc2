import type { Session } from "@treelog/session-core"
import type { Said } from "./sample-messages.js"

/** Appends an entry of every kind that a session has a method for, over several branches, with two compactions. */
export function writeEveryEntry(session: Session, { user, assistant, result }: Said): void {
  session.append({
    type: "session_init",
    systemPrompt: "You are a coding agent.",
    task: "Add a discount code",
    tools: ["read", "edit"],
    outputSchema: { type: "object", properties: { done: { type: "boolean" } } },
  })
  session.appendModelChange("anthropic", "claude-sonnet-4-5")
  session.appendModelChange("openai", "gpt-5-mini", "smol")
  session.appendThinkingLevelChange("high")
  session.appendSessionInfo("Discount — 割引 🛒")

  const question = session.appendMessage(user("Add a discount code field to the checkout form"))
  const read = { type: "toolCall" as const, id: "call_1", name: "read", arguments: { path: "src/form.tsx" } }
  session.appendMessage(assistant("Let me look at the form.", read))
  session.appendMessage(result(read, [{ type: "text", text: "export function Form() {\n\treturn <form />\n}" }]))
  const answer = session.appendMessage(assistant("Done. The field is in place."))
  session.appendLabelChange(answer, "works")
  session.appendLabelChange(question, "soon gone")
  session.appendLabelChange(question, undefined)
  session.appendMessage({
    role: "bashExecution",
    command: "npm test",
    output: "2 failed",
    exitCode: 1,
    cancelled: false,
    truncated: false,
    timestamp: 0,
  })

  session.appendMessage(user("Two tests fail"))
  session.append({ type: "mode_change", mode: "plan", data: { planFile: "docs/plan.md" } })
  session.append({ type: "ttsr_injection", injectedRules: ["no-any", "small-files"] })
  session.appendMessage(assistant("Let me try a rewrite of the whole form."))
  session.append({ type: "mode_change", mode: "none" })
  session.branchWithSummary(answer, "Tried rewriting the whole form; the tests stayed red.", { readFiles: [] }, false)

  session.appendCustomEntry("todo", { items: [{ text: "validate", done: false }] })
  session.appendCustomMessageEntry(
    "memory",
    "The project uses zod.",
    true,
    { source: "notes" },
    { attribution: "user" },
  )
  session.appendCustomMessageEntry("note", [{ type: "text", text: "Be strict." }], false)
  const fix = session.appendMessage(user("Fix only the failing validation"))
  session.appendCompaction(
    "The form has a discount code field.",
    fix,
    2_600,
    { modifiedFiles: ["src/form.tsx"] },
    true,
    {
      shortSummary: "Discount code",
      preserveData: { vendor: { kept: true } },
      usage: { input: 2_600, output: 40, cacheRead: 0, cacheWrite: 0, totalTokens: 2_640 },
    },
  )
  session.appendMessage(assistant("Fixed."))
  session.appendThinkingLevelChange(null)
  session.appendCompaction("Everything is done.", undefined, 900)
  const last = session.appendMessage(user("Thank you"))
  session.appendMessage(assistant("You are welcome."))

  session.resetLeaf()
  session.appendMessage(user("Something else altogether"))
  session.branch(last)
  session.persistLeaf()
}
