import { useTranslation } from '../../../app/translate.ts'
import { useNumberInput } from '../../../parts/fields/use-number.ts'
import type { StakeFieldProps } from '../ticket.tsx'

/** The stake, typed on a real keyboard. */
export function StakeField({ desk, describedBy }: StakeFieldProps) {
  const { t } = useTranslation()
  const { form, market, error } = desk
  const number = useNumberInput(form.stake, 2, (text) => text.length <= 12 && desk.act({ type: 'stake', text }))
  return (
    <div
      className={`flex min-h-13 items-center justify-between gap-2 rounded-control border bg-s2 px-4 focus-within:border-brand ${error === undefined ? 'border-transparent' : 'border-danger'}`}
    >
      <input
        {...number}
        aria-label={t('option.stake')}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy}
        className="tn min-w-0 flex-1 bg-transparent text-22 font-semibold outline-none placeholder:text-fg3"
      />
      <span className="text-13 text-fg2">{market.quote}</span>
    </div>
  )
}
