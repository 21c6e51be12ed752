import { ChevronDown } from 'lucide-react'
import { useId } from 'react'

/** A native select field for coins, accounts or pairs. */
export function PlainSelect<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div className="relative flex min-h-12 items-center rounded-control bg-s2 focus-within:outline-2 focus-within:outline-brand">
      <label htmlFor={id} className="shrink-0 py-3 ps-4 text-13 text-fg3">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className="min-h-12 min-w-0 flex-1 appearance-none rounded-control bg-transparent ps-3 pe-10 text-end text-15 font-medium text-ellipsis outline-none"
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} className="bg-s1 text-fg">
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} strokeWidth={1.75} aria-hidden className="pointer-events-none absolute end-4 text-fg2" />
    </div>
  )
}
