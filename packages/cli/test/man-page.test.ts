import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Argument, Option } from "commander"
import { expect, test } from "vitest"
import manifest from "../package.json"
import { commandTable, type TableRow } from "./command-table.js"
import { EXIT, examples } from "./door.js"

const PAGE = fileURLToPath(new URL("../man/treelog.1", import.meta.url))
const NO_GROFF = spawnSync("groff", ["--version"]).error !== undefined && "groff is not installed"

test("The manual page is that of the commands that there are.", async () => {
  await expect(manPage()).toMatchFileSnapshot(PAGE)
  for (const { name } of commandTable().slice(1)) expect(manPage()).toContain(`.SS "treelog ${name}`)
})

test("The manual page is in the package, where installers look for it.", () => {
  expect(manifest.man).toBe("man/treelog.1")
  expect(manifest.files).toContain("man")
})

test.skipIf(NO_GROFF)(`groff finds no fault with it${NO_GROFF ? ` (skipped: ${NO_GROFF})` : ""}.`, () => {
  const { status, stdout, stderr } = spawnSync("groff", ["-man", "-Kutf8", "-Tutf8", "-ww"], {
    input: manPage(),
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(stdout).toContain("TREELOG(1)")
})

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "Done; also when the reader went away.",
  failed: "Failed.",
  usage: "The command line cannot be understood, or fits several sessions or entries.",
  notFound: "No such session, or no such entry.",
  damaged: "There is damage; or what was looked for, where that is not wanted.",
  locked: "Someone else holds a session for writing.",
  nothing: "No session was examined: there is none where the command looked.",
  interrupted: "Interrupted, or left without an answer.",
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ["TREELOG_AGENT_DIR", "The store; default: ~/.treelog/agent."],
  ["PI_CODING_AGENT_DIR", "The store of pi; default: ~/.pi/agent."],
  ["TREELOG_CACHE_DIR", "Where listings keep what they found out; default: treelog where the platform keeps caches."],
  ["NO_COLOR, FORCE_COLOR, TERM=dumb", "No colours; colours also where nobody looks; no colours and no questions."],
]

/** The manual page of the command, made of the table of its commands. */
function manPage(): string {
  const [program, ...rows] = commandTable()
  if (!program) throw new Error("there is no program")
  const lines = [
    '.\\" Made of the table of commands by the tests; do not edit.',
    '.TH TREELOG 1 "" "treelog" "User Commands"',
    ".SH NAME",
    `treelog \\- ${roff(program.command.description())}`,
    ".SH SYNOPSIS",
    ".B treelog",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    roff("A session is named by its path, its id or the start of it, its name, @last, or @-2 for the second newest."),
    roff("Data goes to standard output, everything else to standard error."),
    ".SH OPTIONS",
    "Every command takes these.",
    ...program.command.options.flatMap(optionLines),
    ".SH COMMANDS",
    ...rows.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...Object.entries(EXIT).flatMap(([name, code]) =>
      item(String(code), EXIT_MEANINGS[name as keyof typeof EXIT_MEANINGS]),
    ),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, meaning]) => item(name, meaning)),
  ]
  return `${lines.join("\n")}\n`
}

function commandLines({ name, command }: TableRow): string[] {
  const { registeredArguments: args, options } = command
  return [
    `.SS "treelog ${roff([name, ...args.map(argumentName), ...(options.length > 0 ? ["[options]"] : [])].join(" "))}"`,
    roff(command.description()),
    ...args.flatMap((argument) => item(argumentName(argument), withChoices(argument.description, argument.argChoices))),
    ...options.filter(({ hidden }) => !hidden).flatMap(optionLines),
    ...exampleLines(examples[name as keyof typeof examples]),
  ]
}

function argumentName(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function optionLines({ flags, description, argChoices }: Option): string[] {
  return item(flags, withChoices(description, argChoices))
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices ? `${description} (${choices.join(", ")})` : description
}

function item(term: string, text: string): string[] {
  return [".TP", `.B "${roff(term)}"`, roff(text)]
}

/** As they are shown by --help, without the title. */
function exampleLines(shown: string): string[] {
  const lines = shown.trimEnd().split("\n").slice(1)
  return [".PP", ".nf", ...lines.map((line) => roff(line)), ".fi"]
}

/** Text as troff takes it for what it is. */
function roff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq")
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
