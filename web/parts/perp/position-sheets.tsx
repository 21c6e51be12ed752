import type { Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivCeil, mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatLots, formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { worstPrice } from '@candor/core/risk/spot.ts'
import { shareOf, unrealised } from '@candor/core/risk/perp.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMark, WirePlacePerp, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import { useState } from 'react'
import { type Formats, useFormats } from '../../app/format.ts'
import { useIsStale, useQuote } from '../../app/quotes.ts'
import { depthOf, none, useBook } from '../../app/stream.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { type Fill, fillOf } from '../order/fill.ts'
import { FillRows } from '../order/fill-rows.tsx'
import { restingPrices } from '../order/resting.ts'
import { resultOf, restOf } from '../order/result.ts'
import { filledOf, isCut } from '../order/words.ts'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { usePerpOrders } from './account.ts'
import { perp } from './api.ts'
import { Profit } from '../funds/profit.tsx'
import { heldOf, type Scales } from './risk.ts'

export type PositionSheetProps = {
  readonly position: WirePosition
  readonly scales: Scales
  readonly mark: WireMark | undefined
  readonly onClose: () => void
}

/** Closes part or all of a position, by a market or limit order. */
export function CloseSheet({ position, scales, mark, isHedge, onClose }: PositionSheetProps & { readonly isHedge: boolean }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market } = scales
  const isStale = useIsStale()
  const last = useQuote(market.symbol)?.price
  const [percent, setPercent] = useState<'25' | '50' | '75' | '100'>('100')
  const [type, setType] = useState<'market' | 'limit'>('market')
  const [price, setPrice] = useState(last ?? mark?.mark ?? '')
  const held = heldOf(position, scales)
  const size = Math.abs(held.lots)
  // At least one lot, so that the smallest position closes completely.
  const lots = percent === '100' ? size : Math.max(1, mulDivFloor(size, Number(percent), 100))
  const ticks = parseTicks(type === 'limit' ? price : (last ?? mark?.mark ?? ''), market.tick)
  const quantity = formatLots(lots, market.lot)
  const isLong = position.side === 'buy'
  const order = useSendOnce({
    request: (clientId, asked: { readonly percent: string; readonly type: 'market' | 'limit'; readonly price: string }): WirePlacePerp => ({
      clientId,
      symbol: position.symbol,
      side: isLong ? 'sell' : 'buy',
      ...(isHedge ? { position: position.position } : { reduceOnly: true }),
      type: asked.type,
      quantity,
      ...(asked.type === 'limit' ? { price: asked.price, timeInForce: 'GTC' } : {}),
    }),
    call: perp.place,
    onAnswer(placed) {
      announce(placed, market, t, format)
      onClose()
    },
  })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={isLong ? t('positions.closeLongCoin', { coin: market.base }) : t('positions.closeShortCoin', { coin: market.base })}
      footer={
        <Button
          variant={isLong ? 'down' : 'up'}
          isWide
          disabled={ticks === undefined || (isStale && type === 'market')}
          isBusy={order.isSending}
          onClick={() => order.send({ percent, type, price: type === 'limit' ? price : '' })}
        >
          {t('positions.closeNow', { quantity: `${format.exact(quantity)} ${market.base}` })}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label={t('trade.orderType')}
          value={type}
          onChange={setType}
          choices={[
            { value: 'market', label: t('trade.kind.market') },
            { value: 'limit', label: t('trade.kind.limit') },
          ]}
        />
        {type === 'limit' && (
          <NumberField
            label={`${t('trade.price')} (${market.quote})`}
            value={price}
            step={market.tick}
            onChange={setPrice}
            error={price !== '' && ticks === undefined ? t('refusals.PRICE_INVALID') : undefined}
          />
        )}
        <Segmented
          label={t('positions.share')}
          value={percent}
          onChange={setPercent}
          choices={(['25', '50', '75', '100'] as const).map((value) => ({ value, label: format.percent(Number(value), 0) }))}
        />
        <Outcome position={position} scales={scales} lots={lots} ticks={ticks} type={type} />
        <FormError error={order.error} />
      </div>
    </Sheet>
  )
}

/** Announces the result of the closing order. */
function announce({ order: placed }: WirePlaced, market: WireMarket, t: Translate, format: Formats): void {
  const isFilled = placed.status === 'filled'
  const text = t('positions.closed', { quantity: filledOf(placed, market, t, format) })
  if (isFilled) toast({ text, ...atAverage(placed, market, t, format), tone: 'good' })
  else if (!isCut(placed)) toast(resultOf(placed, market, t, format))
  else {
    const { detail } = atAverage(placed, market, t, format)
    toast({ text, detail: [detail, restOf(placed, t)].filter(Boolean).join(' · '), tone: 'bad' })
  }
}

function atAverage({ average }: WirePlaced['order'], market: WireMarket, t: Translate, format: Formats): { readonly detail?: string } {
  return average === undefined
    ? {}
    : { detail: t('orders.atAverage', { price: `${format.price(average, market.priceDigits)} ${market.quote}` }) }
}

