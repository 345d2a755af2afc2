import type { Ran, Sandbox } from "./sandbox.js"

/** Views, does the work at the address, and presses Ctrl-C. */
export async function viewed(
  box: Sandbox,
  argv: readonly string[],
  work: (url: string) => Promise<void>,
  world: { readonly isAsked?: boolean } = {},
): Promise<Ran> {
  const interrupt = new AbortController()
  let done: Promise<void> | undefined
  const onWrite = (text: string): void => {
    const url = /http:\S+\//.exec(text)?.[0]
    if (url) done ??= work(url).finally(() => interrupt.abort())
  }
  const ran = await box.run(["view", ...argv], { interrupted: interrupt.signal, onWrite, ...world })
  await done
  return ran
}

/** What the page of all sessions gets from its server. @param url of the page. @param path such as `search?q=red` */
export async function answerOf<Answer>(url: string, path: string): Promise<Answer> {
  let answer: { readonly updating?: unknown } = {}
  // The first question begins to read the sessions into the index.
  do answer = JSON.parse(await (await fetch(`${url}all/${path}`)).text())
  while (answer.updating)
  return answer as Answer
}

/** The list of the page of all sessions. */
export async function listOf(url: string, query = ""): Promise<Record<string, unknown>[]> {
  const lines = (await (await fetch(`${url}all/sessions${query}`)).text()).split("\n")
  return lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
}
