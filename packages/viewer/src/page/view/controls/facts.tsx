import type { JSX } from "preact"

/** Safe to display; one without a value is left out. */
export type Fact = readonly [name: string, value: string | undefined]

/** Values under their names. */
export function Facts({ facts, ...rest }: { readonly facts: readonly Fact[]; readonly class?: string }): JSX.Element {
  return (
    <dl {...rest}>
      {facts.map(
        ([name, value = ""]) =>
          value !== "" && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** @param share from 0 to 1 */
export function ShareBar({ share }: { readonly share: number }): JSX.Element {
  return (
    <svg class="share-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(0, Math.min(100, share * 100))} height={4} />
    </svg>
  )
}
