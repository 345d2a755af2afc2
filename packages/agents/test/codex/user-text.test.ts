import type { CodexSession } from "@treelog/agents/codex"
import { isEntry, type UserMessage } from "@treelog/session-core"
import { FactCollector } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { A, entriesOf, event, file, input, item, type Line, meta, only, said } from "./rollout-lines.js"

const prompts = (session: CodexSession): UserMessage[] =>
  entriesOf(session).flatMap((entry) =>
    isEntry(entry, "message") && entry.message.role === "user" ? [entry.message as UserMessage] : [],
  )

/** What a list says of the session when it was read whole. */
function listed(session: CodexSession): string {
  const facts = new FactCollector()
  for (const entry of entriesOf(session)) facts.addEntry(entry as unknown as Record<string, unknown>)
  return facts.facts({ size: 0, modified: 0, identity: "" }).firstMessage
}

const newest = { cli_version: "0.150.0" }
const texts = (session: CodexSession): string[] =>
  input(session).map((one) => /"text":"(?<text>[^"]*)"/.exec(JSON.stringify(one))?.groups?.text ?? JSON.stringify(one))

describe("what Codex writes as the user", () => {
  it.each([
    ["AGENTS.md", "# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"],
    ["instructions of 2025", "<user_instructions>\nBe brief.\n</user_instructions>"],
    ["the environment", "  <environment_context>\n<cwd>/x</cwd>\n</environment_context>\n"],
    ["an extension", "<extension_context>\nx\n</extension_context>"],
    ["an application, with its kind", '<external_context kind="untrusted" source="tab">docs</external_context>'],
    ["an application, by its name", "<external_editor.tabs>a.ts</external_editor.tabs>"],
    ["a goal", '<codex_internal_context source="goal">\nContinue.\n</codex_internal_context>'],
    ["a goal of older versions", "<goal_context>Continue.</goal_context>"],
    ["a skill", "<skill>\n<name>pdf</name>\n</skill>"],
    ["a command of the user", "<user_shell_command>\nls\n</user_shell_command>"],
    ["an interruption", "<turn_aborted>\nstopped\n</turn_aborted>"],
    ["a notice of a sub-agent, in capitals", "<SUBAGENT_NOTIFICATION>{}</subagent_notification>"],
    ["plugins", "<recommended_plugins>\n- a\n</recommended_plugins>"],
    ["a hook", '<hook_prompt hook_run_id="r">Go on</hook_prompt>'],
    [
      "a warning of apply_patch",
      "Warning: apply_patch was requested via shell. Use the apply_patch tool instead of exec_command.",
    ],
    [
      "a warning of processes",
      "Warning: The maximum number of unified exec processes you can keep open is 60, and you have 60.",
    ],
    [
      "a warning of the account",
      "Warning: Your account was flagged for potentially high-risk cyber activity, so a weaker model answers.",
    ],
  ])("is no prompt where it is %s, and the model gets it", (_, fragment) => {
    const session = only(file(A, [meta(A), said("user", fragment), said("user", "Real question")]))
    expect(prompts(session)).toHaveLength(1)
    expect(listed(session)).toBe("Real question")
    expect(JSON.stringify(input(session))).toContain(JSON.stringify(fragment).slice(1, -1))
  })

  it.each([
    ["mark in the middle", "What is <environment_context> for? </environment_context> is its end."],
    ["mark without its end", "<goal_context> is what I saw"],
    ["name that ends otherwise", "<external_a>x</external_b>"],
    ["source that no program has", '<codex_internal_context source="My Goal">x</codex_internal_context>'],
    ["other warning", "Warning: disk full"],
  ])("is a prompt with a %s", (_, prompt) => {
    expect(listed(only(file(A, [meta(A), said("user", prompt)])))).toBe(prompt)
  })

  it("is no prompt where one of several parts is the program's", () => {
    const mixed = said("user", "kept for the model", "<skill>\nx\n</skill>")
    expect(listed(only(file(A, [meta(A), mixed, said("user", "Mine")])))).toBe("Mine")
  })
})

