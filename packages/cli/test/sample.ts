import {
  assistantEntry,
  assistantMessage,
  entry,
  messageEntry,
  toolResultMessage,
  userEntry,
} from "@treelog-internal/test-kit"

/**
 * A conversation with every sort of entry that is drawn in a way of its own: two branches at `aaaa0005`, a summary of the first
 * one on the second, a label, a compaction, and bookkeeping in between.
 */
export function sampleEntries(): object[] {
  return [
    entry("model_change", "aaaa0001", null, { provider: "anthropic", modelId: "claude-test" }),
    userEntry("aaaa0002", "aaaa0001", "Add a discount field"),
    messageEntry(
      "aaaa0003",
      "aaaa0002",
      assistantMessage("", {
        content: [
          { type: "thinking", thinking: "Find the form first." },
          { type: "toolCall", id: "call-1", name: "read", arguments: { path: "form.tsx", limit: 3 } },
        ],
        stopReason: "toolUse",
      }),
    ),
    messageEntry("aaaa0004", "aaaa0003", toolResultMessage(numbered(15))),
    assistantEntry("aaaa0005", "aaaa0004", "The field is in place."),
    userEntry("aaaa0006", "aaaa0005", "Rewrite it all"),
    entry("label", "aaaa0007", "aaaa0006", { targetId: "aaaa0005", label: "works" }),
    entry("branch_summary", "aaaa0008", "aaaa0005", { fromId: "aaaa0007", summary: "A rewrite did not help." }),
    userEntry("aaaa0009", "aaaa0008", "Only fix the tests"),
    entry("compaction", "aaaa000a", "aaaa0009", {
      summary: "## Goal\nA discount field.",
      firstKeptEntryId: "aaaa0009",
      tokensBefore: 2600,
    }),
    entry("session_info", "aaaa000b", "aaaa000a", { name: "Discount" }),
    messageEntry("aaaa000c", "aaaa000b", {
      role: "bashExecution",
      command: "npm test",
      output: "1 failed",
      exitCode: 1,
      cancelled: false,
      truncated: false,
      timestamp: 0,
    }),
    messageEntry(
      "aaaa000d",
      "aaaa000c",
      assistantMessage("", { content: [], stopReason: "error", errorMessage: "Overloaded" }),
    ),
  ]
}

function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `line ${index + 1}`).join("\n")
}
