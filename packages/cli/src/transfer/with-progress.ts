import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"

/** Yields what was done, and shows the progress. What ends the loop ends the work, too, which cleans up. */
export async function* withProgress<Report>(
  context: CommandContext,
  reports: AsyncGenerator<Report>,
  text: () => string,
): AsyncGenerator<Report> {
  const progress = new Progress(context)
  try {
    for (;;) {
      const { value, done } = await progress.during(context.hold(reports.next()), text)
      if (done) return
      yield value
    }
  } finally {
    await context.hold(reports.return(undefined))
  }
}
