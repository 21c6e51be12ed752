import { blocksLimit, usersMax } from '../../ledger/blocks.ts'
import { assetsMax } from '../../ledger/ledger.ts'
import { ordersMax } from '../../book/orders.ts'
import { commandCodes } from '../../protocol/codec/layout.ts'
import type { Command } from '../../protocol/command/index.ts'
import type { State } from './state.ts'

/** Limits on the contents of an exchange. A full exchange refuses with `EXCHANGE_FULL`. */
export type Room = {
  readonly users: number
  readonly assets: number
  /** Largest number of open orders. */
  readonly orders: number
  /** Largest number of blocks of three accounts. */
  readonly blocks: number
  /** Blocks that commands which open something can't use: see `isFull`. */
  readonly reserve: number
}

/** An open order makes at most one account, when it is first filled. Liquidations and lenders need the other blocks of the reserve. */
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
  'spot.placeList',
  'perp.place',
  'perp.reverse',
  'margin.borrow',
  'lend.supply',
  'option.open',
  'option.operate',
  'convert.hedge',
  'presale.subscribe',
  'algo.place',
]

/**
 * By command number: 1 when the command may make accounts or orders, now or when its order trades. `funds.post`, `chain.credit`
 * and `convert.accept` look for themselves, because one that was carried out before is never refused.
 */
export const opens: Uint8Array = (() => {
  const list = new Uint8Array(Math.max(...Object.values(commandCodes)) + 1)
  for (const type of opening) list[commandCodes[type]] = 1
  return list
})()

/**
 * Whether the exchange has no room for commands that open accounts or orders. Everything else continues: the reserve has the
 * accounts that open orders and borrowers may still need.
 */
export function isFull(x: State): boolean {
  return x.ledger.isShort || x.orders.count >= x.room.orders
}
