import { Search, X } from 'lucide-react'
import { useId } from 'react'

/** A field that searches a list as somebody types. `clear`: name of the button that empties it. `isOfSymbols`: phones offer capitals. */
export function SearchField({
  value,
  onChange,
  label,
  clear,
  isOfSymbols = false,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly clear: string
  readonly isOfSymbols?: boolean
}) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center gap-2 rounded-control bg-s2 px-3 focus-within:outline-2 focus-within:outline-brand">
      <label htmlFor={id} className="text-fg3">
        <Search size={18} strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{label}</span>
      </label>
      <input
        id={id}
        type="text"
        enterKeyHint="search"
        {...(isOfSymbols ? { autoCapitalize: 'characters' } : {})}
        autoComplete="off"
        value={value}
        placeholder={label}
        onChange={(event) => onChange(event.target.value)}
        className="min-w-0 flex-1 self-stretch bg-transparent text-15 outline-none"
      />
      {value !== '' && (
        <button type="button" aria-label={clear} onClick={() => onChange('')} className="flex size-8 items-center justify-center text-fg3">
          <X size={16} strokeWidth={1.75} aria-hidden />
        </button>
      )}
    </div>
  )
}