describe("a prompt", () => {
  it("is listed without what an editor put before it, and without marks of pictures; the model gets all of it", () => {
    const typed = "# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nSort the table\n"
    const session = only(file(A, [meta(A), said("user", "<image name=[Image #1]>", "</image>", typed)]))
    expect(listed(session)).toBe("Sort the table")
    expect(prompts(session)).toMatchObject([{ prompt: "Sort the table" }])
    expect(JSON.stringify(input(session))).toContain("Active file: a.ts")
  })

  it("of which nothing was typed leaves its place in lists to the next one", () => {
    const empty = said("user", "# Files mentioned by the user:\n## a.png\n## My request for Codex:\n")
    expect(listed(only(file(A, [meta(A), empty, said("user", "And now?")])))).toBe("And now?")
  })

  it("that says only itself is stored without a field of its own", () => {
    expect(prompts(only(file(A, [meta(A), said("user", "one")])))[0]).not.toHaveProperty("prompt")
  })
})

describe("an output of no call", () => {
  it("is what the program tells the model, and nobody's prompt or result", () => {
    const objective = {
      type: "function_call_output",
      name: "goal_objective",
      namespace: "agent",
      output: "Make it right",
    }
    const session = only(file(A, [meta(A), said("user", "one"), item(objective)]))
    expect(entriesOf(session).at(-1)).toMatchObject({ type: "custom_message", customType: "codex.goal_objective" })
    expect(input(session).at(-1)).toEqual({ role: "user", content: [{ type: "input_text", text: "Make it right" }] })
  })
})

describe("a rollback", () => {
  const goal = said("user", "<goal_context>Continue.</goal_context>")
  const turn = (name: string): Line[] => [said("user", `Prompt ${name}`), said("assistant", `Answer ${name}`)]
  const back = (turns: number): Line => event("thread_rolled_back", { num_turns: turns })

  it("counts turns that a person began, and not those of a goal", () => {
    const goalTurn = [goal, said("assistant", "Worked")]
    const lines = [meta(A, newest), ...turn("one"), ...turn("two"), ...goalTurn, back(1), ...turn("three")]
    expect(texts(only(file(A, lines)))).toEqual(["Prompt one", "Answer one", "Prompt three", "Answer three"].map(shown))
  })

  it("counts what other agents asked, in each of the forms that Codex has", () => {
    const asked = { author: "/root", recipient: "/root/a", other_recipients: [], content: "Look", trigger_turn: true }
    for (const request of [
      ["inter_agent_communication", asked],
      ["response_item", { type: "agent_message", author: "/root", recipient: "/root/a", content: [] }],
      said("assistant", JSON.stringify(asked)),
    ] as const) {
      const lines = [meta(A, newest), ...turn("one"), request, said("assistant", "Looked"), back(1), ...turn("two")]
      expect(JSON.stringify(input(only(file(A, lines))))).not.toContain("Look")
      expect(JSON.stringify(input(only(file(A, lines))))).toContain("Answer one")
    }
  })

  it("takes the context before the turn back with it, but not what precedes the first turn", () => {
    const context = [
      said("developer", "<model_switch>\nother\n</model_switch>"),
      said("user", "<environment_context>\n<cwd>/y</cwd>\n</environment_context>"),
    ]
    const one = only(file(A, [meta(A, newest), ...context, ...turn("one"), ...context, ...turn("two"), back(1)]))
    expect(input(one)).toHaveLength(4)
    const all = only(file(A, [meta(A, newest), ...context, ...turn("one"), ...context, ...turn("two"), back(9)]))
    expect(input(all)).toHaveLength(2)
    const old = only(file(A, [meta(A), ...context, ...turn("one"), ...context, ...turn("two"), back(1)]))
    expect(input(old)).toHaveLength(6)
  })

  it("takes back the model that was chosen after the turn before", () => {
    const chosen = (model: string): Line => ["turn_context", { cwd: "/x", model, effort: "low" }]
    const lines = [
      meta(A, newest),
      chosen("gpt-a"),
      ...turn("one"),
      ...turn("two"),
      chosen("gpt-b"),
      said("assistant", "more"),
    ]
    const session = only(file(A, [...lines, back(1), chosen("gpt-b"), ...turn("three")]))
    const changes = entriesOf(session).filter(({ type }) => type === "model_change")
    expect(changes.map((entry) => "modelId" in entry && entry.modelId)).toEqual(["gpt-a", "gpt-b", "gpt-b"])
  })

  it("of no turns, or where there are none, changes nothing", () => {
    expect(input(only(file(A, [meta(A, newest), back(2), ...turn("one"), back(0)])))).toHaveLength(2)
  })
})

const shown = (said: string): string => (said.startsWith("Answer") ? `{"role":"assistant","content":"${said}"}` : said)
