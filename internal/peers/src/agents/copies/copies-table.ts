import type { Held } from "./held.js"
import type { Field, Results } from "./results.js"

/** The names of agents in tables, in their order. */
const NAMES: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  qwen: "Qwen Code",
  opencode: "opencode",
  copilot: "Copilot CLI",
  pi: "pi",
  treelog: "made by a generator",
}

/** Agents that copies are written for. */
const TARGETS = ["codex", "claude-code", "gemini", "qwen", "opencode", "copilot"]

const HELD: readonly (readonly [name: keyof Held, title: string])[] = [
  ["entries", "entries of the longest"],
  ["branches", "other branches"],
  ["parallelCalls", "parallel calls"],
  ["failedCalls", "failed"],
  ["callsWithoutResult", "without result"],
  ["imagesInPrompts", "images in prompts"],
  ["imagesInResults", "in results"],
  ["signedThinking", "signed thinking"],
  ["compactions", "compactions"],
  ["subAgents", "sub-agents"],
  ["idsNotAscii", "ids beyond ASCII"],
]

/** The pages with what was found, and what they have of it. */
export const PAGES: Readonly<Record<string, (results: Results) => string>> = {
  "docs/other-agents.md": copiesTable,
  "README.md": shortTable,
}

const [START, END] = ["<!-- copies: npm run check-copies -->", "<!-- /copies -->"]

/** A page with what `npm run check-copies` found between its marks. @param name of `PAGES` @throws Error: it has no marks */
export function withCopies(name: string, page: string, results: Results): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${name} has no ${START}.`)
  return `${page.slice(0, start)}${START}\n\n${PAGES[name]?.(results) ?? ""}\n${page.slice(end)}`
}

/** A row for each agent that copies are for: how many are listed, resumed, and sent as by their first agent. */
function shortTable({ sources, copies }: Results): string {
  const from = Object.keys(NAMES).filter((source) => sources[source])
  const fieldOf = (field: Field | undefined): string =>
    field ? `${Math.min(field.listed, field.resumed, field.request, field.read)}/${field.copies}` : "not run"
  const rows = TARGETS.map((target) => [
    `in ${NAMES[target]} ${versionOf(copies, target)}`.trim(),
    ...from.map((source) => fieldOf(copies[source]?.[target])),
  ])
  return table(["of", ...from.map((source) => NAMES[source] ?? source)], rows)
}

function copiesTable({ sources, copies }: Results): string {
  const header = ["from, to", ...TARGETS.map((target) => `${NAMES[target]} ${versionOf(copies, target)}`.trim())]
  const rows = Object.entries(NAMES).map(([source, name]) => [
    `${name} ${sources[source]?.version ?? ""}`.trim(),
    ...TARGETS.map((target) => fieldText(copies[source]?.[target])),
  ])
  const held = Object.entries(NAMES).flatMap(([source, name]) => {
    const own = sources[source]?.held
    return own ? [[name, ...HELD.map(([each]) => String(own[each] || "–"))]] : []
  })
  const fields = Object.values(copies).flatMap((row) => Object.values(row))
  const dates = fields.map(({ date }) => date).sort()
  return [
    table(header, rows),
    `Run from ${dates[0] ?? "–"} to ${dates.at(-1) ?? "–"}. What the sources have:\n`,
    table(["", ...HELD.map(([, title]) => title)], held),
    ...faultsOf(copies),
  ].join("\n")
}

/** How many of a field's copies are listed, resumed and read again, sent as the source would have, and sent so by the first agent again. */
function fieldText(field: Field | undefined): string {
  if (!field) return "not run"
  const { copies, listed, resumed, request, read, returned, back } = field
  const of = (part: number, all: number): string => (all === 0 ? "–" : part === all ? `${all}` : `**${part}**/${all}`)
  return [of(listed, copies), of(Math.min(resumed, read), copies), of(request, copies), of(back, returned)].join(" · ")
}

function versionOf(copies: Results["copies"], target: string): string {
  const versions = new Set(Object.values(copies).flatMap((row) => row[target]?.version ?? []))
  return [...versions].join(", ")
}

/** What does not hold, in one line for each field. */
function faultsOf(copies: Results["copies"]): string[] {
  const lines = Object.entries(copies).flatMap(([source, row]) =>
    Object.entries(row).flatMap(([target, { faults }]) =>
      faults.length === 0
        ? []
        : [`- ${NAMES[source]} to ${NAMES[target]}: ${faults.length}, the first: ${shown(faults[0] ?? "")}`],
    ),
  )
  return lines.length === 0 ? [] : ["What does not hold:\n", ...lines, ""]
}

const SHOWN = 160

function shown(fault: string): string {
  const text = fault.length <= SHOWN ? fault : `${fault.slice(0, SHOWN)}…`
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows]
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`
}
