import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'
import { type Caution, unaskedLeverageMax, unaskedReachPpmMax } from './asks.ts'

/** Says why an order is confirmed although its owner does not want to be asked about its kind. */
export function cautionText(caution: Caution, t: Translate, format: Formats): string {
  if (caution === 'leverage') return t('setting.caution.leverage', { leverage: unaskedLeverageMax })
  if (caution === 'reach') return t('setting.caution.reach', { percent: format.ppm(unaskedReachPpmMax) })
  return t('setting.caution.loan')
}
