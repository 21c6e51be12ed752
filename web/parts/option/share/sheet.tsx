import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { ShareSheet } from '../../share/sheet.tsx'
import { optionFacts } from './facts.ts'

/** The picture of a settled order. */
export function ShareOption({
  order,
  market,
  onClose,
}: {
  readonly order: WireOption
  readonly market: WireMarket
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  return <ShareSheet factsOf={() => optionFacts(order, { t, format, market })} onClose={onClose} />
}
