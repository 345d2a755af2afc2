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