/** Profit and fee of closing `lots` at `ticks`. */
function Outcome({
  position,
  scales,
  lots,
  ticks,
  type,
}: {
  readonly position: WirePosition
  readonly scales: Scales
  readonly lots: number
  readonly ticks: Ticks | undefined
  readonly type: 'market' | 'limit'
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market, quoteScale, perTickLot } = scales
  const held = heldOf(position, scales)
  const fill = useClosing(position, lots, type, scales)
  const filled = fill?.average === undefined ? undefined : fill
  const closing = type === 'market' ? (filled?.lots ?? 0) : lots
  // A market order's value is that of the levels that it takes.
  const value = type === 'market' ? filled?.quote : ticks === undefined ? undefined : ((ticks * lots * perTickLot) as Units)
  const cost = shareOf(held.cost as Units, closing, Math.abs(held.lots))
  const profit = value === undefined ? undefined : Math.sign(held.lots) * (value - cost)
  const fee = value === undefined ? undefined : mulDivCeil(value, type === 'market' ? scales.takerPpm : scales.makerPpm, 1_000_000)
  return (
    <dl>
      <SummaryRow label={t('positions.entry')}>{format.price(position.entryPrice, market.priceDigits)}</SummaryRow>
      {type === 'market' && fill !== undefined && (
        <FillRows fill={fill} part={{ part: fill.quantity, whole: formatLots(lots, market.lot), asset: market.base }} market={market} />
      )}
      <SummaryRow label={t('positions.estimatedProfit')}>
        {profit === undefined ? '–' : <Profit value={formatUnits(profit as Units, quoteScale)} asset={market.quote} />}
      </SummaryRow>
      <SummaryRow label={type === 'market' ? t('trade.fee') : t('trade.feeMaker')}>
        {fee === undefined ? '–' : `${format.sum(formatUnits(fee as Units, quoteScale), market.quote, true)} ${market.quote}`}
      </SummaryRow>
    </dl>
  )
}

/** What the book gives to a market order that closes `lots` of a position now. */
function useClosing(position: WirePosition, lots: number, type: 'market' | 'limit', { market, perTickLot }: Scales): Fill | undefined {
  const depth = useBook(market.symbol, type === 'market' ? depthOf : none)
  const last = useQuote(market.symbol)?.price
  const orders = usePerpOrders().data
  const side = position.side === 'buy' ? 'sell' : 'buy'
  const from = last === undefined ? undefined : parseTicks(last, market.tick)
  if (from === undefined) return undefined
  const order = { side, limit: worstPrice(side, from, market.slippagePpm as Ppm), lots: lots as Lots, spend: undefined } as const
  const own = restingPrices(orders, market.symbol, position.side)
  return fillOf(side === 'buy' ? depth?.asks : depth?.bids, order, { market, perTickLot, own })
}

/** Reverses a position by a market order of twice its size, after showing the cost. */
export function ReverseSheet({ position, scales, mark, onClose }: PositionSheetProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market, quoteScale, perTickLot } = scales
  const isStale = useIsStale()
  const last = useQuote(market.symbol)?.price ?? mark?.mark
  const held = heldOf(position, scales)
  const ticks = last === undefined ? undefined : parseTicks(last, market.tick)
  const isLong = position.side === 'buy'
  const order = useSendOnce({
    request: (clientId, symbol: string) => ({ clientId, symbol }),
    call: perp.reverse,
    onAnswer({ order: placed }) {
      const isReversed = placed.status === 'filled'
      toast(
        isReversed
          ? { text: t('positions.reversed'), ...atAverage(placed, market, t, format), tone: 'good' }
          : { ...resultOf(placed, market, t, format), tone: 'bad' },
      )
      onClose()
    },
  })
  const profit = ticks === undefined ? undefined : unrealised(held.lots as Lots, held.cost as Units, ticks, perTickLot)
  const fee = ticks === undefined ? undefined : mulDivCeil(ticks * Math.abs(held.lots) * 2 * perTickLot, scales.takerPpm, 1_000_000)
  const size = `${format.exact(formatLots(Math.abs(held.lots), market.lot))} ${market.base}`
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('positions.reverseTitle', { coin: market.base })}
      footer={
        <Button
          variant={isLong ? 'down' : 'up'}
          isWide
          disabled={isStale}
          isBusy={order.isSending}
          onClick={() => order.send(position.symbol)}
        >
          {t('positions.reverseNow')}
        </Button>
      }
    >
      <dl className="mb-3">
        <SummaryRow label={t('positions.closes')}>{`${isLong ? t('perp.long') : t('perp.short')} ${size}`}</SummaryRow>
        <SummaryRow label={t('positions.opens')}>{`${isLong ? t('perp.short') : t('perp.long')} ${size}`}</SummaryRow>
        <SummaryRow label={t('trade.estimated')}>{ticks === undefined ? '–' : format.exact(formatTicks(ticks, market.tick))}</SummaryRow>
        <SummaryRow label={t('positions.estimatedProfit')}>
          {profit === undefined ? '–' : <Profit value={formatUnits(profit as Units, quoteScale)} asset={market.quote} />}
        </SummaryRow>
        <SummaryRow label={t('trade.fee')}>
          {fee === undefined ? '–' : `${format.sum(formatUnits(fee as Units, quoteScale), market.quote, true)} ${market.quote}`}
        </SummaryRow>
      </dl>
      <p className="mb-3 rounded-control bg-s2 p-3 text-12 text-fg2">{t('positions.reverseHint')}</p>
      <FormError error={order.error} />
    </Sheet>
  )
}
