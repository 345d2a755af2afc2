import type { Page } from "playwright-core"

export interface GivenFile {
  readonly name: string
  readonly content: string | Buffer
}

/** Drops files on the page, as a hand does with a mouse. */
export async function dropFiles(page: Page, files: readonly GivenFile[]): Promise<void> {
  const given = files.map(({ name, content }) => ({ name, base64: Buffer.from(content).toString("base64") }))
  const dropped = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer()
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], name))
    }
    return transfer
  }, given)
  await page.dispatchEvent("body", "dragover", { dataTransfer: dropped })
  await page.dispatchEvent("body", "drop", { dataTransfer: dropped })
}

export async function openSession(page: Page, content: string | Buffer, name = "session.jsonl"): Promise<void> {
  const file = { name, mimeType: "application/jsonl", buffer: Buffer.from(content) }
  await page.setInputFiles("input[data-chooses=files]", file)
  await page.waitForSelector("[role=feed][aria-busy=false] article")
}
