import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Claude } from "../claude-code/claude.js"
import { threadIn } from "../codex/app-server.js"
import { Codex } from "../codex/scenario.js"
import { blocksOfMessages } from "../copies/said-blocks.js"
import { claudeCode, startClaude } from "../copies/targets/claude-code.js"
import { codex } from "../copies/targets/codex.js"
import { copilot } from "../copies/targets/copilot.js"
import { gemini } from "../copies/targets/gemini.js"
import { opencode } from "../copies/targets/opencode.js"
import { qwen } from "../copies/targets/qwen.js"
import { offline } from "../copilot/offline.js"
import { ownListOf } from "../copilot/own-list.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, runAgent } from "../frame/run-agent.js"
import { ARGS, prepared } from "../gemini/prepared.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { Opencode } from "../opencode/opencode.js"
import { Pi } from "../pi/pi.js"
import { ask } from "../qwen/run-qwen.js"
import type { ListingAgent } from "./own-list.js"

/** The file of a session with a text, below a folder. */
function fileWith(folder: string, text: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
  const file = names.map((name) => join(folder, name)).find((path) => readFileSync(path, "utf8").includes(text))
  if (file === undefined) throw new Error(`No session has ${text}.`)
  return file
}

/** Moves the file of a session to another folder. */
function moveFile(file: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  renameSync(file, join(folder, basename(file)))
}

/** Claude Code of an account whose archived sessions are left out of its list: a flag that it reads where it may send statistics. */
function claudeIn(place: AgentPlace, model: ModelServer, variables: AgentPlace["env"] = {}): Claude {
  const env = { ...place.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "", ...variables }
  return new Claude({ ...place, env }, model, {}, { cachedFeatureFlags: { tengu_tender_wren: true } })
}

/** Asks Claude Code as an editor does. */
function claudeRecord(place: AgentPlace, model: ModelServer, prompt: string): Promise<string> {
  return claudeIn(place, model, { CLAUDE_CODE_ENTRYPOINT: "claude-vscode" }).ask(prompt)
}

const claudeProjects = ({ home }: AgentPlace): string => join(home, ".claude", "projects")

export const CLAUDE_CODE: ListingAgent = {
  ...{ store: "claude-code", own: claudeCode.own },
  start: (place, model) => startClaude(claudeIn(place, model), model),
  record: claudeRecord,
  hidden: {
    async archived(place, model, prompt) {
      await claudeRecord(place, model, prompt)
      const terminal = claudeIn(place, model).inTerminal("--resume")
      try {
        // The newest is chosen.
        await terminal.shows(prompt)
        await terminal.rests()
        terminal.press("Ctrl-e")
        await terminal.shows("to show archived")
      } finally {
        await terminal.close()
      }
    },
    entrypoint: (place, model, prompt) => claudeIn(place, model).ask(prompt),
    async "other-folder"(place, model, prompt) {
      await claudeRecord(place, model, prompt)
      const file = fileWith(claudeProjects(place), prompt)
      moveFile(file, `${dirname(file)}-old`)
    },
  },
}

/** A thread as an editor makes it. */
async function codexThread(place: AgentPlace, model: ModelServer, prompt: string): Promise<string> {
  let id = ""
  await new Codex(place, model, "").serving(async (server, thread) => {
    await server.turn(thread, prompt)
    id = thread
  })
  return id
}

export const CODEX: ListingAgent = {
  ...{ store: "codex", own: codex.own },
  start: (place, model) => ({
    ...codex.start(place, model),
    async resume(threadId, prompt) {
      await new Codex(place, model, "").serving(async (server) => {
        await server.call("thread/resume", { threadId })
        await server.turn(threadId, prompt)
      })
    },
  }),
  record: codexThread,
  hidden: {
    entrypoint: (place, model, prompt) => new Codex(place, model, "").ask(prompt),
    async archived(place, model, prompt) {
      const threadId = await codexThread(place, model, prompt)
      await new Codex(place, model, "").serving(async (server) => {
        await server.call("thread/archive", { threadId })
      })
    },
    async provider(place, model, prompt) {
      await new Codex(place, model, "").serving(async (server) => {
        const config = { "model_providers.other": OTHER(model) }
        const thread = threadIn(
          await server.call("thread/start", { cwd: place.project, modelProvider: "other", config }),
        )
        await server.turn(thread, prompt)
      })
    },
  },
}

