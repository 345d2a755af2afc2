import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { type CodexFile, CodexSource, convertCodex } from "../../src/index.js"
import { sessionsOf } from "../sessions-of.js"
import type { RolloutFacts } from "./check-facts.js"

/**
 * Checks that the sessions of a folder are those that its files give in memory, byte for byte, and that nothing is written.
 * @returns how many sessions were listed
 */
export async function checkSource(
  home: string,
  { files, titles }: { readonly files: readonly CodexFile[]; readonly titles: Readonly<Record<string, string>> },
  facts: Readonly<Record<string, RolloutFacts>>,
  report: (what: string) => void,
): Promise<number> {
  const before = statesIn(home)
  const source = new CodexSource({ dir: home })
  const { sessions } = convertCodex(files, { titles })
  let count = 0
  for (const session of await sessionsOf(source)) {
    count++
    const expected = sessions.find(({ header }) => header.id === session.id)
    if (!expected) {
      report(`${session.key} is listed, but no session`)
      continue
    }
    const info = await source.facts(session)
    const known = Object.values(facts).find(({ thread }) => thread === session.id)
    if (info.name !== (known?.title ?? undefined)) report(`${session.key} is named ${info.name}, not ${known?.title}`)
    const said = known?.firstPrompt?.text.replace(/^<image[^>]*>\s*<\/image>\s*/, "").slice(0, 30) ?? ""
    if (!info.firstMessage.startsWith(said)) report(`${session.key} begins with ${info.firstMessage}, not ${said}`)
    if (info.cwd !== expected.header.cwd) report(`${session.key} has the folder ${info.cwd}`)
    const conversion = await source.convert(session)
    const lines = [expected.header, ...expected.entries].map((record) => `${JSON.stringify(record)}\n`).join("")
    if ((await textOf(conversion.chunks)) !== lines) report(`${session.key} is converted to other bytes`)
    const artifacts: string[] = []
    for await (const { name, chunks } of conversion.artifacts()) {
      artifacts.push(name)
      if (chunks) await textOf(chunks)
    }
    if (artifacts.join() !== expected.artifacts.map(({ name }) => name).join())
      report(`${session.key} has the artifacts ${artifacts}`)
  }
  if (count !== sessions.length) report(`${home}: ${count} sessions are listed, not ${sessions.length}`)
  if (statesIn(home) !== before) report(`${home} has changed`)
  return count
}

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return Buffer.concat(parts).toString()
}

function statesIn(home: string): string {
  return readdirSync(home, { recursive: true })
    .map((name) => `${name} ${statSync(join(home, String(name))).mtimeMs}`)
    .join()
}
