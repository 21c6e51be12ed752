import type { WireClosedPosition } from '@candor/core/protocol/wire/perp.ts'
import { ChevronRight, Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Endless } from '../../parts/lists/endless.tsx'
import { perp } from '../../parts/perp/api.ts'
import { Profit } from '../../parts/funds/profit.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { laterSheet } from '../../parts/ui/later.tsx'
import { holdingTime } from './holding-time.ts'
import { Nothing } from './orders.tsx'
import { pageQuery } from './past.tsx'
import { type Bounds, spanOf, spanQuery } from './span.ts'

const ShareClosed = laterSheet(async () => {
  const [sheet] = await Promise.all([import('../../parts/perp/share/sheet.tsx'), loadArea('share')])
  return sheet.ShareClosed
})
const WhySheet = laterSheet(() => import('./why-sheet.tsx').then((module) => module.WhySheet))

/** Closed positions, newest first. A tap shows all figures, and the reasons of a liquidation. */
export function ClosedPositions({ symbol, bounds }: { readonly symbol: string; readonly bounds: Bounds }) {
  const { t } = useTranslation()
  const { path, query } = usePlace()
  const asked = query.get('why')
  const [detail, setDetail] = useState<WireClosedPosition>()
  const [why, setWhy] = useState<string>()
  const [shared, setShared] = useState<WireClosedPosition>()
  const shown = why ?? asked ?? undefined
  const closeWhy = (): void => {
    setWhy(undefined)
    // Removes the request from the address, so that the same notice can open the sheet again.
    if (asked !== null) navigate(`${path}?product=perp&tab=closed${spanQuery(spanOf(query))}`, { replace: true })
  }
  return (
    <>
      <Endless<WireClosedPosition>
        queryKey={['own', 'perp', 'closed', symbol, bounds]}
        page={(before) => perp.closedPositions({ ...pageQuery(symbol, bounds, before), limit: 30 })}
        empty={<Nothing product="perp" text={t('closed.noClosed')} bounds={bounds} />}
      >
        {(positions) => (
          <ul>
            {positions.map((position) => (
              <li key={`${position.id}-${position.completedAt}`} className="border-b border-line last:border-0">
                <ClosedRow position={position} onOpen={() => setDetail(position)} />
              </li>
            ))}
          </ul>
        )}
      </Endless>
      {detail !== undefined && (
        <ClosedSheet
          position={detail}
          onClose={() => setDetail(undefined)}
          onWhy={() => setWhy(detail.id)}
          onShare={() => setShared(detail)}
        />
      )}
      {shared !== undefined && (
        <Suspense fallback={null}>
          <Share position={shared} onClose={() => setShared(undefined)} />
        </Suspense>
      )}
      {shown !== undefined && (
        <Suspense fallback={null}>
          <WhySheet key={shown} positionId={shown} onClose={closeWhy} />
        </Suspense>
      )}
    </>
  )
}