const OTHER = ({ url }: ModelServer) => ({
  ...{ name: "other", base_url: `${url}/v1`, wire_api: "responses", env_key: "MODEL_KEY" },
})

async function opencodeSession(place: AgentPlace, model: ModelServer, prompt: string): Promise<string> {
  const program = await Opencode.start("opencode", place, model)
  try {
    const id = await program.session()
    await program.prompt(id, prompt)
    return id
  } finally {
    await program.end()
  }
}

export const OPENCODE: ListingAgent = {
  ...{ store: "opencode", own: opencode.own, start: opencode.start },
  record: opencodeSession,
  hidden: {},
}

export const COPILOT: ListingAgent = {
  ...{ store: "copilot", own: copilot.own },
  start: (place, model) => ({ ...copilot.start(place, model), listed: () => ownListOf(offline(place, model)) }),
  record: (place, model, prompt) => runAgent(offline(place, model), "copilot", ["-p", prompt, "--allow-all-tools"]),
  hidden: {},
}

/** Its cleanup deletes a session that is resumed in another minute than it was recorded in. */
const WITHOUT_CLEANUP = { general: { disableAutoUpdate: true, sessionRetention: { enabled: false } } }

export const GEMINI: ListingAgent = {
  ...{ store: "gemini", own: gemini.own },
  start(place, model) {
    const started = gemini.start(place, model)
    prepared(place, model, WITHOUT_CLEANUP)
    return started
  },
  record: (place, model, prompt) =>
    runAgent(prepared(place, model, WITHOUT_CLEANUP), "gemini", [...ARGS, "-p", prompt]),
  hidden: {},
}

export const QWEN: ListingAgent = {
  ...{ store: "qwen", own: qwen.own, start: qwen.start },
  record: (place, model, prompt) => ask(place, model, prompt),
  hidden: {
    async archived(place, model, prompt) {
      await ask(place, model, prompt)
      const file = fileWith(join(place.home, ".qwen", "projects"), prompt)
      moveFile(file, join(dirname(file), "archive"))
    },
  },
}

const piSessions = ({ home }: AgentPlace): string => join(home, ".pi", "agent", "sessions")

async function inPi(place: AgentPlace, model: ModelServer, work: (pi: Pi) => Promise<unknown>): Promise<void> {
  const pi = new Pi("pi", place, model)
  await work(pi).finally(() => pi.end())
}

const piRecord: ListingAgent["record"] = (place, model, prompt) => inPi(place, model, (pi) => pi.prompt(prompt))

export const PI: ListingAgent = {
  store: "pi",
  own: /^$/,
  start: (place, model) => ({
    hasIds: false,
    async listed() {
      const terminal = new AgentInTerminal(place, "pi", ["--resume"])
      try {
        await terminal.shows(/Resume Session[\s\S]*(?:messages?|ago|now)/)
        return terminal.lines()
      } finally {
        await terminal.close()
      }
    },
    resume: (id, prompt) =>
      inPi(place, model, async (pi) => {
        await pi.request("switch_session", { sessionPath: fileWith(piSessions(place), id) })
        await pi.prompt(prompt)
      }),
    sent: () => blocksOfMessages((model.requests.at(-1)?.messages ?? []) as Json[]),
  }),
  record: piRecord,
  hidden: {
    async "other-folder"(place, model, prompt) {
      await piRecord(place, model, prompt)
      const file = fileWith(piSessions(place), prompt)
      moveFile(file, `${dirname(file)}-old`)
    },
  },
}
