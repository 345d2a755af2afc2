import { readSession } from "@treelog/session-core"

/** What a page does with a chosen file. */
export async function contextOfFile(): Promise<{ messages: number; last: string; tookMs: number }> {
  const start = performance.now()
  const reader = await readSession(chosenFile())
  const { messages, entries } = await reader.readContext()
  return { messages: messages.length, last: entries.at(-1) ?? "", tookMs: performance.now() - start }
}

export async function outlineOfFile(): Promise<{ heads: number; leafId: string | null; tookMs: number }> {
  const start = performance.now()
  const { heads, leafId } = await (await readSession(chosenFile())).readOutline()
  return { heads: heads.length, leafId, tookMs: performance.now() - start }
}

function chosenFile(): File {
  const file = document.querySelector<HTMLInputElement>("input[type=file]")?.files?.[0]
  if (!file) throw new Error("No file was chosen.")
  return file
}
