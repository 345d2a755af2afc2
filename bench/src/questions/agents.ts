import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Bar, MB } from "../bar.js"
import { CLAUDE_SESSION, claudeSessionIn, convertSession, readAndParseLines } from "../contenders/claude-conversion.js"
import { bareNode, CCUSAGE, ccusage } from "../contenders/command.js"
import { indexAll, listAll, parseAll, readEnds } from "../contenders/first-reads.js"
import { afterLine, LARGE_CLAUDE, LARGE_CODEX, readAndParse, readContext } from "../contenders/large-session.js"
import { firstStoreCommand, storeCommand } from "../contenders/store-command.js"
import type { Case, Contender, Question } from "../question.js"

const SESSIONS = 3_000

/** Lists of one agent's sessions, by the command. @param firstWithin the bar of a list without a cache. Milliseconds. */
function listCases(
  agent: "claude-code" | "codex",
  what: string,
  firstWithin: number,
  prepare: NonNullable<Case["prepare"]>,
): Case[] {
  const [args, probes] = [["list", "--all", "--store", agent], { "node's start": bareNode }]
  const name = `treelog list --store ${agent}`
  return [
    {
      name: `${what}, first list`,
      size: SESSIONS,
      isSpawned: true,
      prepare,
      contenders: { [name]: firstStoreCommand(...args) },
      probes,
      bars: [{ contender: name, atMost: firstWithin }],
    },
    {
      name: `${what}, cached list`,
      size: SESSIONS,
      isSpawned: true,
      prepare,
      contenders: { [name]: storeCommand(...args) },
      probes: {
        ...probes,
        "as JSON": storeCommand(...args, "--json"),
        "the newest 20": storeCommand(...args, "--limit", "20"),
      },
      bars: [{ contender: name, beside: "node's start", within: 150 }],
    },
  ]
}

/** Sums over one agent's sessions, of which nothing is known: the time of the processor, in all threads, is what to compare with other programs. */
function sumsCase(what: string, prepare: NonNullable<Case["prepare"]>): Case {
  const args = ["stats", "--all", "--by", "day", "--json"]
  return {
    name: `${what}, first sums`,
    size: SESSIONS,
    isSpawned: true,
    prepare,
    contenders: { "treelog stats": firstStoreCommand(...args) },
    probes: { "node's start": bareNode, "nothing new": storeCommand(...args) },
    bars: [],
  }
}

const NOTHING_NEW: Readonly<Record<string, readonly string[]>> = {
  "treelog list": ["list", "--all"],
  "treelog list --limit 20": ["list", "--all", "--limit", "20"],
  "treelog search": ["search", "--all", "coverage"],
  "treelog resume --last": ["resume", "--all", "--last", "--print", "id"],
  "treelog stats": ["stats", "--all"],
}

/** A home with sessions of three programs, of which none is new. The round that is not counted indexes them. */
function homeCase([name = "", ...others]: readonly string[]): Case {
  const command = (name: string): Contender => storeCommand(...(NOTHING_NEW[name] ?? []))
  const within = (contender: string): Bar => {
    return { contender, beside: "node's start", within: contender === "treelog stats" ? 300 : 150 }
  }
  return {
    name: "treelog, Claude Code and Codex, 3,000 sessions, nothing new",
    size: SESSIONS,
    isSpawned: true,
    prepare: async (folder) => {
      const [{ writeClaudeCode, writeCodex }, { writeDistinctSessions }] = await Promise.all([
        import("../data/agent-stores.js"),
        import("../data/distinct-sessions.js"),
      ])
      writeDistinctSessions(join(folder, "agent", "sessions"), { kind: "store", sessions: SESSIONS / 3, entries: 60 })
      writeClaudeCode(join(folder, ".claude"), SESSIONS / 2)
      writeCodex(join(folder, ".codex"), SESSIONS / 6)
    },
    contenders: { [name]: command(name) },
    probes: {
      "node's start": bareNode,
      ...Object.fromEntries(others.map((other) => [other, command(other)])),
    },
    bars: [name, ...others].map(within),
  }
}

/** One session of Claude Code of so many megabytes. @param memory the bar of the peak. Megabytes. */
function conversionCase(megabytes: number, memory: number, bars: readonly Bar[]): Case {
  return {
    name: `a session of Claude Code of ${megabytes} MB, converted`,
    size: megabytes,
    rounds: 3,
    prepare: async (folder) => {
      const [{ linesUpTo }, { writeLines }] = await Promise.all([
        import("../data/agent-stores.js"),
        import("@treelog-internal/test-kit/generator"),
      ])
      mkdirSync(dirname(claudeSessionIn(folder)), { recursive: true })
      writeLines(claudeSessionIn(folder), linesUpTo(3, megabytes * MB))
    },
    contenders: { treelog: convertSession },
    probes: { "read, parse": readAndParseLines },
    bars: [...bars, { contender: "treelog", figure: "peakRss", atMost: memory * MB }],
  }
}

/** What is printed of the end of one session of so many megabytes, by a process that never saw it. @param within beyond Node's start. Milliseconds. */
function endCase(megabytes: number, name: string, args: readonly string[], within: number, memory: number): Case {
  return {
    name: `a session of Claude Code of ${megabytes} MB, ${name}`,
    size: megabytes,
    isSpawned: true,
    rounds: 3,
    prepare: async (folder) => {
      const { writeCompacted } = await import("../data/agent-stores.js")
      writeCompacted(claudeSessionIn(folder), megabytes * MB)
    },
    contenders: { treelog: firstStoreCommand(...args) },
    probes: { "node's start": bareNode, "read, parse": readAndParseLines },
    bars: [
      { contender: "treelog", beside: "node's start", within },
      { contender: "treelog", figure: "peakRss", atMost: memory * MB },
    ],
  }
}

