import type { Decimal } from '@candor/core/money/brand.ts'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { TransferSheet } from '../../../parts/transfer/lazy-sheet.ts'
import { Button, ButtonLink } from '../../../parts/ui/button.tsx'
import { Amount } from '../../../parts/ui/figure.tsx'
import { SummaryRow } from '../../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../../parts/ui/skeleton.tsx'
import { LoginFirst } from '../../../parts/ui/state.tsx'
import type { Desk } from '../use-desk.ts'

/** The Second account: what is available and at stake, the loss of the day, and the result of all settled orders. */
export function Account({ desk: { context, gate, market } }: { readonly desk: Desk }) {
  const { t } = useTranslation()
  const [isMoving, setIsMoving] = useState(false)
  const { me, available } = context
  if (gate === 'visitor') return <LoginFirst text={t('settled.loginFirst')} next={`/Second?symbol=${market.symbol}`} />
  if (me === undefined || available === undefined) return <RowsSkeleton rows={2} />
  return (
    <div className="flex flex-col gap-3 px-4 pt-2">
      <dl>
        <SummaryRow label={t('option.available')}>
          <Amount value={available} asset={market.quote} />
        </SummaryRow>
        <SummaryRow label={t('admission.limit.open')}>
          <Amount value={me.openStakes} asset={market.quote} />
        </SummaryRow>
        <SummaryRow label={t('admission.limit.today')}>
          <Amount value={me.lossToday} asset={market.quote} />
        </SummaryRow>
        <SummaryRow label={t('settled.netAll')}>
          <Net value={me.net} asset={market.quote} />
        </SummaryRow>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" onClick={() => setIsMoving(true)}>
          {t('option.transfer')}
        </Button>
        <ButtonLink to="/property" variant="soft" size="medium" className="flex-1">
          {t('orders.allAssets')}
        </ButtonLink>
      </div>
      {isMoving && (
        <Suspense fallback={null}>
          <TransferSheet
            start={{ from: 'spot', to: 'option', asset: market.quote, symbol: market.symbol }}
            onClose={() => setIsMoving(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** A result with its sign and colour. */
function Net({ value, asset }: { readonly value: Decimal; readonly asset: string }) {
  const number = Number(value)
  return (
    <span className={number > 0 ? 'text-up' : number < 0 ? 'text-down' : ''}>
      {number > 0 ? '+' : number < 0 ? '−' : ''}
      <Amount value={value.replace(/^[-+]/, '')} asset={asset} />
    </span>
  )
}
