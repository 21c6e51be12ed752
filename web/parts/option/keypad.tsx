import { Delete } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { typed } from '../fields/step.ts'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'] as const

/** Twelve large keys for an amount, within reach of the thumb and without the phone's keyboard. */
export function Keypad({
  value,
  onChange,
  places,
  label,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly places: number
  readonly label: string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const press = (key: string): void => {
    tick(6)
    const next = typed(value + key, places)
    if (next !== undefined && next.length <= 12) onChange(next)
  }
  return (
    <div role="group" aria-label={label} className="grid grid-cols-3 gap-1.5">
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          onClick={() => press(key)}
          className="press tn min-h-12 rounded-control bg-s2 text-22 font-medium select-none"
        >
          {format.typing(key)}
        </button>
      ))}
      <button
        type="button"
        aria-label={t('settled.erase')}
        onClick={() => {
          tick(6)
          onChange(value.slice(0, -1))
        }}
        className="press flex min-h-12 items-center justify-center rounded-control bg-s2 text-fg2"
      >
        <Delete size={22} strokeWidth={1.75} aria-hidden />
      </button>
    </div>
  )
}
