import type { JSX } from "preact"
import { SHORTCUTS } from "../input/shortcuts.js"
import { useViewer } from "../state/viewer-context.js"
import { Modal } from "./modal.js"
import { ShareDialog } from "./share-dialog.js"
import { ShortcutsDialog } from "./shortcuts-dialog.js"

/** The open dialog, if any. */
export function Dialogs(): JSX.Element | null {
  const viewer = useViewer()
  const { dialog } = viewer
  const close = (): void => viewer.update({ dialog: undefined })
  if (dialog?.kind === "picture") {
    return (
      <Modal title="Picture" class="picture-dialog" onClose={close}>
        <img src={dialog.url} alt="From the session, in full size" />
      </Modal>
    )
  }
  if (dialog?.kind === "share") return <ShareDialog />
  if (dialog?.kind !== "help") return null
  return (
    <ShortcutsDialog shortcuts={SHORTCUTS} onClose={close}>
      <p class="faint">In the tree: the arrow keys, Home, End and Enter; left and right fold a branch.</p>
    </ShortcutsDialog>
  )
}
