import type { ComponentChildren, JSX } from "preact"
import { fileSource } from "../source/dropped-files.js"
import { readableLine } from "../text/readable-text.js"
import { FileButton } from "./controls/file-button.js"
import { Icon } from "./controls/icons.js"
import { ThemeButton } from "./controls/theme-button.js"
import { sizeText } from "./format-values.js"
import { useViewer } from "./state/viewer-context.js"

/** The screen without a session. */
export function StartScreen(): JSX.Element {
  const { phase } = useViewer()
  return (
    <StartFrame title="treelog">
      {phase.kind === "reading" ? (
        <p class="start-lead" role="status">
          Reading <bdi>{phase.name}</bdi> …
        </p>
      ) : (
        <>
          <p class="start-lead">View a session of a coding agent: its tree, branches, messages and tool calls.</p>
          {phase.kind === "failed" && (
            <p class="failure" role="alert">
              <span>
                <strong>
                  <bdi>{phase.name}</bdi> could not be shown.
                </strong>{" "}
                {phase.message}
              </span>
            </p>
          )}
          {phase.kind === "waiting" && phase.choice.length > 0 && <Choice files={phase.choice} />}
          <div class="start-drop">
            <p>
              Drop a <code>.jsonl</code> file here, with its <code>blobs</code> folder if it has one
            </p>
            <div class="start-buttons">
              <FileButton class="button primary">
                <Icon name="open" /> Open a session
              </FileButton>
              <FileButton class="button" folder>
                Open a folder
              </FileButton>
            </div>
          </div>
          <p class="start-note">
            The file stays on this machine: this page makes no network requests. It reads sessions of pi, oh-my-pi, xcsh
            and treelog.
          </p>
        </>
      )}
    </StartFrame>
  )
}

function Choice({ files }: { readonly files: readonly File[] }): JSX.Element {
  const viewer = useViewer()
  return (
    <nav class="start-choice" aria-label="Sessions found">
      <h2>{files.length} sessions</h2>
      <ul>
        {files.map((file) => (
          <li key={file.webkitRelativePath || file.name}>
            <button type="button" class="choice" onClick={() => viewer.open(fileSource(file))}>
              <bdi>{readableLine(file.name, 160)}</bdi> <span class="faint">{sizeText(file.size)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A page that shows no session. */
export function StartFrame({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <div class="start">
      <header class="start-bar">
        <ThemeButton />
      </header>
      <main class="start-main">
        <Logo />
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}

/** The logo of treelog: a trunk with a branch. */
function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <path d="M16 8v32M16 13c0 9 17 5 17 16" />
      <circle cx="16" cy="8" r="4.5" />
      <circle cx="16" cy="24" r="4.5" />
      <circle cx="16" cy="40" r="4.5" />
      <circle cx="33" cy="32" r="4.5" />
    </svg>
  )
}
