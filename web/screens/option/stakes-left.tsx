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
  const sums = { up: format.sum(left.up, desk.market.quote), down: format.sum(left.down, desk.market.quote), currency: desk.market.quote }
  return <p className={`tn text-12 text-fg2 ${className}`}>{t('option.left', sums)}</p>
}
