import type { JSX } from "preact"

/** Says that a context edit changes what the model gets. */
export function EditBadge({ isLeftOut }: { readonly isLeftOut: boolean }): JSX.Element {
  return <span class="badge">{isLeftOut ? "left out for the model" : "edited for the model"}</span>
}
