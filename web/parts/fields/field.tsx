import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'prefix'> & {
  readonly label: string
  /** A line below the field. */
  readonly hint?: ReactNode
  /** Replaces the hint and is read out. */
  readonly error?: string | undefined
  readonly before?: ReactNode
  readonly after?: ReactNode
  readonly inputRef?: Ref<HTMLInputElement>
}

/** A text field with its label above and one line below. The whole frame can be tapped. */
export function Field({ label, hint, error, before, after, inputRef, className = '', id, ...input }: FieldProps) {
  const own = useId()
  const inputId = id ?? own
  const below = error ?? hint
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={inputId} className="text-13 font-medium text-fg2">
        {label}
      </label>
      <div
        className={`flex min-h-12 items-center gap-2 rounded-control border bg-s2 px-3.5 focus-within:border-brand ${error === undefined ? 'border-transparent' : 'border-danger'}`}
      >
        {before}
        <input
          ref={inputRef}
          id={inputId}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={below === undefined ? undefined : `${inputId}-below`}
          {...input}
          className="min-w-0 flex-1 self-stretch bg-transparent text-15 outline-none disabled:text-fg3"
        />
        {after}
      </div>
      {below !== undefined && (
        <div
          id={`${inputId}-below`}
          role={error === undefined ? undefined : 'alert'}
          className={`text-12 ${error === undefined ? 'text-fg3' : 'text-danger'}`}
        >
          {below}
        </div>
      )}
    </div>
  )
}

/** A checkbox with a line of text. */
export function Check({
  isOn,
  onChange,
  children,
  error,
}: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
  readonly error?: string | undefined
}) {
  return (
    <div className="flex flex-col gap-1">
      <label className="flex min-h-6 items-start gap-2 text-13 text-fg2">
        <input
          type="checkbox"
          checked={isOn}
          aria-invalid={error === undefined ? undefined : true}
          onChange={(event) => onChange(event.target.checked)}
          className="size-5 shrink-0 accent-brand"
        />
        <span>{children}</span>
      </label>
      {error !== undefined && (
        <p role="alert" className="ms-7.5 text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** A switch at the end of a row, named by `label`. */
export function Switch({
  isOn,
  onChange,
  label,
}: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly label: string
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      onClick={() => onChange(!isOn)}
      className={`relative h-7 w-12 shrink-0 rounded-full transition-colors ${isOn ? 'bg-brand' : 'bg-s3'}`}
    >
      <span
        className={`absolute start-0.5 top-0.5 size-6 rounded-full transition-transform ${isOn ? 'translate-x-5 bg-onbrand' : 'bg-fg3'}`}
      />
    </button>
  )
}
