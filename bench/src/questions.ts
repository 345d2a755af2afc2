import type { Question } from "./question.js"

/** To add a question: a script under questions/, and a row here. A process loads only the one that it is asked. */
export const QUESTIONS: Readonly<Record<string, () => Promise<Question>>> = {
  open: async () => (await import("./questions/open.js")).open,
  blobs: async () => (await import("./questions/blobs.js")).blobs,
  list: async () => (await import("./questions/list.js")).list,
  growth: async () => (await import("./questions/growth.js")).growth,
}

export async function questionNamed(name: string): Promise<Question> {
  const load = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name] : undefined
  if (!load)
    throw new Error(`There is no question ${JSON.stringify(name)}; there are ${Object.keys(QUESTIONS).join(", ")}.`)
  return load()
}
