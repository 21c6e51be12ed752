import { blocksLimit, usersMax } from '../../ledger/blocks.ts'
import { assetsMax } from '../../ledger/ledger.ts'
import { ordersMax } from '../../book/orders.ts'
import { commandCodes } from '../../protocol/codec/layout.ts'
import type { Command } from '../../protocol/command/index.ts'
import type { State } from './state.ts'

/** How much fits into an exchange. What is asked of one that is full is refused with `EXCHANGE_FULL`. */
export type Room = {
  readonly users: number
  readonly assets: number
  /** Open orders. */
  readonly orders: number
  /** Blocks of three accounts. */
  readonly blocks: number
  /** Of these, what no command may use that opens something: see `isFull`. */
  readonly reserve: number
}

/** One open order makes one account at most, when it is filled for the first time; liquidations and lenders need the others. */
export const wholeRoom: Room = {
  users: usersMax,
  assets: assetsMax,
  orders: ordersMax - 2 ** 16,
  blocks: blocksLimit,
  reserve: ordersMax + 2 ** 20,
}

const opening: readonly Command['type'][] = [
  'asset.list',
  'market.list',
  'perp.list',
  'funds.faucet',
  'funds.system',
  'funds.transfer',
  'spot.place',
  'spot.placeOco',
  'perp.place',
  'perp.reverse',
  'margin.borrow',
  'lend.supply',
  'option.open',
  'option.operate',
]

/** By number of the command: 1 when it may make accounts or orders, now or when its order trades. */
export const opens: Uint8Array = (() => {
  const list = new Uint8Array(Math.max(...Object.values(commandCodes)) + 1)
  for (const type of opening) list[commandCodes[type]] = 1
  return list
})()

/**
 * Whether the exchange has no room for what opens accounts or orders. Everything else goes on: what it may still need, open
 * orders and those who owe, is in reserve.
 */
export function isFull(x: State): boolean {
  return x.ledger.isShort || x.orders.count >= x.room.orders
}
