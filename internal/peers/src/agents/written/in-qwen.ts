import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { NAME, sampleSession } from "@treelog-internal/test-kit/copied-session"
import type { Findings, Scenario } from "../frame/agent.js"
import { compareBlocks } from "../frame/compare-blocks.js"
import { runAgent } from "../frame/run-agent.js"
import { ask, lastFor } from "../qwen/run-qwen.js"
import { blocksOfContext, blocksOfMessages, type Renaming } from "./said-blocks.js"
import { tried } from "./tried.js"

const LAST = "What is the last word?"

/** The names of Qwen Code for calls of Claude Code. */
const NAMES = new Map([
  ["Bash", "run_shell_command"],
  ["Read", "read_file"],
])
const renamed: Renaming = (name, args) => [NAMES.get(name) ?? name, args]

/** Sessions of Claude Code that are written for Qwen Code: listed with their names, resumed by id, sent as they were, and read again. */
export const fromClaude: Scenario = {
  name: "from-claude",
  async run(place, model): Promise<Findings> {
    const dir = join(place.home, ".qwen")
    mkdirSync(dir)
    const differences: string[] = []
    for (const isCompacted of [false, true]) {
      const source = await sampleSession(place.project, isCompacted)
      const found = await tried(
        {
          agent: "qwen",
          dir,
          async isListed(id) {
            const listed = await runAgent(place, "qwen", ["sessions", "list", "--json"])
            const lines = listed.split("\n").filter((line) => line.startsWith("{"))
            return lines.map((line) => JSON.parse(line)).some((one) => one.sessionId === id && one.customTitle === NAME)
          },
          resume: (id) => ask(place, model, LAST, ["--resume", id]),
        },
        source,
      )
      const own = [...blocksOfContext(await source.readContext(), renamed), { role: "user", text: LAST }]
      const blocks = compareBlocks(blocksOfMessages(lastFor(model)), own)
      differences.push(...[...found, ...blocks].map((one) => `${isCompacted ? "compacted" : "whole"}: ${one}`))
    }
    return { differences, unknown: [] }
  },
}
