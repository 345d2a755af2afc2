import type { Question } from "./question.js"

/** To add a question: a script under questions/, and a row here. A process loads only the one that it is asked. */
export const QUESTIONS: Readonly<Record<string, () => Promise<Question>>> = {
  open: async () => (await import("./questions/open.js")).open,
  small: async () => (await import("./questions/small.js")).small,
  load: async () => (await import("./questions/load.js")).load,
  append: async () => (await import("./questions/append.js")).append,
  pi: async () => (await import("./questions/pi.js")).pi,
  migrate: async () => (await import("./questions/migrate.js")).migrate,
  blobs: async () => (await import("./questions/blobs.js")).blobs,
  start: async () => (await import("./questions/start.js")).start,
  list: async () => (await import("./questions/list.js")).list,
  search: async () => (await import("./questions/search.js")).search,
  agents: async () => (await import("./questions/agents.js")).agents,
  history: async () => (await import("./questions/history.js")).history,
  growth: async () => (await import("./questions/growth.js")).growth,
  postgres: async () => (await import("./questions/postgres.js")).postgres,
  scale: async () => (await import("./questions/scale.js")).scale,
}

export async function questionNamed(name: string): Promise<Question> {
  const load = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name] : undefined
  if (!load)
    throw new Error(`There is no question ${JSON.stringify(name)}; there are ${Object.keys(QUESTIONS).join(", ")}.`)
  return load()
}
