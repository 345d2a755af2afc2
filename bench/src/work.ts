import type { Work } from "./question.js"

/** Work whose answer and own figures know the type of its result. */
export function work<Result>(
  run: () => Result | Promise<Result>,
  answer: (result: Result) => string | number | Promise<string | number>,
  figures?: (result: Result) => Readonly<Record<string, number>>,
): Work {
  return {
    run,
    answer: (result) => answer(result as Result),
    ...(figures && { figures: (result: unknown) => figures(result as Result) }),
  }
}
