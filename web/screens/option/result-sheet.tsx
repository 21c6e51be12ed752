import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { DirectionTag } from '../../parts/option/direction.tsx'
import { SignedAmount } from '../../parts/option/settled-row.tsx'
import { durationOf, resultOf, sentenceOf, toneOf } from '../../parts/option/words.ts'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'

/** The result of an order, without celebration. A button to place it again is offered, but never first. */
export function ResultSheet({
  order,
  onClose,
  onDetails,
  onAgain,
}: {
  readonly order: WireOption
  readonly onClose: () => void
  readonly onDetails: () => void
  readonly onAgain?: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const quote = market?.quote ?? ''
  const price = (value: string | undefined): string =>
    value === undefined || Number(value) === 0 ? '–' : `${format.number(value, market?.priceDigits ?? 0, 8)} ${quote}`
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={resultOf(order, t)}
      footer={
        <div className="flex flex-col gap-2">
          <Button isWide onClick={onClose}>
            {t('common.done')}
          </Button>
          <div className="flex flex-wrap gap-2">
            <Button variant="soft" size="medium" className="flex-1" onClick={onDetails}>
              {t('settled.details')}
            </Button>
            {onAgain !== undefined && (
              <Button variant="soft" size="medium" className="flex-1" onClick={onAgain}>
                {t('settled.again')}
              </Button>
            )}
          </div>
        </div>
      }
    >
      <p className={`text-28 font-semibold ${toneOf(order)}`}>
        <SignedAmount order={order} asset={quote} />
      </p>
      <p className="pt-1 pb-3 text-13 text-fg2">{sentenceOf(order, t)}</p>
      <dl>
        <SummaryRow label={t('orders.pair')}>
          {market === undefined ? order.symbol : `${market.base}/${market.quote}`} · <DirectionTag direction={order.direction} />
        </SummaryRow>
        <SummaryRow label={t('option.duration')}>{durationOf(order.seconds, t)}</SummaryRow>
        <SummaryRow label={t('option.opening')}>{price(order.strike)}</SummaryRow>
        <SummaryRow label={t('settled.settlement')}>{price(order.settlePrice)}</SummaryRow>
        <SummaryRow label={t('settled.completed')}>{order.settledAt === undefined ? '–' : format.clock(order.settledAt)}</SummaryRow>
      </dl>
    </Sheet>
  )
}
