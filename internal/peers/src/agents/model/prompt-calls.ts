/** A call that a prompt asks for. */
export interface Call {
  readonly name: string
  readonly args: string
}

/** What a prompt says behind one that was not answered, whose calls are not made again. */
export const NO_CALLS = "NO CALLS"

/** The calls that lines `CALL <tool> <arguments as JSON>` of a prompt ask for. */
export function callsIn(text: string): Call[] {
  if (text.split("\n").includes(NO_CALLS)) return []
  return [...text.matchAll(/^CALL (\S+) (\{.*\})$/gm)].map(([, name = "", args = ""]) => ({ name, args }))
}

/** A line of a prompt that asks for a call. */
export function call(name: string, args: object): string {
  return `CALL ${name} ${JSON.stringify(args)}`
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

/** Why the answer stops, if a line `STOP <reason>` of the prompt says so: `hang` keeps the stream open behind the last block. */
export function stopIn(text: string): string | undefined {
  return /^STOP (\w+)$/m.exec(text)?.[1]
}

/** What the result of a call can say, so that the answer to it has no end. */
export const HANG = "WAIT FOR EVER"
