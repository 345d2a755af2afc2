import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Bar, MB } from "../bar.js"
import { bareNode, CCUSAGE, ccusage } from "../contenders/command.js"
import { indexAll, listAll, parseAll, readEnds } from "../contenders/first-reads.js"
import {
  afterLine,
  convertSession,
  LARGE_CLAUDE,
  LARGE_CODEX,
  type LargeSession,
  readContext,
} from "../contenders/large-session.js"
import { readAndParse } from "../contenders/probes.js"
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

const parseLines = ({ pathIn }: LargeSession): Contender => readAndParse((folder) => [pathIn(folder)])

/** One session of Claude Code of 100 MB. */
const conversionCase: Case = {
  name: "a session of Claude Code of 100 MB, converted",
  size: 100,
  rounds: 3,
  prepare: async (folder) => {
    const [{ linesUpTo }, { writeLines }] = await Promise.all([
      import("../data/agent-stores.js"),
      import("@treelog-internal/test-kit/generator"),
    ])
    mkdirSync(dirname(LARGE_CLAUDE.pathIn(folder)), { recursive: true })
    writeLines(LARGE_CLAUDE.pathIn(folder), linesUpTo(3, 100 * MB))
  },
  contenders: { treelog: convertSession(LARGE_CLAUDE) },
  probes: { "read, parse": parseLines(LARGE_CLAUDE) },
  bars: [
    { contender: "treelog", beside: "read, parse", atMost: 3 },
    { contender: "treelog", figure: "peakRss", atMost: 300 * MB },
  ],
}

/** Turns between compactions, where there are none. */
const NEVER = Number.MAX_SAFE_INTEGER

const LARGE = { "Claude Code": LARGE_CLAUDE, Codex: LARGE_CODEX }

interface LargeCase extends Omit<Case, "name" | "size"> {
  readonly megabytes?: number
  /** Turns between two compactions. */
  readonly between?: number | undefined
}

/** One session of an agent, written once for each case. */
function largeCase(agent: keyof typeof LARGE, what: string, { megabytes = 100, between, ...rest }: LargeCase): Case {
  return {
    name: `a session of ${agent} of ${megabytes} MB${between === NEVER ? " without compactions" : ""}, ${what}`,
    size: megabytes,
    rounds: 3,
    prepare: async (folder) => {
      const { writeCompacted, writeRollout } = await import("../data/agent-stores.js")
      const { id, pathIn } = LARGE[agent]
      if (agent === "Codex") writeRollout(pathIn(folder), id, megabytes * MB, between)
      else writeCompacted(pathIn(folder), megabytes * MB, between)
    },
    ...rest,
  }
}

/** What is printed of the end of one session, by a process that never saw it. @param within beyond Node's start. Milliseconds. */
function endCase(megabytes: number, name: string, args: readonly string[], within: number, memory: number): Case {
  return largeCase("Claude Code", name, {
    megabytes,
    isSpawned: true,
    contenders: { treelog: firstStoreCommand(...args) },
    probes: { "node's start": bareNode, "read, parse": parseLines(LARGE_CLAUDE) },
    bars: [
      { contender: "treelog", beside: "node's start", within },
      { contender: "treelog", figure: "peakRss", atMost: memory * MB },
    ],
  })
}

/** @param most how many times as long as reading and parsing each line */
function contextCase(agent: keyof typeof LARGE, between: number | undefined, most: number): Case {
  return largeCase(agent, "its context, never seen before", {
    between,
    contenders: { treelog: readContext(LARGE[agent]) },
    probes: { "read, parse": parseLines(LARGE[agent]) },
    bars: [
      { contender: "treelog", figure: "cpuMs", beside: "read, parse", atMost: most },
      { contender: "treelog", figure: "peakRss", atMost: 120 * MB },
    ],
  })
}

function lineCase(agent: keyof typeof LARGE): Case {
  const session = LARGE[agent]
  return largeCase(agent, "its context after one more line", {
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
    ...listCases("codex", "Codex, 3,000 rollouts, 1 GB, a third compressed", 3_000, async (folder) =>
      (await import("../data/agent-stores.js")).writeCodex(join(folder, ".codex"), SESSIONS),
    ),
    homeCase(Object.keys(NOTHING_NEW)),
    conversionCase,
    endCase(100, "its context", ["context", LARGE_CLAUDE.id], 300, 120),
    endCase(100, "its last message", ["show", LARGE_CLAUDE.id, "--tail", "1"], 300, 120),
    endCase(720, "its last message", ["show", LARGE_CLAUDE.id, "--tail", "1"], 500, 150),
    contextCase("Claude Code", undefined, 0.15),
    contextCase("Claude Code", NEVER, 1.3),
    contextCase("Codex", undefined, 0.15),
    contextCase("Codex", NEVER, 1.3),
    lineCase("Claude Code"),
    lineCase("Codex"),
    ...firstCases(),
  ],
}
