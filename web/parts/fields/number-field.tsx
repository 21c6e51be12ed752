import { Minus, Plus } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { tick } from '../../app/haptics.ts'
import { stepped } from './step.ts'
import { useNumberInput } from './use-number.ts'

/**
 * A number in decimal text with − and + buttons for one step; holding them repeats. `step` is the market's tick or lot as text ("0.1").
 * It limits the decimal places, unless `places` does. `after` holds small buttons at the field's end, or below it in a narrow column.
 */
export function NumberField({
  label,
  value,
  onChange,
  step,
  places,
  after,
  error,
  isDisabled = false,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly step: string
  readonly places?: number
  readonly after?: ReactNode
  readonly error?: string | undefined
  readonly isDisabled?: boolean
}) {
  const { t } = useTranslation()
  const id = useId()
  const allowed = places ?? Math.max(0, step.length - step.indexOf('.') - 1) * (step.includes('.') ? 1 : 0)
  const number = useNumberInput(value, allowed, onChange)
  const latest = useRef(value)
  latest.current = value
  const move = (direction: 1 | -1): void => {
    latest.current = stepped(latest.current, step, direction)
    onChange(latest.current)
  }
  return (
    <div className={`flex flex-col gap-1 ${after === undefined ? '' : '@container'}`}>
      <div
        className={`flex flex-wrap items-center rounded-control border bg-s2 focus-within:border-brand ${after === undefined ? 'min-h-12' : 'min-h-[50px]'} ${error === undefined ? 'border-transparent' : 'border-danger'}`}
      >
        <Step label={t('fields.less', { label })} isNarrow={after !== undefined} isDisabled={isDisabled} onStep={() => move(-1)}>
          <Minus size={16} strokeWidth={1.75} aria-hidden />
        </Step>
        <div className="flex min-w-0 flex-1 flex-col items-center">
          <label htmlFor={id} className="max-w-full truncate text-11 text-fg3">
            {label}
          </label>
          <input
            id={id}
            {...number}
            disabled={isDisabled}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
              event.preventDefault()
              move(event.key === 'ArrowUp' ? 1 : -1)
            }}
            className={`tn w-full min-w-0 bg-transparent text-center font-medium outline-none disabled:text-fg3 ${number.value.length > 9 ? 'text-12' : 'text-15'}`}
          />
        </div>
        <Step label={t('fields.more', { label })} isNarrow={after !== undefined} isDisabled={isDisabled} onStep={() => move(1)}>
          <Plus size={16} strokeWidth={1.75} aria-hidden />
        </Step>
        {after}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-11 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

function Step({
  label,
  onStep,
  isNarrow,
  isDisabled,
  children,
}: {
  readonly label: string
  readonly onStep: () => void
  readonly isNarrow: boolean
  readonly isDisabled: boolean
  readonly children: ReactNode
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const run = useRef(onStep)
  run.current = onStep
  const stop = (): void => clearTimeout(timer.current)
  const repeat = (wait: number): void => {
    timer.current = setTimeout(() => {
      run.current()
      repeat(70)
    }, wait)
  }
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      onClick={() => {
        tick(6)
        onStep()
      }}
      onPointerDown={() => repeat(450)}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      className={`flex h-11 shrink-0 items-center justify-center text-fg2 disabled:opacity-40 ${isNarrow ? 'w-8' : 'w-11'}`}
    >
      {children}
    </button>
  )
}
