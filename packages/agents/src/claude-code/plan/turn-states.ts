import type { PromptState } from "../entries/entry-bodies.js"
import { type Node, OF_CLIENT } from "../link/node.js"
import type { Scope } from "../link/scope.js"
import { isCommand, isTyped, promptText } from "../source/prompt-text.js"
import { messageOf } from "../source/source-record.js"

const EMPTY_OUTPUT = "<local-command-stdout></local-command-stdout>"
/** What may stand between an interruption and the reply that it interrupted, maybe while its calls ran. */
const OF_CALLS: ReadonlySet<string> = /* @__PURE__ */ new Set(["result", "reminder", "local-command"])

/** What became of prompts and replies, as lines behind them say. */
export class TurnStates {
  /** Replies that the user interrupted. */
  readonly aborted = new Set<Node>()
  /** Commands that count as prompts: those that went to the model, and the first where the user typed nothing else. */
  readonly commands = new Set<Node>()
  /** Commands whose output follows: no reply is to come. */
  readonly #printed = new Set<Node>()
  /** Prompts that had no reply when the client ended. */
  readonly #left = new Set<Node>()

  /** @param isGoingOn whether something was typed before */
  constructor(scope: Scope, isGoingOn = false) {
    const { nodes } = scope
    const parents = (kind: string): (Node | undefined)[] =>
      nodes.flatMap(({ record, parent }) => (record.promptKind === kind ? [parent] : []))
    for (const parent of parents("output")) if (parent) this.#printed.add(parent)
    const passed = new Set<Node>()
    for (const parent of parents("interruption")) {
      const reply = firstAbove(parent, passed, ({ role }) => OF_CALLS.has(role))
      if (reply?.role === "reply") this.aborted.add(reply)
    }
    passed.clear()
    for (const parent of parents("exit")) {
      const isPassed = (node: Node): boolean =>
        OF_CLIENT.has(node.role) || (node.role === "prompt" && this.stateOf(node) === "done")
      const prompt = firstAbove(parent, passed, isPassed)
      if (prompt?.role === "prompt") this.#left.add(prompt)
    }
    const commands = nodes.filter(({ record }) => isCommand(record.promptKind))
    for (const node of commands) if (hasArguments(node) && isExpanded(scope, node)) this.commands.add(node)
    const [first] = commands
    if (
      first &&
      !isGoingOn &&
      this.commands.size === 0 &&
      !nodes.some(({ role, record }) => role === "prompt" && isTyped(record.promptKind))
    )
      this.commands.add(first)
  }

  stateOf(node: Node): PromptState {
    if (this.#left.has(node)) return "left"
    const { promptKind } = node.record
    return promptKind === "output" || promptKind === "exit" || this.#printed.has(node) ? "done" : "waits"
  }
}

/** The nearest node that is not to be passed, unless another search has passed those below it. */
function firstAbove(start: Node | undefined, passed: Set<Node>, isPassed: (node: Node) => boolean): Node | undefined {
  let node = start
  for (; node && isPassed(node); node = node.parent) {
    if (passed.has(node)) return undefined
    passed.add(node)
  }
  return node
}

function hasArguments({ record }: Node): boolean {
  return promptText(messageOf(record.value).content).text.includes(" ")
}

/** Whether the text that a command stands for follows it: the model got that, and nothing was printed. */
function isExpanded({ records }: Scope, { at }: Node): boolean {
  let next = at + 1
  while (records[next]?.text?.trim() === EMPTY_OUTPUT) next += 1
  const record = records[next]
  return record?.role === "meta" && promptText(messageOf(record.value).content).kind === "typed"
}
