import type { ComponentChildren, JSX } from "preact"
import { IconButton } from "../controls/icon-button.js"

export interface SideFrameProps {
  readonly label: string
  /** On narrow screens, whether it covers the page. */
  readonly isOpen: boolean
  readonly children: ComponentChildren
  close(): void
}

/** The panel beside the main part of a page. */
export function SideFrame({ label, isOpen, children, close }: SideFrameProps): JSX.Element {
  return (
    <>
      <aside id="side" class="side" aria-label={label}>
        {children}
        <IconButton icon="close" label="Close the panel" class="side-close" onClick={close} />
      </aside>
      {isOpen && <button type="button" class="side-veil" tabIndex={-1} aria-label="Close the panel" onClick={close} />}
    </>
  )
}
