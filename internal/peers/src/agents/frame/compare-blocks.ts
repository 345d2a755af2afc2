import { isDeepStrictEqual } from "node:util"

/** A piece of what a model gets, in a form in which equal ones are equal. */
export type Block = Readonly<Record<string, unknown>>

const SHOWN = 300

/** What stands in one list and not in the other, or in another order, a line each. @param sent to the model @param read by treelog */
export function compareBlocks(sent: readonly Block[], read: readonly Block[]): string[] {
  const [onlySent, inBoth] = split(sent, read)
  const [onlyRead, inRead] = split(read, sent)
  const moved = inBoth.find((block, at) => !isDeepStrictEqual(block, inRead[at]))
  return [
    ...onlySent.map((block) => `not in the context: ${shown(block)}`),
    ...onlyRead.map((block) => `only in the context: ${shown(block)}`),
    ...(moved
      ? [`in another order: ${shown(moved)}, where the context has ${shown(inRead[inBoth.indexOf(moved)])}`]
      : []),
  ]
}

/** The blocks of a list that the other has not, each as often as it is missing there, and the rest. */
function split(list: readonly Block[], other: readonly Block[]): [Block[], Block[]] {
  const rest = [...other]
  const only: Block[] = []
  const both: Block[] = []
  for (const block of list) {
    const at = rest.findIndex((one) => isDeepStrictEqual(one, block))
    if (at === -1) only.push(block)
    else {
      rest.splice(at, 1)
      both.push(block)
    }
  }
  return [only, both]
}

function shown(block: unknown): string {
  const text = JSON.stringify(block) ?? "nothing"
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length})`
}
