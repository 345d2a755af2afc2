import { join } from "node:path"
import { NAME, sampleSession } from "@treelog-internal/test-kit/copied-session"
import type { Findings, Scenario } from "../frame/agent.js"
import { type Block, compareBlocks } from "../frame/compare-blocks.js"
import { runAgent } from "../frame/run-agent.js"
import { ARGS, prepared } from "../gemini/prepared.js"
import type { Json } from "../model/blocks.js"
import { blocksOfContents, blocksOfContext, type Renaming } from "./said-blocks.js"
import { tried } from "./tried.js"

const LAST = "What is the last word?"

/** What Gemini CLI adds to each request by itself. */
const OWN = /^<session_context>/

/** The names of Gemini CLI for calls of Claude Code. */
const renamed: Renaming = (name, { limit, ...args }) => {
  if (name === "Bash") return ["run_shell_command", args]
  return name === "Read" ? ["read_file", { ...args, ...(limit !== undefined && { end_line: limit }) }] : [name, args]
}

/** Sessions of Claude Code that are written for Gemini CLI: listed with their names, resumed by id, sent as they were, and read again. */
export const fromClaude: Scenario = {
  name: "from-claude",
  async run(place, model): Promise<Findings> {
    const local = prepared(place, model)
    const differences: string[] = []
    for (const isCompacted of [false, true]) {
      const source = await sampleSession(place.project, isCompacted)
      const found = await tried(
        {
          agent: "gemini",
          dir: join(place.home, ".gemini"),
          async isListed(id) {
            const listed = await runAgent(local, "gemini", [...ARGS, "--list-sessions"])
            return listed.split("\n").some((line) => line.includes(NAME) && line.includes(`[${id}]`))
          },
          resume: (id) => runAgent(local, "gemini", [...ARGS, "--resume", id, "-p", LAST]),
        },
        source,
      )
      const theirs = blocksOfContents((model.requests.at(-1)?.contents ?? []) as Json[])
      const own = [...blocksOfContext(await source.readContext(), renamed), { role: "user", text: LAST }]
      const blocks = compareBlocks(
        theirs.filter(({ text }) => !OWN.test(String(text))),
        own.flatMap(asSent),
      )
      differences.push(...[...found, ...blocks].map((one) => `${isCompacted ? "compacted" : "whole"}: ${one}`))
    }
    return { differences, unknown: [] }
  },
}

/** Gemini CLI sends the pictures of a result behind it. */
function asSent(block: Block): Block[] {
  if (block.result === undefined) return [block]
  const pictures = Array.from({ length: Number(block.images) }, () => ({ role: "user", image: true }))
  return [{ ...block, images: 0 }, ...pictures]
}
