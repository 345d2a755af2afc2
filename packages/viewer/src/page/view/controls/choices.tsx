import type { JSX } from "preact"

export interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, label: string, title?: string])[]
  readonly choose: (value: Value) => void
}

/** One of some values, in a menu. */
export function Choice<Value extends string>({ label, value, options, choose }: ChoiceProps<Value>): JSX.Element {
  return (
    <label class="choose">
      <span class="unseen">{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value as Value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** One of a few values, all of them in sight. */
export function Switch<Value extends string>({ label, value, options, choose }: ChoiceProps<Value>): JSX.Element {
  return (
    <fieldset class="switch" aria-label={label}>
      {options.map(([one, name, title]) => (
        <button type="button" key={one} title={title} aria-pressed={value === one} onClick={() => choose(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
