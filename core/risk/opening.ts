import type { Command } from '../protocol/command/index.ts'
import type { AssetId, MarketId } from '../protocol/ids.ts'

/** The coin that a spot order pays with: the market's base when it sells, the quote when it buys. */
export const givenBy = ({ base, quote }: { readonly base: AssetId; readonly quote: AssetId }, isSale: boolean): AssetId =>
  isSale ? base : quote

/** The assets and markets that commands name by number. `pairOf`: undefined for a market that is not a spot market. */
export type Listed = {
  readonly usdt: AssetId
  readonly pairOf: (market: MarketId) => { readonly base: AssetId; readonly quote: AssetId } | undefined
}

/**
 * Whether a command may open risk, by what it says itself: everything that the core refuses to a user whose pause runs may. So do, where
 * only the state could tell, orders of margin accounts, changes of orders, and answers to quotes.
 */
export function mayOpen(command: Command, { usdt, pairOf }: Listed): boolean {
  const givesUsdt = (market: MarketId, side: 'buy' | 'sell'): boolean => {
    const pair = pairOf(market)
    return pair !== undefined && givenBy(pair, side === 'sell') === usdt
  }
  switch (command.type) {
    case 'spot.place':
    case 'spot.placeOco':
      return command.margin !== undefined || givesUsdt(command.market, command.side)
    case 'spot.placeList': {
      const { working, legs, market } = command
      return [...(working === undefined ? [] : [working]), ...legs].some(({ side }) => givesUsdt(market, side))
    }
    case 'spot.amend':
      // An order keeps its place in the queue only when it gets smaller at the same price.
      return command.keepsPriority !== true || command.triggerPrice !== undefined
    case 'perp.place':
      return !command.isReduceOnly && !command.isClosing && command.position !== (command.side === 'buy' ? 'short' : 'long')
    case 'algo.place': {
      const { market, side, position, isReduceOnly } = command
      return position === undefined ? givesUsdt(market, side) : !isReduceOnly && position !== (side === 'buy' ? 'short' : 'long')
    }
    case 'funds.transfer':
      return command.to !== 'spot'
    case 'convert.quote':
      return command.from === usdt
    case 'perp.amend':
    case 'perp.reverse':
    case 'margin.borrow':
    case 'lend.supply':
    case 'convert.accept':
    case 'presale.subscribe':
    case 'option.open':
      return true
    default:
      return false
  }
}
