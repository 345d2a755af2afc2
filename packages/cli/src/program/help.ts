// What `treelog --help`, `treelog help all` and `treelog COMMAND --help` print.

import { type Command, Help, type HelpConfiguration } from "commander"
import { JOBS, type PartDefinition } from "../define/command.js"
import { COMMANDS } from "../define/command-list.js"

/** Leaves the description to `helpStart`, which prints it first, and names commands without their arguments. */
export const helpLayout: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  commandDescription: () => "",
}

const LAST = "`treelog help COMMAND` shows one, `treelog help all` the others and options."

/** The commands that people use, by job, on one screen of 24 lines. */
export function shortHelp(program: Command): string {
  const jobs = JOBS.slice(0, -1)
  const width = Math.max(...jobs.map((job) => job.length))
  const lines = jobs.flatMap((job) =>
    COMMANDS.filter(([its]) => its === job).map(
      ([, name, summary], at) => `${(at === 0 ? job : "").padEnd(width)}  ${name.padEnd(8)}  ${summary}`,
    ),
  )
  return `${[program.description(), ...lines, LAST].join("\n")}\n`
}

/** Every command, every global option, and what they share. */
export function fullHelp(program: Command): string {
  const help = Object.assign(new Help(), helpLayout)
  help.prepareContext({ helpWidth: 80, outputHasColors: false })
  return `${program.description()}\n\n${help.formatHelp(program, help)}${SHELL_NOTES}\n`
}

/** The first lines of --help: what the command is for, and examples. */
export function helpStart({ description, examples }: PartDefinition): string {
  return `${wrapped(description)}\n\nExamples:\n${exampleLines(examples).join("\n")}\n`
}

/** Command lines, with what they do in a column of its own. */
export function exampleLines(examples: PartDefinition["examples"]): string[] {
  const width = Math.max(...examples.map(([line]) => line.length))
  return examples.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`)
}

/** Breaks a text into lines of at most 80 columns. */
function wrapped(text: string): string {
  return text.replace(/(.{1,80})(?: |$)/g, "$1\n").trimEnd()
}

export const SEE_ALL_OPTIONS = `
Every command also takes --store, --blobs, --cwd, --all, --json, --no-color,
--no-pager, --no-input, -q and --debug; see \`treelog help all\`.`

export const SHELL_NOTES = `
Sessions: a SESSION is a path, an id, the start or end of an id, a name, @last
or @-2. A path contains a / or ends in .jsonl, and may be outside of a store.
Ids and names mean the same session from every folder; @last one of this folder.
Stores: treelog in $TREELOG_AGENT_DIR or ~/.treelog/agent, pi in
$PI_CODING_AGENT_DIR or ~/.pi/agent, xcsh in ~/.xcsh/agent, omp in
$XDG_DATA_HOME/omp or ~/.omp/agent.
Without --store or $TREELOG_STORE, commands work on all of them, and on those of
all other agents, which are only read; \`treelog doctor\` shows where they are.
\`treelog config\` names the store of new sessions,
$TREELOG_BLOBS where images are.
Passwords: $PGPASSWORD or ~/.pgpass; keys of S3: $AWS_ACCESS_KEY_ID and so on.
Commands that read sessions never change a store.
Exit codes: 0 ok, 1 failed, 2 usage or ambiguous, 3 not found, 4 damage or
secrets found, 5 locked, 6 nothing examined, 130 interrupted.`
