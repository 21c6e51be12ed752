import { useEffect, useId, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'

/**
 * A code of six digits in one real input, so that paste, autofill from the message and screen readers work. The boxes are drawn behind
 * it. `onComplete` runs after the sixth digit. A refused code stays and is selected, so that typing replaces it. Secret digits are shown as
 * dots.
 */
export function CodeField({
  value,
  onChange,
  onComplete,
  error,
  label,
  hasFocus = false,
  isSecret = false,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onComplete?: (value: string) => void
  readonly error?: string | undefined
  readonly label?: string
  /** Whether the field takes the focus when it appears. */
  readonly hasFocus?: boolean
  readonly isSecret?: boolean
}) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const digits = [...value]
  const next = error === undefined ? Math.min(digits.length, 5) : digits.length % 6
  useEffect(() => {
    if (error !== undefined && document.activeElement === input.current) input.current?.select()
  }, [error])
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-fg2">
        {label ?? t('fields.code')}
      </label>
      <div className="relative h-14">
        <input
          ref={input}
          id={id}
          autoFocus={hasFocus}
          value={value}
          inputMode="numeric"
          type={isSecret ? 'password' : 'text'}
          autoComplete={isSecret ? 'off' : 'one-time-code'}
          pattern="[0-9]*"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => {
            const next = event.target.value.replace(/\D/g, '').slice(0, 6)
            onChange(next)
            if (next.length === 6 && next !== value) onComplete?.(next)
          }}
          className="peer absolute inset-0 z-10 w-full bg-transparent text-transparent caret-transparent outline-none selection:bg-transparent"
        />
        <div aria-hidden className="group pointer-events-none grid h-full grid-cols-6 gap-2 peer-focus:[&>[data-next]]:border-brand">
          {[0, 1, 2, 3, 4, 5].map((place) => (
            <span
              key={place}
              data-next={place === next ? '' : undefined}
              className={`tn flex items-center justify-center rounded-control border bg-s2 text-22 font-semibold ${error === undefined ? 'border-transparent' : 'border-danger'}`}
            >
              {isSecret && digits[place] !== undefined ? '•' : digits[place]}
            </span>
          ))}
        </div>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
