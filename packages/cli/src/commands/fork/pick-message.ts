import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { pickerDisplay, requireTerminal } from "../../tui/frame/picker-environment.js"
import { startPicker } from "../../tui/frame/start-picker.js"
import { MessagePicker } from "../../tui/messages/message-picker.js"
import type { UserMessage } from "./user-messages.js"

const ALTERNATIVES = "use `--before ENTRY` instead"

/** Lets the user choose a message. @returns undefined when the user left */
export async function pickMessage(
  context: CommandContext,
  messages: readonly UserMessage[],
): Promise<UserMessage | undefined> {
  const terminal = requireTerminal(context, "treelog fork --interactive", ALTERNATIVES)
  if (messages.length === 0) throw new UsageError("The session has no message of the user to fork before.")
  const look = pickerDisplay(context)
  return startPicker(new MessagePicker(messages, look), terminal, look, context.io.interrupted)
}
