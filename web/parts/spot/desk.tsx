import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, useEffect } from 'react'
import { set } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Book } from '../desk/book.tsx'
import { DayStats } from '../desk/day-stats.tsx'
import { DeskFrame } from '../frame/desk-frame.tsx'
import { DeskHeader } from '../desk/header.tsx'
import { type Taker, useTaker, useTaking } from '../desk/taker.ts'
import { useOwnPrices } from '../order/own-orders.ts'
import { Ticket } from './ticket.tsx'
import { type OnMargin, useTicket } from './use-ticket.ts'

/**
 * The desk of a spot market: its price, its book and the ticket. `margin`: the same desk for margin accounts, with the account above
 * the ticket. `panel` is below the fold and may be loaded later.
 */
export function SpotDesk({
  market,
  config,
  side = 'buy',
  margin,
  head,
  reference,
  panel,
  account,
}: {
  readonly market: WireMarket
  readonly config: WireConfig
  readonly side?: Side
  readonly margin?: OnMargin
  readonly head?: ReactNode
  /** Shown below the last price in the book. */
  readonly reference?: ReactNode
  readonly panel: ReactNode
  /** The account, for a window with room beside the ticket. */
  readonly account: ReactNode
}) {
  const { t } = useTranslation()
  const path = margin?.path ?? '/spot'
  const { taker, onTake } = useTaker()
  const own = useOwnPrices(market.symbol)
  useEffect(() => set({ lastSymbol: market.symbol, lastDesk: path }), [market.symbol, path])
  return (
    <DeskFrame
      desk={margin === undefined ? 'spot' : 'margin'}
      market={market}
      header={(chart) => (
        <DeskHeader
          market={market}
          home={path}
          quote={margin === undefined ? undefined : market.quote}
          title={t('market.title')}
          day={<DayStats market={market} />}
          {...chart}
        />
      )}
      head={head}
      ticket={<LiveTicket market={market} config={config} side={side} margin={margin} taker={taker} />}
      book={<Book market={market} own={own} reference={reference} onTake={onTake} />}
      own={own}
      panel={panel}
      account={account}
    />
  )
}

function LiveTicket({
  market,
  config,
  side,
  margin,
  taker,
}: {
  readonly market: WireMarket
  readonly config: WireConfig
  readonly side: Side
  readonly margin: OnMargin | undefined
  readonly taker: Taker
}) {
  const ticket = useTicket(market, config, side, margin)
  useTaking(taker, ticket.take)
  return <Ticket ticket={ticket} />
}
