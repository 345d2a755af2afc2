import type { ComponentChildren, JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "../icons.js"
import { SHORTCUTS } from "../shortcuts.js"
import { useViewer } from "../viewer-context.js"

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

interface ModalProps {
  readonly title: string
  readonly class: string
  readonly children: ComponentChildren
}

/** A modal dialog. The browser keeps the focus inside, closes it on Escape, and restores the focus. */
function Modal({ title, children, ...rest }: ModalProps): JSX.Element {
  const viewer = useViewer()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: The browser handles Escape.
    <dialog
      ref={dialog}
      class={rest.class}
      aria-label={title}
      onClose={() => viewer.show(undefined)}
      onClick={(event) => {
        if (event.target === event.currentTarget) dialog.current?.close()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
