import { inTerminal, rewindTo, submit, typed } from "../scenario.js"

/** Goes back to an earlier prompt, and on from there, twice. */
export const rewind = inTerminal("rewind", async ({ terminal, say, emptyInput }) => {
  await say("The first prompt")
  await say("The second prompt")
  await say("The third prompt")
  await rewindTo(terminal, 1, "Restore conversation")
  await emptyInput("The third prompt")
  await say("Another third prompt")
  await rewindTo(terminal, 2, "Restore conversation")
  await emptyInput("The second prompt")
  await say("Another second prompt")
})

/** Goes back to before the first prompt. */
export const rewindAll = inTerminal("rewind-all", async ({ terminal, say, emptyInput }) => {
  await say("A haiku, please")
  await rewindTo(terminal, 1, "Restore conversation")
  await emptyInput("A haiku, please")
  await say("A limerick, please")
})

/** Goes back, and says nothing more. */
export const rewindLast = inTerminal("rewind-last", async ({ terminal, say, emptyInput }) => {
  await say("The first prompt")
  await say("The second prompt")
  await rewindTo(terminal, 1, "Restore conversation")
  await emptyInput("The second prompt")
})

export const summarizeUpTo = inTerminal("summarize-up-to", async ({ terminal, say }) => {
  await say("The first prompt")
  await say("The second prompt")
  await say("The third prompt")
  await rewindTo(terminal, 1, "Summarize up to here")
  await summarized(terminal)
  await say("The fourth prompt")
})

export const summarizeFrom = inTerminal("summarize-from", async ({ terminal, say, emptyInput }) => {
  await say("The first prompt")
  await say("The second prompt")
  await say("The third prompt")
  await rewindTo(terminal, 2, "Summarize from here")
  await summarized(terminal)
  await emptyInput("The second prompt")
  await say("The fourth prompt")
})

/** Goes back into the messages that a compaction kept. */
export const rewindIntoKept = inTerminal("rewind-into-kept", async ({ terminal, say, emptyInput }) => {
  await say("The first prompt")
  await say("The second prompt")
  await say("The third prompt")
  await say("The fourth prompt")
  await rewindTo(terminal, 3, "Summarize up to here")
  await summarized(terminal)
  await say("The fifth prompt")
  await rewindTo(terminal, 2, "Restore conversation")
  await emptyInput("The fourth prompt")
  await say("Another fourth prompt")
})

export const branch = inTerminal("branch", async ({ terminal, say }) => {
  await say("Plan it")
  await say('CALL Bash {"command":"echo one","description":"one"}')
  await typed(terminal, "/branch other")
  await submit(terminal)
  await terminal.shows(/[Bb]ranched|new branch|Fork/)
  await say("Try another way")
})

async function summarized(terminal: Parameters<typeof typed>[0]): Promise<void> {
  terminal.press("Enter")
  await terminal.shows(/[Ss]ummarized|Conversation compacted/)
}
