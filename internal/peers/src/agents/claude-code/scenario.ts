import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Scenario } from "../frame/agent.js"
import type { AgentInTerminal } from "../frame/in-terminal.js"
import type { AgentPlace } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"
import { checkSessions } from "./check-sessions.js"
import { Claude } from "./claude.js"

/** What a person does in a terminal. */
export interface Work {
  readonly claude: Claude
  readonly terminal: AgentInTerminal
  readonly model: ModelServer
  /** Types a prompt, and waits for the answer. */
  say(prompt: string): Promise<void>
  /** Waits until a text stands in the input, and removes it. */
  emptyInput(text: string): Promise<void>
}

/** What a scenario starts with. */
export interface Start {
  /** Of `settings.json`. */
  readonly settings?: object
  /** Files of the project, by their paths in it. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly args?: readonly string[]
  /** Further ones that name a file, which it writes in the home. */
  readonly argsIn?: (home: string) => readonly string[]
}

/** A prompt without a terminal. */
interface Printed {
  readonly prompt: string
  readonly args?: readonly string[]
  /** The client is killed once it is asked, and the session has this text. */
  readonly killedIn?: string
}

/** A scenario of prompts without a terminal, one after the other in a session. */
export function printed(name: string, prompts: readonly (string | Printed)[], start: Start = {}): Scenario {
  return {
    name,
    async run(place, model) {
      const claude = started(place, model, start)
      const always = [...(start.args ?? []), ...(start.argsIn?.(place.home) ?? [])]
      let id: string | undefined
      for (const one of prompts) {
        const { prompt, args = [], killedIn } = typeof one === "string" ? { prompt: one } : (one as Printed)
        const all = [...(id === undefined ? [] : ["--resume", id]), ...always, ...args]
        if (killedIn === undefined) id = await claude.ask(prompt, ...all)
        else {
          const before = model.requests.length
          await claude.kill(prompt, () => model.requests.length > before && claude.hasSaid(killedIn), ...all)
        }
      }
      return checkSessions(claude, model, always)
    },
  }
}

/** A scenario in a terminal, whose sessions are compared in the end. */
export function inTerminal(name: string, work: (work: Work) => Promise<void>, start: Start = {}): Scenario {
  return {
    name,
    async run(place, model) {
      const claude = started(place, model, start)
      const terminal = claude.inTerminal("--permission-mode", "default", ...(start.args ?? []))
      try {
        await terminal.shows(/mode on|for shortcuts/)
        const say = async (prompt: string): Promise<void> => {
          await typed(terminal, prompt)
          const before = model.requests.length
          await submit(terminal)
          await terminal.until("answer", () => isAnswered(terminal, model, before))
        }
        const emptyInput = async (text: string): Promise<void> => {
          await terminal.until(`have the input ${text}`, () => inputOf(terminal).includes(text))
          let waited = 0
          await terminal.until("have an empty input", () => {
            if (waited++ % 20 === 0) terminal.press("Ctrl-u")
            return !inputOf(terminal).includes(text.slice(0, 1)) || /^Try "/.test(inputOf(terminal))
          })
        }
        await work({ claude, terminal, model, say, emptyInput })
        await typed(terminal, "/exit")
        await submit(terminal)
        await terminal.ended
      } finally {
        await terminal.close()
      }
      return checkSessions(claude, model)
    },
  }
}

function started(place: AgentPlace, model: ModelServer, { settings, files = {} }: Start): Claude {
  for (const [name, content] of Object.entries(files)) {
    const path = join(place.project, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return new Claude(place, model, settings)
}

/** Types a line, and waits until it stands in the input. */
export async function typed(terminal: AgentInTerminal, line: string): Promise<void> {
  terminal.type(line)
  await terminal.until(`have the input ${line}`, () => inputOf(terminal).includes(line.slice(0, 80)))
}

/** Presses Enter until what stands in the input is gone: a key can come too early. Seldom, since a busy machine shows late what it did. */
export async function submit(terminal: AgentInTerminal): Promise<void> {
  const input = inputOf(terminal)
  let waited = 0
  await terminal.until(`take ${input}`, () => {
    if (waited++ % 300 === 0) terminal.press("Enter")
    return inputOf(terminal) !== input
  })
}

/** What stands in the input, which is the last line that begins so. */
function inputOf(terminal: AgentInTerminal): string {
  return (
    terminal
      .lines()
      .filter((line) => /^[❯>!]/.test(line))
      .at(-1)
      ?.slice(1)
      .trim() ?? ""
  )
}

function isAnswered(terminal: AgentInTerminal, model: ModelServer, before: number): boolean {
  const count = model.requests.length
  return count > before && terminal.lines().some((line) => new RegExp(`(Answer|results) ${count}\\b`).test(line))
}

/** Opens the list of prompts to go back to, and chooses one from the end. @param choice the line of the menu */
export async function rewindTo(terminal: AgentInTerminal, fromEnd: number, choice: string): Promise<void> {
  await typed(terminal, "/rewind")
  await submit(terminal)
  await terminal.shows("Enter to continue")
  const chosen = (): string | undefined =>
    terminal
      .lines()
      .filter((line) => line.includes("❯"))
      .at(-1)
  for (let step = 0; step < fromEnd; step++) {
    const before = chosen()
    terminal.press("Up")
    await terminal.until("choose the prompt before", () => chosen() !== before)
  }
  terminal.press("Enter")
  await terminal.shows(choice)
  const number =
    terminal
      .lines()
      .join("\n")
      .match(new RegExp(`(\\d)\\. ${choice}`))?.[1] ?? "1"
  terminal.type(number)
}

/** A line that asks for a sub-agent. */
export const agent = (description: string, prompt: string, more: object = {}): string =>
  `CALL Agent ${JSON.stringify({ description, prompt, subagent_type: "general-purpose", run_in_background: false, ...more })}`
