/** A call that a prompt asks for. */
export interface Call {
  readonly name: string
  readonly args: string
  /** What its id ends with: the place among the calls, and what a line `IDS <text>` of the prompt says. */
  readonly mark: string
}

/** What a prompt says behind one that was not answered, whose calls are not made again. */
export const NO_CALLS = "NO CALLS"

/** The calls that lines `CALL <tool> <arguments as JSON>` of a prompt ask for. */
export function callsIn(text: string): Call[] {
  if (text.split("\n").includes(NO_CALLS)) return []
  const [, more = ""] = /^IDS (\S+)$/m.exec(text) ?? []
  const called = [...text.matchAll(/^CALL (\S+) (\{.*\})$/gm)]
  return called.map(([, name = "", args = ""], at) => ({ name, args, mark: `${at}${more}` }))
}

/** A line of a prompt that asks for a call. */
export function call(name: string, args: object): string {
  return `CALL ${name} ${JSON.stringify(args)}`
}

/** A line of a prompt that asks for ids of calls that are not of ASCII alone. */
export const ODD_IDS = "IDS é"

/** The id of a call as treelog sends it: with what every API takes. */
export function plainId(id: unknown): string {
  return String(id).replaceAll(/[^\w-]/g, "_")
}

/** What a prompt asks for before the calls, in the form of the API: lines `ANSWER <blocks or items as JSON>`. Undefined where it leaves that open. */
export function answerIn(text: string): Record<string, unknown>[] | undefined {
  const found = [...text.matchAll(/^ANSWER (\[.*\])$/gm)].flatMap(([, answer = ""]) => JSON.parse(answer))
  return found.length > 0 ? found : undefined
}

/** A line of a prompt that asks for an answer. */
export function answer(...blocks: readonly object[]): string {
  return `ANSWER ${JSON.stringify(blocks)}`
}

/** Blocks of an answer, as Anthropic's API has them. */
export const thought = (thinking: string) => ({ type: "thinking", thinking, signature: "c2lnbmF0dXJl" })
export const said = (text: string) => ({ type: "text", text })

/** Why the answer stops, if a line `STOP <reason>` of the prompt says so: `hang` keeps the stream open behind the last block. */
export function stopIn(text: string): string | undefined {
  return /^STOP (\w+)$/m.exec(text)?.[1]
}

/** What the result of a call can say, so that the answer to it has no end. */
export const HANG = "WAIT FOR EVER"
