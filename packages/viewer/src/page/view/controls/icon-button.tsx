import type { JSX } from "preact"
import { Icon, type IconName } from "./icons.js"

export interface IconButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "class" | "label" | "icon"> {
  readonly icon: IconName
  readonly label: string
  /** The key that does the same. */
  readonly shortcut?: string
  readonly class?: string
}

export interface IconLinkProps extends Omit<JSX.AnchorHTMLAttributes<HTMLAnchorElement>, "label" | "icon"> {
  readonly icon: IconName
  readonly label: string
}

/** A link with an icon, and its label as a tooltip. */
export function IconLink({ icon, label, href, ...rest }: IconLinkProps): JSX.Element {
  return (
    <a class="icon-button" href={href} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </a>
  )
}

/** A button with an icon, and its label as a tooltip. */
export function IconButton({ icon, label, shortcut, class: more, ...rest }: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={more === undefined ? "icon-button" : `icon-button ${more}`}
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