function ClosedRow({ position, onOpen }: { readonly position: WireClosedPosition; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(position.symbol)
  const isLong = position.side === 'buy'
  const price = (text: string): string => format.price(text, market?.priceDigits)
  return (
    <button type="button" onClick={onOpen} className="flex w-full items-center gap-2 px-4 py-3 text-start active:bg-s2">
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="text-15 font-semibold">{market === undefined ? position.symbol : `${market.base}/${market.quote}`}</span>
          <span className={`text-12 font-medium ${isLong ? 'text-up' : 'text-down'}`}>{isLong ? t('perp.long') : t('perp.short')}</span>
          <span className="text-12 text-fg3">{`${t(`perp.mode.${position.mode}`)} · ${position.leverage}×`}</span>
          {position.cause !== 'order' && (
            <span className="rounded-chip bg-dangertint px-1.5 py-0.5 text-11 font-medium text-danger">
              {t(`closed.cause.${position.cause}`)}
            </span>
          )}
          <Profit value={position.settleProfit} asset={market?.quote ?? ''} className="ms-auto text-15 font-medium" />
        </span>
        <span className="tn flex flex-wrap justify-between gap-x-2 text-12 text-fg2">
          <span>{`${price(position.openPrice)} → ${price(position.settlePrice)}`}</span>
          <span className="text-11 text-fg3">{format.dateTime(position.completedAt)}</span>
        </span>
      </span>
      <ChevronRight size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
    </button>
  )
}

function Share({ position, onClose }: { readonly position: WireClosedPosition; readonly onClose: () => void }) {
  const market = useMarket(position.symbol)
  return market === undefined ? null : <ShareClosed position={position} market={market} onClose={onClose} />
}

/** All figures of a closed position. */
function ClosedSheet({
  position,
  onClose,
  onWhy,
  onShare,
}: {
  readonly position: WireClosedPosition
  readonly onClose: () => void
  readonly onWhy: () => void
  readonly onShare: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(position.symbol)
  const [base, quote] = [market?.base ?? '', market?.quote ?? '']
  const isLong = position.side === 'buy'
  const money = (text: string): string => `${format.sum(text, quote, true)} ${quote}`
  const price = (text: string): string => `${format.price(text, market?.priceDigits)} ${quote}`
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('closed.closedTitle', { pair: `${base}/${quote}` })}
      footer={
        <div className="flex flex-wrap gap-2 [&>*]:grow">
          <Button variant="soft" onClick={onShare}>
            <Share2 size={18} strokeWidth={1.75} aria-hidden />
            {t('orders.shareResult')}
          </Button>
          {position.cause === 'liquidation' && (
            <Button
              variant="soft"
              onClick={() => {
                onClose()
                onWhy()
              }}
            >
              {t('closed.why')}
            </Button>
          )}
        </div>
      }
    >
      <dl>
        <SummaryRow label={t('orders.pair')}>
          {`${base}/${quote} · `}
          <span className={isLong ? 'text-up' : 'text-down'}>{isLong ? t('perp.long') : t('perp.short')}</span>
          {` · ${t(`perp.mode.${position.mode}`)} ${position.leverage}×`}
        </SummaryRow>
        <SummaryRow label={t('closed.result')}>{t(`closed.results.${position.result}`)}</SummaryRow>
        <SummaryRow label={t('closed.settleProfit')}>
          <Profit value={position.settleProfit} asset={quote} />
        </SummaryRow>
        <SummaryRow label={t('closed.openPrice')}>{price(position.openPrice)}</SummaryRow>
        <SummaryRow label={t('closed.openQuantity')}>{`${format.exact(position.openQuantity)} ${base}`}</SummaryRow>
        <SummaryRow label={t('closed.openAmount')}>{money(position.openAmount)}</SummaryRow>
        <SummaryRow label={t('closed.totalOpenAmount')}>{money(position.totalOpenAmount)}</SummaryRow>
        <SummaryRow label={t('closed.settlePrice')}>{price(position.settlePrice)}</SummaryRow>
        <SummaryRow label={t('positions.realised')}>
          <Profit value={position.realised} asset={quote} />
        </SummaryRow>
        <SummaryRow label={t('closed.fees')}>{money(position.fees)}</SummaryRow>
        <SummaryRow label={t('positions.fundingTitle')}>
          <Profit value={position.funding} asset={quote} />
        </SummaryRow>
        <SummaryRow label={t('closed.closedBy')}>{t(`closed.cause.${position.cause}`)}</SummaryRow>
        <SummaryRow label={t('closed.openedAt')}>{format.dateTime(position.openedAt)}</SummaryRow>
        <SummaryRow label={t('closed.completedAt')}>{format.dateTime(position.completedAt)}</SummaryRow>
        <SummaryRow label={t('closed.holdingTime')}>{holdingTime(position.holdingMs, t)}</SummaryRow>
      </dl>
    </Sheet>
  )
}
