import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { stakesLeft } from './form.ts'
import type { Desk } from './use-desk.ts'

/** The room below the caps on running stakes, by direction. Hidden while no stake runs. */
export function StakesLeft({ desk, className = '' }: { readonly desk: Desk; readonly className?: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const left = stakesLeft(desk.context)
  if (left === undefined) return null
  const sums = { up: format.number(left.up, 0, 2), down: format.number(left.down, 0, 2), currency: desk.market.quote }
  return <p className={`tn text-12 text-fg2 ${className}`}>{t('option.left', sums)}</p>
}
