import type { JSX } from "preact"
import { Icon } from "./icons.js"

export interface SearchInputProps {
  readonly id: string
  readonly label: string
  readonly placeholder: string | undefined
  readonly value: string
  onInput(value: string): void
  onKeyDown(event: KeyboardEvent): void
}

/** A text field for a query, which the key `/` focuses. */
export function SearchInput({ id, label, placeholder, value, onInput, onKeyDown }: SearchInputProps): JSX.Element {
  return (
    <>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        maxLength={1_000}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-label={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </>
  )
}
