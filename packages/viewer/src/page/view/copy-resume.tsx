import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { IconButton } from "./icon-button.js"

/** Milliseconds for which the button says that it copied. */
const SHOWN_MS = 1_500

/** A button that copies the command line that goes on with the session, where the server of the page has one. */
export function CopyResume(): JSX.Element | null {
  const command = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")?.dataset.resume
  const [isCopied, setCopied] = useState(false)
  if (command === undefined) return null
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <IconButton
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? "Copied" : `Copy the resume command: ${command}`}
      onClick={copy}
    />
  )
}
