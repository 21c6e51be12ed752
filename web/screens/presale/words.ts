/** The rules of a presale in sentences. */
import type { WirePresaleDetail } from '@candor/core/protocol/wire/presale.ts'
import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'

/** When the tokens become free: the part at the end, then the rest. */
export function releaseText(
  { release: { kind, atListingPercent, lockDays }, endsAt, schedule }: WirePresaleDetail,
  t: Translate,
  format: Formats,
): string {
  if (lockDays === 0) return t('presale.release.now')
  const date = format.date(schedule.at(-1)?.at ?? endsAt)
  return `${t('presale.release.atEnd', { percent: format.percent(atListingPercent, 0) })} ${t(`presale.release.${kind}`, { date })}`
}

/** How tokens are shared when more is subscribed than the supply costs. */
export function sharingText({ purchaseLimit, symbol }: WirePresaleDetail, t: Translate, format: Formats): string {
  return t('presale.sharing', { limit: `${format.number(purchaseLimit, 0, 8)} ${symbol}` })
}

/** What comes back, and when. */
export function refundText({ softCap, payAsset }: WirePresaleDetail, t: Translate, format: Formats): string {
  const rest = t('presale.refund.rest')
  return softCap === null ? rest : `${rest} ${t('presale.refund.softCap', { sum: `${format.number(softCap, 0, 2)} ${payAsset}` })}`
}
