import type { ComponentChildren, JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "../controls/icon-button.js"

export interface ModalProps {
  readonly title: string
  readonly class: string
  readonly children: ComponentChildren
  onClose(): void
}

/** A modal dialog. The browser keeps the focus inside, closes it on Escape, and restores the focus. */
export function Modal({ title, children, onClose, ...rest }: ModalProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: The browser handles Escape.
    <dialog
      ref={dialog}
      class={rest.class}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) dialog.current?.close()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
