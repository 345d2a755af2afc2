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

/** The addresses of the routes of the stores on the page. */
export async function storesAt(url: string): Promise<string[]> {
  const page = await (await fetch(url)).text()
  const stores = JSON.parse(
    /name="treelog-stores" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "[]",
  ) as { base: string }[]
  return stores.map(({ base }) => url + base)
}
