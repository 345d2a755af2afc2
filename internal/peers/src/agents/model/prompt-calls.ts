/** A call that a prompt asks for. */
export interface Call {
  readonly name: string
  readonly args: string
}

/** The calls that lines `CALL <tool> <arguments as JSON>` of a prompt ask for. */
export function callsIn(text: string): Call[] {
  return [...text.matchAll(/^CALL (\S+) (\{.*\})$/gm)].map(([, name = "", args = ""]) => ({ name, args }))
}

/** A line of a prompt that asks for a call. */
export function call(name: string, args: object): string {
  return `CALL ${name} ${JSON.stringify(args)}`
}
