import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { type KeyboardEvent, useRef } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { durationOf } from '../../parts/option/words.ts'

/** The choice of durations, each with its profit rate. */
export function Durations({
  rates,
  value,
  onChange,
}: {
  readonly rates: WireOptionTerms['rates']
  readonly value: number
  readonly onChange: (seconds: number) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const group = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = rates.findIndex((rate) => rate.seconds === value)
    const next = (at + step + rates.length) % rates.length
    onChange(rates[next]?.seconds ?? value)
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus()
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-2 text-12 text-fg2">
        <span>{t('option.duration')}</span>
        <span>{t('option.rate')}</span>
      </div>
      <div
        ref={group}
        role="radiogroup"
        aria-label={t('option.duration')}
        onKeyDown={move}
        className="grid grid-cols-[repeat(auto-fit,minmax(3.25rem,1fr))] gap-1.5"
      >
        {rates.map(({ seconds, profit }) => {
          const isOn = seconds === value
          const rate = format.percent(profit, 0)
          return (
            <button
              key={seconds}
              type="button"
              role="radio"
              aria-checked={isOn}
              aria-label={t('option.rateOf', { duration: durationOf(seconds, t), rate })}
              tabIndex={isOn ? 0 : -1}
              onClick={() => onChange(seconds)}
              className={`press flex min-h-12 min-w-0 flex-col items-center justify-center rounded-control border ${isOn ? 'border-brand bg-brandtint' : 'border-transparent bg-s2'}`}
            >
              <span className={`text-13 font-semibold whitespace-nowrap ${isOn ? 'text-brand' : ''}`}>{durationOf(seconds, t)}</span>
              <span className="tn text-11 text-fg2">{rate}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}
