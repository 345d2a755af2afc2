import { inTerminal, submit, typed } from "../scenario.js"

/** Prompts that are typed while a call runs. */
export const queued = inTerminal("queued", async ({ terminal, model, say }) => {
  await say("Hello")
  const before = model.requests.length
  await typed(terminal, 'CALL Bash {"command":"sleep 6","description":"sleep"}')
  await submit(terminal)
  await terminal.until("run the call", () => model.requests.length > before)
  await typed(terminal, "Also this")
  await submit(terminal)
  await terminal.shows(/(Answer|results) \d+/)
  await terminal.until("answer", () => terminal.lines().some((line) => /(Answer|results) [3-9]/.test(line)))
  await say("What now?")
})

/** A call that the user interrupts. */
export const interrupted = inTerminal("interrupted", async ({ terminal, model, say }) => {
  await say("Hello")
  const before = model.requests.length
  await typed(terminal, 'CALL Bash {"command":"tail -f /dev/null","description":"wait"}')
  await submit(terminal)
  await terminal.until("run the call", () => model.requests.length > before)
  await terminal.shows(/Running|tail -f/)
  terminal.press("Escape")
  await terminal.shows(/Interrupted/)
  await say("What now?")
})

/** Lines for the shell, and commands of the client. */
export const local = inTerminal("local", async ({ terminal, say }) => {
  await say("Hello")
  terminal.type("!")
  await typed(terminal, "echo from the shell")
  await submit(terminal)
  await terminal.shows(/⎿\s+from the shell/)
  await typed(terminal, "/status-of-nothing")
  terminal.press("Ctrl-u")
  await say("What now?")
})

/** A plan that is made and accepted. */
export const plan = inTerminal(
  "plan",
  async ({ terminal, say }) => {
    await say("Think of a plan")
    terminal.press("BackTab")
    await terminal.until("leave the plan mode", () => !terminal.lines().some((line) => line.includes("plan mode on")))
    await say("Go on")
  },
  { args: ["--permission-mode", "plan"] },
)

/** Two compactions. */
export const compactions = inTerminal("compactions", async ({ terminal, say }) => {
  await say("The first prompt")
  await say('CALL Bash {"command":"echo one","description":"one"}')
  await compact()
  await say("The second prompt")
  await say("The third prompt")
  await compact()
  await say("The fourth prompt")

  async function compact(): Promise<void> {
    await typed(terminal, "/compact be brief")
    await submit(terminal)
    await terminal.shows(/⎿\s+Compacted|Compacted \(ctrl/)
    await terminal.until("end the compaction", () => !terminal.lines().some((line) => /Compacting/.test(line)))
  }
})
