/** A call that a prompt asks for. */
export interface Call {
  readonly name: string
  readonly args: string
}

/** The calls that lines `CALL <tool> <arguments as JSON>` of a prompt ask for. */
export function callsIn(text: string): Call[] {
  return [...text.matchAll(/^CALL (\S+) (\{.*\})$/gm)].map(([, name = "", args = ""]) => ({ name, args }))
}
