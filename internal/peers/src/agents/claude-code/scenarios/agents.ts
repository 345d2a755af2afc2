import { agent, printed } from "../scenario.js"

/** Sub-agents that are waited for, one with a call, and two at once. */
export const agents = printed("agents", [
  agent("look", 'CALL Bash {"command":"echo deep","description":"deep"}'),
  `${agent("left", "Go left")}\n${agent("right", "Go right")}`,
  "What now?",
])

/** A sub-agent that has one of its own. */
export const nestedAgents = printed("nested-agents", [agent("outer", agent("inner", "Look inside")), "What now?"])

const SCRIPT = `export const meta = { name: "two", description: "Two agents", phases: [{ title: "Look" }] }
phase("Look")
const [a, b] = await parallel([() => agent("Look at one"), () => agent("Look at two")])
return a + b
`

/** A workflow of sub-agents. */
export const workflow = printed("workflow", [`CALL Workflow ${JSON.stringify({ script: SCRIPT })}`, "What now?"], {
  args: ["--allowedTools", "Workflow,Agent"],
})
