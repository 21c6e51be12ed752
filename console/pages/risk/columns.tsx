/** Columns of the tables of risks. */
import type { ReactNode } from 'react'
import { amountOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Amount, Share } from '../../parts/figures.tsx'
import { Badge } from '../../parts/ui.tsx'
import type {
  CollateralRow,
  DeleverageRow,
  FundDay,
  FundRow,
  LiquidationRow,
  MarketRow,
  PoolRow,
  PositionRow,
  TimedRow,
} from '@candor/core/protocol/wire/console/risk.ts'

const words = t.watch.risk
const number = (text: string | null): number => (text === null ? -1 : Number(text))

/** A column of amounts, sorted by value. */
function amounts<T>(id: string, header: string, of: (row: T) => string | null): Column<T> {
  return { id, header, isEnd: true, by: (row) => number(of(row)), cell: (row) => <Amount of={of(row)} /> }
}

function Phase({ phase }: { readonly phase: string | null }): ReactNode {
  if (phase === null) return <span className="fg3">–</span>
  return <Badge tone={phase === 'open' ? 'ok' : phase === 'halted' ? 'danger' : 'warn'}>{words.phases[phase] ?? phase}</Badge>
}

export const markets: readonly Column<MarketRow>[] = [
  { id: 'symbol', header: t.watch.market, by: ({ symbol }) => symbol, cell: ({ symbol }) => <b>{symbol}</b> },
  { id: 'phase', header: words.phase, cell: ({ phase }) => <Phase phase={phase} /> },
  amounts('mark', words.mark, ({ mark }) => mark),
  {
    id: 'accounts',
    header: words.accounts,
    isEnd: true,
    cell: ({ longs, shorts }) => <span className="tn">{`${longs} / ${shorts}`}</span>,
  },
  amounts('openInterest', words.openInterest, ({ openInterest }) => openInterest),
  amounts('largest', words.largestOne, ({ largest }) => largest),
  {
    id: 'share',
    header: words.ofLimit,
    isEnd: true,
    by: ({ openInterest, limit }) => number(openInterest) / (number(limit) || 1),
    cell: ({ openInterest, limit }) => <Share value={number(openInterest)} of={number(limit)} />,
  },
]

export const positions: readonly Column<PositionRow>[] = [
  { id: 'uid', header: t.watch.uid, cell: ({ uid }) => <code>{uid}</code> },
  { id: 'symbol', header: t.watch.market, by: ({ symbol }) => symbol, cell: ({ symbol }) => <b>{symbol}</b> },
  {
    id: 'side',
    header: words.side,
    cell: ({ side, leverage }) => <span className={side === 'long' ? 'up' : 'down'}>{`${words.sides[side]} ${leverage}×`}</span>,
  },
  amounts('value', words.value, ({ value }) => value),
  amounts('margin', words.margin, ({ margin }) => margin),
  amounts('liquidation', words.liquidation, ({ liquidation }) => liquidation),
  {
    id: 'distance',
    header: words.distance,
    isEnd: true,
    by: ({ distance }) => (distance === null ? Infinity : Number(distance)),
    cell: ({ distance }) =>
      distance === null ? (
        <span className="fg3">–</span>
      ) : (
        <span className={Number(distance) < 5 ? 'tn warn-text' : 'tn'}>{`${distance}%`}</span>
      ),
  },
]

const at: Column<{ readonly at: number }> = {
  id: 'at',
  header: t.watch.time,
  by: (row) => row.at,
  cell: (row) => <span className="tn">{timeOf(row.at)}</span>,
}

export const liquidations: readonly Column<LiquidationRow>[] = [
  at,
  { id: 'uid', header: t.watch.uid, cell: ({ uid }) => <code>{uid}</code> },
  { id: 'account', header: words.account, cell: ({ account, product }) => `${words.products[product]} ${account}` },
  amounts('closed', words.closed, ({ closed }) => closed),
  amounts('fee', words.fee, ({ fee }) => fee),
  amounts('insured', words.insured, ({ insured }) => insured),
]

export const deleverages: readonly Column<DeleverageRow>[] = [
  at,
  { id: 'symbol', header: t.watch.market, cell: ({ symbol }) => <b>{symbol}</b> },
  { id: 'bankrupt', header: words.bankrupt, cell: ({ bankrupt }) => <code>{bankrupt}</code> },
  { id: 'uid', header: words.closedOne, cell: ({ uid }) => <code>{uid}</code> },
  amounts('quantity', words.quantity, ({ quantity }) => quantity),
  amounts('level', words.level, ({ level }) => level),
]

export const funds: readonly Column<FundRow>[] = [
  { id: 'fund', header: words.fund, cell: ({ fund }) => words.fundNames[fund] ?? fund },
  { id: 'asset', header: t.watch.asset, cell: ({ asset }) => <b>{asset}</b> },
  amounts('balance', words.balance, ({ balance }) => balance),
]

export const days: readonly Column<FundDay>[] = [
  { id: 'day', header: words.day, cell: ({ day }) => <span className="tn">{day}</span> },
  { id: 'asset', header: t.watch.asset, cell: ({ asset }) => asset },
  amounts('balance', words.balance, ({ balance }) => balance),
]

export const pools: readonly Column<PoolRow>[] = [
  {
    id: 'asset',
    header: t.watch.asset,
    by: ({ asset }) => asset,
    cell: ({ asset, isStopped }) => (
      <>
        <b>{asset}</b> {isStopped && <Badge tone="danger">{words.stopped}</Badge>}
      </>
    ),
  },
  amounts('supplied', words.supplied, ({ supplied }) => supplied),
  amounts('borrowed', words.borrowed, ({ borrowed }) => borrowed),
  amounts('queued', words.queued, ({ queued }) => queued),
  {
    id: 'utilization',
    header: words.utilization,
    isEnd: true,
    by: ({ utilization }) => Number(utilization),
    cell: ({ utilization }) => <Share value={Number(utilization)} of={100} />,
  },
  { id: 'rate', header: words.rate, isEnd: true, cell: ({ hourlyRate }) => <span className="tn">{`${amountOf(hourlyRate)}%`}</span> },
]

export const collateral: readonly Column<CollateralRow>[] = [
  { id: 'asset', header: t.watch.asset, by: ({ asset }) => asset, cell: ({ asset }) => <b>{asset}</b> },
  amounts('perp', words.futures, ({ perp }) => perp),
  amounts('cross', words.cross, ({ cross }) => cross),
  amounts('isolated', words.isolated, ({ isolated }) => isolated),
  amounts('owed', words.owed, ({ owed }) => owed),
]

export const timed: readonly Column<TimedRow>[] = [
  {
    id: 'symbol',
    header: t.watch.market,
    cell: ({ symbol, isPaused }) => (
      <>
        <b>{symbol}</b> {isPaused === true && <Badge tone="warn">{words.paused}</Badge>}
      </>
    ),
  },
  {
    id: 'orders',
    header: words.orders,
    isEnd: true,
    by: ({ orders }) => orders,
    cell: ({ orders }) => <span className="tn">{orders}</span>,
  },
  amounts('stakes', words.stakes, ({ stakes }) => stakes),
  amounts('payouts', words.payouts, ({ payouts }) => payouts),
]
