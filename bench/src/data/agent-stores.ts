import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { claudeLines, claudeTurns } from "@treelog-internal/test-kit/claude-code"
import { codexFile, codexTurns, generateCodexHome, zstdFrame } from "@treelog-internal/test-kit/codex"
import { Random, TextSource, writeLines } from "@treelog-internal/test-kit/generator"

/** So many sessions of Claude Code are written; the others are copies of them, which takes less time. */
const WRITTEN = 150
const FOLDERS = 60
/** One in so many sessions has two sub-agents, in files of their own. */
const WITH_AGENTS = 10
/** Of a session, on average. Bytes. */
const SIZE = 335_000
/** Lines about as long as real ones. */
const SCALE = 5

/** A folder of Claude Code: sessions of many sizes, from a few KB to some MB, in 60 projects. */
export function writeClaudeCode(folder: string, sessions: number): void {
  const random = new Random(7)
  const ids = Array.from({ length: sessions }, () => uuid(random))
  const pathOf = (index: number): string => {
    const project = join(folder, "projects", `-home-ada-project-${index % FOLDERS}`)
    mkdirSync(project, { recursive: true })
    return join(project, `${ids[index]}.jsonl`)
  }
  for (let index = 0; index < sessions; index++) {
    if (index >= WRITTEN) copyFileSync(pathOf(index % WRITTEN), pathOf(index))
    else writeLines(pathOf(index), linesUpTo(index + 1, Math.min(20 * SIZE, random.size(SIZE))))
    if (index % WITH_AGENTS > 0) continue
    const agents = join(pathOf(index).slice(0, -".jsonl".length), "subagents")
    mkdirSync(agents, { recursive: true })
    for (const agentId of [`a${index}`, `b${index}`])
      writeLines(join(agents, `agent-${agentId}.jsonl`), linesOfAgent(random.below(2 ** 32), agentId, ids[index] ?? ""))
  }
}

/** What Claude Code adds to the lines of a sub-agent. */
function* linesOfAgent(seed: number, agentId: string, sessionId: string): Generator<string> {
  for (const line of linesUpTo(seed, SIZE / 10))
    if (line.startsWith('{"parentUuid"'))
      yield `${JSON.stringify({ ...JSON.parse(line), isSidechain: true, agentId, sessionId })}\n`
}

/** How many turns are between two compactions. */
const BETWEEN = 60

/** A session of Claude Code in which nothing is odd, with compactions, of so many bytes. @param between turns between two compactions */
export function writeCompacted(path: string, bytes: number, between = BETWEEN): void {
  mkdirSync(dirname(path), { recursive: true })
  writeLines(path, upTo(bytes, claudeTurns(3, SCALE, between)))
}

/** A thread of Codex in one rollout, with compactions, of so many bytes. @param id of the thread @param between turns between two compactions */
export function writeRollout(path: string, id: string, bytes: number, between = BETWEEN): void {
  mkdirSync(dirname(path), { recursive: true })
  writeLines(path, upTo(bytes, rolloutLines(id, between)))
}

/** UTF-16 units of a prompt, which its reply repeats. */
const PROMPT = 2_000

function* rolloutLines(id: string, between: number): Generator<string> {
  const texts = new TextSource(new Random(4))
  yield codexFile(id, "/home/ada/shop", []).trimEnd()
  for (let turn = 1; ; turn++) {
    yield* codexTurns(`${turn} ${texts.prose(PROMPT)}`)
      .trimEnd()
      .split("\n")
    if (turn % between > 0) continue
    const message = `${turn} turns.`
    const replacement_history = [{ type: "message", role: "user", content: [{ type: "input_text", text: message }] }]
    yield JSON.stringify({
      timestamp: "2026-11-22T14:49:54.000Z",
      type: "compacted",
      payload: { message, replacement_history },
    })
  }
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join("-")
}

/** Lines of a generated session of Claude Code, each with its line end, up to so many bytes. */
export function linesUpTo(seed: number, bytes: number): Generator<string> {
  return upTo(bytes, claudeLines(seed, SCALE))
}

function* upTo(bytes: number, lines: Iterable<string>): Generator<string> {
  let left = bytes
  for (const line of lines) {
    yield `${line}\n`
    left -= Buffer.byteLength(line) + 1
    if (left <= 0) return
  }
}

/** Rollouts are generated so many at a time, with forks and reverts among them. */
const GROUP = 100
/** Times as many turns as in small rollouts: then a rollout has some 330 KB. */
const TURNS = 22

/** A folder of Codex: rollouts of which a third is compressed, in blocks that zstd stores as they are. */
export function writeCodex(folder: string, rollouts: number): void {
  const random = new Random(9)
  for (let written = 0; written < rollouts; written += GROUP)
    for (const { name, text } of generateCodexHome({ seed: written + 1, rollouts: GROUP, turns: TURNS })) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      const isCompressed = random.chance(1 / 3)
      if (isCompressed) writeFileSync(`${path}.zst`, zstdFrame(Buffer.from(text)))
      else writeFileSync(path, text)
    }
}
