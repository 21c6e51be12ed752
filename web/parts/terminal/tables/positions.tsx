import { parseTicks } from '@candor/core/money/price.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMark, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { ArrowUpDown, Plus, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFormats } from '../../../app/format.ts'
import { useIsStale } from '../../../app/quotes.ts'
import { useMe } from '../../../app/session.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Profit } from '../../funds/profit.tsx'
import { type Exit, exitKinds, exitsFor } from '../../perp/exits/list.ts'
import { useMarkOf } from '../../perp/marks.ts'
import { PositionCard, type PositionSheet, PositionSheets, Queue } from '../../perp/position-card.tsx'
import { type Scales, scalesOf, type Standing, standingOf } from '../../perp/risk.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Amount } from '../../ui/figure.tsx'
import { Pair } from './pair.tsx'
import { type Column, DataTable } from './table.tsx'

/** A position with what the live mark price makes of it. */
type Live = {
  readonly market: WireMarket
  readonly scales: Scales
  readonly mark: WireMark | undefined
  readonly standing: Standing | undefined
}

/** The user's open positions, at live mark prices. */
export function PositionTable({
  positions,
  orders,
  isHedge,
  config,
  quote,
}: {
  readonly positions: readonly WirePosition[]
  readonly orders: readonly WireOrder[]
  readonly isHedge: boolean
  readonly config: WireConfig
  readonly quote: string
}) {
  const { t } = useTranslation()
  const isStale = useIsStale()
  const liveOf = useLive(positions, config)
  const columns = useColumnsOf(liveOf, orders, quote)
  const [open, setOpen] = useState<{ readonly id: string; readonly sheet: PositionSheet }>()
  const shown = positions.find(({ id }) => id === open?.id)
  const live = shown && liveOf(shown)
  return (
    <div className={isStale ? 'tb-stale' : ''}>
      <DataTable
        name="positions"
        label={t('positions.positions')}
        rows={positions}
        keyOf={({ id }) => id}
        first={{
          label: t('orders.pair'),
          value: ({ symbol }) => symbol,
          cell: (position) => <Name position={position} market={liveOf(position)?.market} />,
        }}
        columns={columns}
        actions={(position) => (
          <Actions
            position={position}
            isHedge={isHedge}
            hasResult={liveOf(position)?.standing !== undefined}
            onOpen={(sheet) => setOpen({ id: position.id, sheet })}
          />
        )}
        cards={
          <div className="flex flex-col gap-3 py-2">
            {positions.map((position) => (
              <PositionCard key={position.id} position={position} orders={orders} isHedge={isHedge} />
            ))}
          </div>
        }
      />
      {shown !== undefined && live !== undefined && (
        <PositionSheets
          {...{ isHedge, scales: live.scales, mark: live.mark, standing: live.standing }}
          sheet={open?.sheet}
          position={shown}
          exits={exitsFor(shown, orders)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

function useLive(positions: readonly WirePosition[], config: WireConfig): (position: WirePosition) => Live | undefined {
  const marks = useMarkOf(positions.map(({ symbol }) => symbol))
  const feeTier = useMe()?.perpFeeTier
  return (position) => {
    const market = config.markets.find(({ symbol }) => symbol === position.symbol)
    if (market === undefined) return undefined
    const scales = scalesOf(config, market, feeTier)
    const mark = marks(position.symbol)
    return { market, scales, mark, standing: standingOf(position, mark, scales) }
  }
}

function useColumnsOf(
  liveOf: (position: WirePosition) => Live | undefined,
  orders: readonly WireOrder[],
  quote: string,
): readonly Column<WirePosition>[] {
  const format = useFormats()
  const price = (text: string | undefined, position: WirePosition): string => {
    const digits = liveOf(position)?.market.priceDigits
    return text === undefined ? '–' : format.number(text, digits, digits)
  }
  return [
    {
      id: 'size',
      rank: 2,
      value: ({ value }) => Number(value),
      cell: (position) => {
        const market = liveOf(position)?.market
        return (
          <>
            <Amount value={position.quantity} {...(market && { min: market.quantityDigits, max: market.quantityDigits })} />
            <small> {market?.base}</small>
          </>
        )
      },
    },
    { id: 'entry', rank: 4, value: ({ entryPrice }) => Number(entryPrice), cell: (one) => price(one.entryPrice, one) },
    { id: 'mark', rank: 5, value: (one) => numberOf(liveOf(one)?.mark?.mark), cell: (one) => price(liveOf(one)?.mark?.mark, one) },
    {
      id: 'liquidation',
      rank: 1,
      value: (one) => liveOf(one)?.standing?.distance,
      cell: (one) => <Liquidation position={one} live={liveOf(one)} price={price(one.liquidationPrice ?? undefined, one)} />,
    },
    {
      id: 'margin',
      unit: quote,
      rank: 6,
      value: ({ margin }) => Number(margin),
      cell: ({ margin }) => <Amount value={margin} asset={quote} isBare />,
    },
    {
      id: 'profit',
      unit: quote,
      rank: 0,
      value: (one) => numberOf(liveOf(one)?.standing?.profit),
      cell: (one) => {
        const standing = liveOf(one)?.standing
        if (standing === undefined) return '–'
        return (
          <>
            <Profit value={standing.profit} className="font-semibold" /> <Profit value={standing.roe} isPercent />
          </>
        )
      },
    },
    { id: 'funding', unit: quote, rank: 7, value: ({ funding }) => Number(funding), cell: ({ funding }) => <Profit value={funding} /> },
    { id: 'exits', rank: 3, value: (one) => exitsFor(one, orders).length, cell: (one) => <Exits exits={exitsFor(one, orders)} /> },
  ]
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** The market, and what the position is: "Long 10×", isolated or cross, its place in the queue. */
function Name({ position, market }: { readonly position: WirePosition; readonly market: WireMarket | undefined }) {
  const { t } = useTranslation()
  const isLong = position.side === 'buy'
  return (
    <Pair symbol={position.symbol} market={market} path="/contract">
      <span className={`tb-badge ${isLong ? 'bg-uptint text-up' : 'bg-downtint text-down'}`}>
        {`${isLong ? t('perp.long') : t('perp.short')} ${position.leverage}×`}
      </span>
      <small>{t(`perp.mode.${position.mode}`)}</small>
      <Queue rank={position.adlRank} />
    </Pair>
  )
}

/** The price at which the position is liquidated, and how far the mark price is from it. Its colour warns below 4 %. */
function Liquidation({
  position,
  live,
  price,
}: {
  readonly position: WirePosition
  readonly live: Live | undefined
  readonly price: string
}): ReactNode {
  const { t } = useTranslation()
  const format = useFormats()
  if (position.liquidationPrice === null) return <small>{t('positions.never')}</small>
  const standing = live?.standing
  const ticks = live && parseTicks(position.liquidationPrice, live.market.tick)
  if (standing?.distance === undefined || ticks === undefined) return <span className="text-warn">{price}</span>
  const isNear = position.mode === 'cross' || standing.ratio === undefined ? standing.distance <= nearPercent : standing.ratio >= nearRatio
  const away = format.percent(standing.distance, 1)
  return (
    <span title={t('positions.distance', { percent: away })}>
      <span className="text-warn">{price}</span> {isNear ? <strong className="text-danger">{away}</strong> : <small>{away}</small>}
      {isNear && <span className="sr-only">{t('positions.near')}</span>}
    </span>
  )
}

/** As on the card of a position: its bar is red from here on. */
const nearPercent = 4
const nearRatio = 80

/** The next take profit and the next stop loss, and how many more there are. */
function Exits({ exits }: { readonly exits: readonly Exit[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (exits.length === 0) return <small>–</small>
  return exitKinds.map((kind, at) => {
    const [next, ...more] = exits.filter((exit) => exit.kind === kind)
    return (
      <span key={kind} className={next === undefined ? '' : kind === 'takeProfit' ? 'text-up' : 'text-down'}>
        {at > 0 && <small> / </small>}
        <span className="sr-only">{t(`perp.${kind}`)} </span>
        {next === undefined ? '–' : format.exact(next.trigger)}
        {more.length > 0 && <small>{` +${more.length}`}</small>}
      </span>
    )
  })
}

function Actions({
  position,
  isHedge,
  hasResult,
  onOpen,
}: {
  readonly position: WirePosition
  readonly isHedge: boolean
  readonly hasResult: boolean
  readonly onOpen: (sheet: PositionSheet) => void
}) {
  const { t } = useTranslation()
  const isCross = position.mode === 'cross'
  return (
    <>
      <IconButton
        label={t('orders.shareResult')}
        title={t('orders.shareResult')}
        className="tb-icon"
        disabled={!hasResult}
        onClick={() => onOpen('share')}
      >
        <Share2 size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
      {/* Cross positions have no margin of their own; the place stays, so that the buttons stand in one line. */}
      {isCross ? (
        <span className="tb-icon" />
      ) : (
        <IconButton label={t('positions.margin')} title={t('positions.margin')} className="tb-icon" onClick={() => onOpen('margin')}>
          <Plus size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      {!isHedge && (
        <IconButton label={t('positions.reverse')} title={t('positions.reverse')} className="tb-icon" onClick={() => onOpen('reverse')}>
          <ArrowUpDown size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      <Button variant="soft" size="small" onClick={() => onOpen('exits')}>
        {t('perp.exits')}
      </Button>
      <Button variant="soft" size="small" onClick={() => onOpen('close')}>
        {t('perp.close')}
      </Button>
    </>
  )
}
