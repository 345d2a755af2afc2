import type { JSX } from "preact"
import { SHORTCUTS } from "../shortcuts.js"
import { useViewer } from "../viewer-context.js"
import { Modal } from "./modal.js"
import { ShareDialog } from "./share-dialog.js"

/** The open dialog, if any. */
export function Dialogs(): JSX.Element | null {
  const { dialog } = useViewer()
  if (dialog?.kind === "picture") {
    return (
      <Modal title="Picture" class="picture-dialog">
        <img src={dialog.url} alt="From the session, in full size" />
      </Modal>
    )
  }
  if (dialog?.kind === "share") return <ShareDialog />
  if (dialog?.kind === "help") {
    return (
      <Modal title="Keyboard shortcuts" class="help-dialog">
        <dl>
          {SHORTCUTS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                {keys.split(" / ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p class="faint">In the tree: the arrow keys, Home, End and Enter; left and right fold a branch.</p>
      </Modal>
    )
  }
  return null
}
