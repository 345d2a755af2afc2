import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Comparable } from "./comparable.js"
import { type Home, type Keeper, makeHome, type PiProgram } from "./home.js"

/** Lets pi do the same work on its own session manager and on treelog's: it has to say the same, and to leave the same files. */
export async function expectSameWork(
  work: (home: Home) => Promise<unknown>,
  program?: PiProgram,
): Promise<Record<string, unknown[]>> {
  const resultOn = async (keeper: Keeper) => {
    const home = makeHome(keeper, program)
    const said = await work(home)
    expect(readFileSync(join(home.folder, "keeper"), "utf8")).toBe(keeper)
    const comparable = new Comparable(home)
    return { files: comparable.files(), said: comparable.value(said) }
  }
  const theirs = await resultOn("pi")
  const ours = await resultOn("treelog")
  expect(ours.files).toEqual(theirs.files)
  expect(ours.said).toEqual(theirs.said)
  return theirs.files
}
