import type { ComponentChildren, JSX } from "preact"
import { Modal } from "./modal.js"

export interface ShortcutsDialogProps {
  readonly shortcuts: readonly (readonly [keys: string, does: string])[]
  readonly children?: ComponentChildren
  onClose(): void
}

/** The keyboard shortcuts of a page. */
export function ShortcutsDialog({ shortcuts, children, onClose }: ShortcutsDialogProps): JSX.Element {
  return (
    <Modal title="Keyboard shortcuts" class="help-dialog" onClose={onClose}>
      <dl>
        {shortcuts.map(([keys, does]) => (
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
      {children}
    </Modal>
  )
}
