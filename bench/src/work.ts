import type { Work } from "./question.js"

/** Work whose answer knows the type of its result. */
export function work<Result>(run: () => Result | Promise<Result>, answer: (result: Result) => string | number): Work {
  return { run, answer: (result) => answer(result as Result) }
}
