import type { ComponentChildren, JSX } from "preact"
import { useRef } from "preact/hooks"
import { useViewer } from "../state/viewer-context.js"

export interface FileButtonProps {
  /** Whether to choose a folder instead of files. */
  readonly folder?: boolean
  readonly class: string
  readonly label?: string
  readonly children: ComponentChildren
}

export function FileButton({ folder = false, label, children, ...rest }: FileButtonProps): JSX.Element {
  const viewer = useViewer()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class={rest.class} aria-label={label} title={label} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        class="file-input"
        multiple
        hidden
        tabIndex={-1}
        accept={folder ? undefined : ".jsonl"}
        data-chooses={folder ? "folder" : "files"}
        {...(folder && { webkitdirectory: true })}
        onChange={(event) => {
          const { files } = event.currentTarget
          if (files && files.length > 0) viewer.openFiles([...files])
          event.currentTarget.value = ""
        }}
      />
    </>
  )
}
