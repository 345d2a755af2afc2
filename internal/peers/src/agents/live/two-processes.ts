import type { Findings, Scenario } from "../frame/agent.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { asked, COMMAND, documentsOf, killAllOf, type LiveAgent, quit, started, untilReady } from "./live-agent.js"

const [FIRST, SECOND] = ["From the first process", "From the second process"]

interface TreeNode {
  readonly id: string
  readonly text: string
  readonly leaf: boolean
}

/**
 * Two processes that go on with one session: `resume` names the first one before there is a second, both answers are in the tree, `verify` finds no
 * damage, and each of the branches goes on.
 */
export function twoProcesses(agent: LiveAgent): Scenario {
  return {
    name: "two-processes",
    async run(place, model): Promise<Findings> {
      const local = agent.prepare(place, model)
      const differences: string[] = []
      const { store } = agent
      const terminals: AgentInTerminal[] = []
      const open = (terminal: AgentInTerminal): AgentInTerminal => {
        terminals.push(terminal)
        return terminal
      }
      const say = async (terminal: AgentInTerminal, prompt: string): Promise<void> => {
        const before = model.requests.length
        await asked(terminal, model, prompt)
        // It may ask for something else before: which model to take.
        const isNew = ([, count]: RegExpMatchArray): boolean => Number(count) > before
        await terminal.until("answer", () =>
          [
            ...terminal
              .lines()
              .join("\n")
              .matchAll(/Answer (\d+)/g),
          ].some(isNew),
        )
      }
      const resumed = (...args: readonly string[]): AgentInTerminal => {
        const all = [COMMAND, "resume", ...args, "--store", store]
        return open(new AgentInTerminal({ ...local, bin: "" }, process.execPath, all))
      }
      try {
        const first = open(await started(agent, local))
        await say(first, "Hello")
        const [{ id = "" } = {}] = await documentsOf<{ id: string }>(place, "list", "--all", "--store", store)
        const busy = resumed(id)
        await busy.shows(/in use by process|may have it/)
        const said = busy.lines().join("")
        if (!/--fork|--with codex/.test(said)) differences.push(`resume offers no copy: ${said.trim()}`)
        await busy.close()
        const second = open(await started(agent, local, agent.resume(id)))
        await say(second, SECOND)
        await say(first, FIRST)
        for (const terminal of [second, first]) await quit(agent, terminal)
        const [verified] = await documentsOf<{ ok: boolean }>(place, "verify", id, "--store", store)
        if (verified?.ok !== true) differences.push(`verify says ${JSON.stringify(verified)}`)
        const [tree] = await documentsOf<{ nodes: readonly TreeNode[] }>(place, "tree", id, "--store", store)
        for (const prompt of [FIRST, SECOND]) {
          const node = tree?.nodes.find(({ text }) => text.includes(prompt))
          if (!node) differences.push(`the tree lacks "${prompt}": ${JSON.stringify(tree?.nodes)}`)
          if (!node) continue
          // The answer is behind the prompt.
          const leaf = tree?.nodes[(tree?.nodes.indexOf(node) ?? 0) + 1] ?? node
          const branch = resumed(id, "--leaf", leaf.id)
          await untilReady(agent, branch)
          await say(branch, `Behind ${prompt}`)
          if (!JSON.stringify(model.requests.at(-1)).includes(prompt))
            differences.push(`from "${prompt}": it is not sent`)
          await quit(agent, branch)
        }
      } finally {
        for (const terminal of terminals) await terminal.close()
        await killAllOf(agent, place)
      }
      return { differences, unknown: [] }
    },
  }
}
