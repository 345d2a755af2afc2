import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { SecretKind, SecretPlace } from "../../../wire.js"
import { faultText } from "../../source/ask-routes.js"
import { readableLine } from "../../text/readable-text.js"
import { Icon } from "../controls/icons.js"
import { numberText, plural } from "../format-values.js"
import { Failure } from "../lost.js"
import { useViewer } from "../state/viewer-context.js"
import { Modal } from "./modal.js"

/** Shows what a shared copy of the session lacks, before it is saved. */
export function ShareDialog(): JSX.Element | null {
  const viewer = useViewer()
  const { sharing } = viewer
  const [kinds, setKinds] = useState<readonly SecretKind[]>()
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const left = new AbortController()
    sharing?.findSecrets(left.signal).then(setKinds, (error) => {
      if (!left.signal.aborted) setFault(faultText(error))
    })
    return () => left.abort()
  }, [sharing])
  if (!sharing) return null
  return (
    <Modal
      title="Share a copy without secrets"
      class="share-dialog"
      onClose={() => viewer.update({ dialog: undefined })}
    >
      <p>
        One HTML file with the whole session: all branches, and the transcripts of its sub-agents. Whoever opens it
        needs nothing else.
      </p>
      {fault !== undefined && <Failure text={fault} />}
      <div role="status">
        {kinds === undefined && fault === undefined && <p class="faint">Looking for secrets …</p>}
        {kinds && <Found kinds={kinds} />}
      </div>
      {kinds && (
        <footer>
          <a
            class="button primary"
            href={sharing.href}
            download={`${readableLine(viewer.session?.header?.id ?? "session", 80)}.html`}
          >
            <Icon name="save" /> Save the file
          </a>
        </footer>
      )}
    </Modal>
  )
}

function Found({ kinds }: { readonly kinds: readonly SecretKind[] }): JSX.Element {
  const count = kinds.reduce((sum, kind) => sum + kind.count, 0)
  return (
    <>
      <p>
        <strong>
          {count === 0
            ? "Nothing was found that looks like a secret."
            : `${plural(count, "secret")} will be taken out:`}
        </strong>
      </p>
      <ul class="secret-kinds">
        {kinds.map(({ kind, count: own, places }) => (
          <li key={kind}>
            <details>
              <summary>
                <bdi>{readableLine(kind, 80)}</bdi> <span class="badge quiet">{numberText(own)}</span>
              </summary>
              <ul>
                {places.map((place, index) => (
                  <li key={`${index} ${place.entryId}`}>
                    <Place place={place} />
                  </li>
                ))}
                {places.length < own && <li class="faint">… and {numberText(own - places.length)} more</li>}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      <p class="faint">
        Passwords in plain sentences, names and everything else that has no form of a secret stay in the file. Read it
        before you share it.
      </p>
    </>
  )
}

/** A place, which leads to its entry. */
function Place({ place: { entryId, place = "", agent } }: { readonly place: SecretPlace }): JSX.Element {
  const viewer = useViewer()
  const where = readableLine(place, 120) || "a line that cannot be read"
  const ordinal = entryId === undefined || agent !== undefined ? undefined : viewer.session?.tree.ordinalOf(entryId)
  if (ordinal !== undefined)
    return (
      <button
        type="button"
        class="text-button"
        onClick={() => {
          viewer.update({ dialog: undefined })
          viewer.goTo(ordinal, { unfold: true })
        }}
      >
        <bdi>{where}</bdi>
      </button>
    )
  return (
    <span class="faint">
      <bdi>{agent === undefined ? where : `${readableLine(agent, 60)}: ${where}`}</bdi>
    </span>
  )
}
