import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { type LiveState, RunningAgents } from "@treelog/stores"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, killAll } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"

/** An agent that is asked in a terminal, where it asks for permissions. */
export interface LiveAgent {
  /** As `--store` takes it. */
  readonly store: string
  readonly program: string
  readonly args?: readonly string[]
  /** Makes the settings of a person who has used it before. @returns where it asks the local model */
  prepare(place: AgentPlace, model: ModelServer): AgentPlace
  /** What goes on with a session. */
  resume(id: string): readonly string[]
  /** What the screen shows when it takes a prompt. */
  readonly ready: RegExp
  /** What the screen shows where it first asks for something: whether to trust the folder, or to go on with what another process has. */
  readonly confirms?: RegExp
  /** A prompt that makes the model call a command of some seconds. */
  readonly command: string
  /** What the screen shows where a permission is asked for, with yes chosen. Undefined of an agent that asks for none. */
  readonly asks?: RegExp
  /** The command that ends it. */
  readonly quit: string
  /** Ends the process behind it that has its sessions, where there is one. */
  stop?(place: AgentPlace): Promise<unknown>
  /** States that its files do not tell: the manual says why. */
  readonly unknown?: readonly LiveState["state"][]
}

/** Built before the scenarios run. */
export const COMMAND = resolve("packages/cli/dist/main.js")

/** Starts an agent, and waits until it takes a prompt. @param place where it asks the local model */
export async function started(
  agent: LiveAgent,
  place: AgentPlace,
  more: readonly string[] = [],
): Promise<AgentInTerminal> {
  const { program, args = [] } = agent
  const terminal = new AgentInTerminal(place, program, [...args, ...more])
  await untilReady(agent, terminal)
  return terminal
}

/** Waits until an agent takes a prompt, and confirms what it asks before that. */
export async function untilReady({ ready, confirms }: LiveAgent, terminal: AgentInTerminal): Promise<void> {
  let waited = 0
  await terminal.until(`show ${ready}`, () => {
    const screen = terminal.lines().join("\n")
    if (confirms && screen.search(confirms) !== -1 && waited++ % 40 === 0) terminal.press("Enter")
    return screen.search(ready) !== -1
  })
}

/** Types a prompt, and waits until the model is asked. */
export async function asked(terminal: AgentInTerminal, { requests }: ModelServer, prompt: string): Promise<void> {
  const before = requests.length
  const text = JSON.stringify(prompt).slice(1, -1)
  // An agent may ask for something else meanwhile.
  const isAsked = (): boolean => requests.slice(before).some((request) => JSON.stringify(request).includes(text))
  await terminal.enter(prompt, `ask ${prompt}`, isAsked)
}

/** Types the command that ends an agent, and waits for its end. */
export async function quit({ quit }: LiveAgent, terminal: AgentInTerminal): Promise<void> {
  let isOver = false
  const ended = terminal.ended.then(() => {
    isOver = true
  })
  await terminal.enter(quit, "end", () => isOver)
  await ended
}

/** Kills all processes of an agent that have a home, and what they started. */
export async function killAllOf(agent: LiveAgent, { home, project }: AgentPlace): Promise<void> {
  const agents = await RunningAgents.now({ env: { HOME: home }, cwd: project })
  const running = await agents.of(agent.store)
  for (const { pid } of running ?? []) killAll(pid)
}

/** Runs treelog, as a person who has the home of the agent. @returns what it prints @throws Error: it did not end well */
export async function treelog({ home, env, project }: AgentPlace, ...args: readonly string[]): Promise<string> {
  const cwd = existsSync(project) ? project : home
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { cwd, env: { ...env } })
  return stdout
}

/** The documents that treelog prints. @throws Error: it did not end well */
export async function documentsOf<Document>(place: AgentPlace, ...args: readonly string[]): Promise<Document[]> {
  const lines = (await treelog(place, ...args, "--json")).split("\n")
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line))
}
