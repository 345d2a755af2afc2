import type { JSX } from "preact"

/** @param share from 0 to 1 */
export function ShareBar({ share }: { readonly share: number }): JSX.Element {
  return (
    <svg class="share-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(0, Math.min(100, share * 100))} height={4} />
    </svg>
  )
}
