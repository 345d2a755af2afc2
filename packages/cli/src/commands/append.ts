import type { Message, Session } from "@treelog/session-core"
import { type CommandDefinition, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { printAppended, withSession } from "../sessions/open-to-read-or-write.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "append a message",
  description: "Append a message to the current branch, and print the id of its entry.",
  examples: [
    ['treelog append @last --role user --text "Go on"', "a text"],
    [`treelog append 01a1ffe2 '{"role":"user","content":"Go on"}'`, "any message"],
    ["treelog append 01a1ffe2 - < message.json", "from a file"],
  ],
  arguments: [
    ["<session>", SESSION],
    ["[message]", "the message as JSON; `-` reads it from stdin"],
  ],
  options: [
    [
      "--role <role>",
      "role of the message, with --text",
      { choices: ["user", "assistant", "system", "developer", "custom"] },
    ],
    ["--text <text>", "text of the message, with --role"],
    ["--model <provider/id>", "the model that answered, with --role assistant"],
    ["--custom-type <type>", "type of a custom message, with --role custom (default: note)"],
  ],
  run: append,
}

interface AppendOptions {
  readonly role?: string
  readonly text?: string
  readonly model?: string
  readonly customType?: string
}

type Append = (session: Session) => string

export async function append(
  context: CommandContext,
  ref: string,
  json: string | undefined,
  options: AppendOptions,
): Promise<ExitCode> {
  const appendTo = await readAppend(context, json, options)
  await printAppended(context, await withSession(context, ref, (session) => ({ session, entryId: appendTo(session) })))
  return EXIT.ok
}

/** What is to be appended. Everything that can be wrong with it is found before the session is opened. */
async function readAppend({ io }: CommandContext, json: string | undefined, options: AppendOptions): Promise<Append> {
  const { role, text } = options
  if (json !== undefined) {
    if (role !== undefined || text !== undefined)
      throw new UsageError("Give a message as JSON or by --role and --text, not both.")
    const message = parseMessage(json === "-" ? await io.readStdin() : json, io.now())
    return (session) => session.appendMessage(message)
  }
  if (role === undefined || text === undefined) {
    throw new UsageError("Pass a message as JSON, `-` to read one from stdin, or --role and --text.")
  }
  if (role === "custom") return (session) => session.appendCustomMessageEntry(options.customType ?? "note", text, true)
  const message = textMessage(role, text, options.model, io.now())
  return (session) => session.appendMessage(message)
}

/** @throws UsageError for what is not JSON, or not a message */
function parseMessage(json: string, now: number): Message {
  const message = parseJson(json)
  const isObject = typeof message === "object" && message !== null && !Array.isArray(message)
  if (!isObject || !("role" in message) || typeof message.role !== "string" || message.role === "") {
    throw new UsageError('A message is a JSON object with a role, such as {"role":"user","content":"Hi"}.')
  }
  return ("timestamp" in message ? message : { ...message, timestamp: now }) as Message
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`The message is not JSON: ${error.message}.`)
  }
}

function textMessage(role: string, text: string, model: string | undefined, timestamp: number): Message {
  if (role !== "assistant") return { role, content: text, timestamp }
  return { role, content: [{ type: "text", text }], ...modelFields(model), stopReason: "stop", timestamp }
}

function modelFields(model: string | undefined): { provider?: string; model?: string } {
  if (model === undefined) return {}
  const slash = model.indexOf("/")
  if (slash < 1 || slash === model.length - 1)
    throw new UsageError("A model is given as PROVIDER/ID, such as anthropic/claude-sonnet-4-5.")
  return { provider: model.slice(0, slash), model: model.slice(slash + 1) }
}