/** Turns between compactions, where there are none. */
const NEVER = Number.MAX_SAFE_INTEGER

/** A session of 100 MB of an agent, written once for each case. */
function largeCase(
  agent: "Claude Code" | "Codex",
  what: string,
  between: number | undefined,
  more: Partial<Case>,
): Case {
  const session = agent === "Codex" ? LARGE_CODEX : LARGE_CLAUDE
  return {
    name: `a session of ${agent} of 100 MB${between === NEVER ? " without compactions" : ""}, ${what}`,
    size: 100,
    rounds: 3,
    prepare: async (folder) => {
      const { writeCompacted, writeRollout } = await import("../data/agent-stores.js")
      const path = session.pathIn(folder)
      if (agent === "Codex") writeRollout(path, session.id, 100 * MB, between)
      else writeCompacted(path, 100 * MB, between)
    },
    contenders: { treelog: readContext(session) },
    ...more,
  }
}

/** @param most how many times as long as reading and parsing each line */
function contextCase(agent: "Claude Code" | "Codex", between: number | undefined, most: number): Case {
  const session = agent === "Codex" ? LARGE_CODEX : LARGE_CLAUDE
  return largeCase(agent, "its context, never seen before", between, {
    probes: { "read, parse": readAndParse(session) },
    bars: [
      { contender: "treelog", figure: "cpuMs", beside: "read, parse", atMost: most },
      { contender: "treelog", figure: "peakRss", atMost: 120 * MB },
    ],
  })
}

function lineCase(agent: "Claude Code" | "Codex"): Case {
  const session = agent === "Codex" ? LARGE_CODEX : LARGE_CLAUDE
  return largeCase(agent, "its context after one more line", undefined, {
    isSpawned: true,
    contenders: { treelog: afterLine(session, "context", session.id) },
    probes: { "node's start": bareNode, "show --tail 1": afterLine(session, "show", session.id, "--tail", "1") },
    bars: [{ contender: "treelog", beside: "node's start", within: 100 }],
  })
}

/** What many sessions take that nothing is known of, 500 MB in all, beside the least that could do it. */
function firstCases(): Case[] {
  const shared = {
    size: FEW,
    rounds: 3,
    prepare: async (folder: string) =>
      (await import("../data/agent-stores.js")).writeClaudeCode(join(folder, ".claude"), FEW),
  }
  const name = `Claude Code, ${FEW.toLocaleString("en")} sessions, 500 MB`
  const beside = (probe: string, most: number): Bar[] => [
    { contender: "treelog", figure: "cpuMs", beside: probe, atMost: most },
  ]
  return [
    {
      ...shared,
      name: `${name}, first list`,
      contenders: { treelog: listAll },
      probes: { "read the ends": readEnds },
      bars: beside("read the ends", 1.5),
    },
    {
      ...shared,
      name: `${name}, first index`,
      contenders: { treelog: indexAll },
      probes: { "read, parse": parseAll },
      bars: beside("read, parse", 3),
    },
    {
      ...shared,
      name: `${name}, first sums`,
      isSpawned: true,
      contenders: { "treelog stats": firstStoreCommand("stats", "--all", "--by", "day", "--json") },
      probes: {
        "nothing new": storeCommand("stats", "--all", "--by", "day", "--json"),
        ...(CCUSAGE && { ccusage: ccusage(CCUSAGE) }),
      },
      ...(!CCUSAGE && { absent: { ccusage: "it needs the command `ccusage`" } }),
      bars: CCUSAGE
        ? [
            { contender: "treelog stats", beside: "ccusage", atMost: 2 },
            { contender: "nothing new", beside: "ccusage", atMost: 0.25 },
          ]
        : [],
    },
  ]
}

const FEW = 1_500

const writeClaudeCode: NonNullable<Case["prepare"]> = async (folder) =>
  (await import("../data/agent-stores.js")).writeClaudeCode(join(folder, ".claude"), SESSIONS)

export const agents: Question = {
  name: "agents",
  asks: "How long does it take to list the sessions of other agents, and to convert one?",
  rounds: 5,
  cases: [
    ...listCases("claude-code", "Claude Code, 3,000 sessions, 1 GB", 2_000, writeClaudeCode),
    sumsCase("Claude Code, 3,000 sessions, 1 GB", writeClaudeCode),
    ...listCases("codex", "Codex, 3,000 rollouts, 1 GB, a third compressed", 3_000, async (folder) =>
      (await import("../data/agent-stores.js")).writeCodex(join(folder, ".codex"), SESSIONS),
    ),
    homeCase(Object.keys(NOTHING_NEW)),
    conversionCase(4, 150, []),
    conversionCase(100, 300, [{ contender: "treelog", beside: "read, parse", atMost: 3 }]),
    endCase(100, "its context", ["context", CLAUDE_SESSION], 300, 120),
    endCase(100, "its last message", ["show", CLAUDE_SESSION, "--tail", "1"], 300, 120),
    endCase(720, "its last message", ["show", CLAUDE_SESSION, "--tail", "1"], 500, 150),
    contextCase("Claude Code", undefined, 0.15),
    contextCase("Claude Code", NEVER, 1.3),
    contextCase("Codex", undefined, 0.15),
    contextCase("Codex", NEVER, 1.3),
    lineCase("Claude Code"),
    lineCase("Codex"),
    ...firstCases(),
  ],
}
