import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'

export type Choice<Value extends string> = { readonly value: Value; readonly label: string; readonly count?: number | undefined }
/** `shown`: drawn in place of the label, which is then read out. */
type Segment<Value extends string> = Choice<Value> & { readonly shown?: ReactNode }

/** Underlined tabs that scroll sideways if necessary. The screen gives its panel `role="tabpanel"`. */
export function Tabs<Value extends string>({
  choices,
  value,
  onChange,
  label,
  className = '',
}: {
  readonly choices: readonly Choice<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly label: string
  readonly className?: string
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Scrolls only sideways, so that the page does not move.
    const frame = list.current?.getBoundingClientRect()
    const tab = list.current?.querySelector('[aria-selected=true]')?.getBoundingClientRect()
    if (list.current === null || frame === undefined || tab === undefined) return
    if (tab.right > frame.right) list.current.scrollLeft += tab.right - frame.right + 16
    else if (tab.left < frame.left) list.current.scrollLeft -= frame.left - tab.left + 16
  }, [value])
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, list.current)}
      className={`no-scrollbar flex gap-5 overflow-x-auto border-b border-line px-4 ${className}`}
    >
      {choices.map((choice) => {
        const isOn = choice.value === value
        return (
          <button
            key={choice.value}
            type="button"
            role="tab"
            aria-selected={isOn}
            tabIndex={isOn ? 0 : -1}
            onClick={() => onChange(choice.value)}
            className={`relative min-h-11 shrink-0 text-15 font-medium whitespace-nowrap ${isOn ? 'text-fg' : 'text-fg3'}`}
          >
            {choice.label}
            {choice.count !== undefined && choice.count > 0 && <span className="tn"> {choice.count}</span>}
            {isOn && <span aria-hidden className="absolute inset-x-0 bottom-0 h-0.5 rounded-full bg-brand" />}
          </button>
        )
      })}
    </div>
  )
}

/** Two to four equal choices in one control. `tone` colours the chosen one, for buy and sell. */
export function Segmented<Value extends string>({
  choices,
  value,
  onChange,
  label,
  size = 'medium',
  tone,
}: {
  readonly choices: readonly Segment<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly label: string
  readonly size?: 'medium' | 'small'
  readonly tone?: (value: Value) => 'up' | 'down' | undefined
}) {
  const group = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, group.current)}
      className="flex rounded-control bg-s2 p-1"
    >
      {choices.map((choice) => {
        const isOn = choice.value === value
        const own = tone?.(choice.value)
        const onClass = own === 'up' ? 'bg-up text-onup' : own === 'down' ? 'bg-down text-ondown' : 'bg-knob text-fg'
        return (
          <button
            key={choice.value}
            type="button"
            role="radio"
            aria-checked={isOn}
            aria-label={choice.shown === undefined ? undefined : choice.label}
            tabIndex={isOn ? 0 : -1}
            onClick={() => onChange(choice.value)}
            className={`flex-1 truncate rounded-chip px-2 font-medium ${size === 'small' ? 'min-h-7 text-12' : 'min-h-9 text-13'} ${isOn ? onClass : 'text-fg2'}`}
          >
            {choice.shown ?? choice.label}
          </button>
        )
      })}
    </div>
  )
}

/** A filter that is on or off. */
export function Chip({ isOn, onClick, children }: { readonly isOn: boolean; readonly onClick: () => void; readonly children: string }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={`min-h-7 shrink-0 rounded-chip px-2.5 text-12 font-medium whitespace-nowrap ${isOn ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
    >
      {children}
    </button>
  )
}

function moveFocus(event: KeyboardEvent, group: HTMLElement | null): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0 || group === null) return
  const items = [...group.querySelectorAll<HTMLElement>('[role=tab],[role=radio]')]
  const next = items[(items.indexOf(document.activeElement as HTMLElement) + step + items.length) % items.length]
  next?.focus()
  next?.click()
  event.preventDefault()
}
