import assert from 'node:assert/strict'
import { verifyPerp } from './perp-books.ts'
import type { Program } from './program.ts'
import { exact, paged, unit, verifyOrders } from './signed-orders.ts'
import { type Caller, symbol } from './signed-load.ts'

/** The sum of `free` and `locked` by asset. */
async function sums(program: Program): Promise<ReadonlyMap<string, readonly [total: bigint, locked: bigint]>> {
  const { balances } = await program.done('GET', '/api/v3/account')
  return new Map(balances.map(({ asset, free, locked }: any) => [asset, [exact(free) + exact(locked), exact(locked)]]))
}

const transferTypes = ['MAIN_UMFUTURE', 'UMFUTURE_MAIN'] as const

/** All of a user's spot orders, trades and transfers that the API lists, page by page. */
async function listed(program: Program) {
  const orders = await paged((from) => program.done('GET', '/api/v3/allOrders', { symbol, orderId: from, limit: 1000 }), 'orderId')
  const trades = await paged((from) => program.done('GET', '/api/v3/myTrades', { symbol, fromId: from, limit: 1000 }), 'id')
  const transfers: any[] = []
  for (const type of transferTypes) {
    for (let current = 1; ; current++) {
      const { rows = [] } = await program.done('GET', '/sapi/v1/asset/transfer', { type, current, size: 100 })
      transfers.push(...rows)
      if (rows.length < 100) break
    }
  }
  return { orders, trades, transfers }
}

/**
 * Compares a caller's answers with the API's lists: each acknowledged order, amendment, cancel and transfer is there once, no
 * refused one is, and the balances are the sum of the first funds, the transfers, the trades and the funding. Returns the count
 * of funding payments.
 */
export async function verifyCaller(caller: Caller, funds: Readonly<Record<string, string>>): Promise<number> {
  const { program, told } = caller
  const { orders, trades, transfers } = await listed(program)
  verifyOrders(caller, 'spot', orders)
  const moved = new Map<number, any>()
  for (const row of transfers) {
    assert.ok(!moved.has(row.tranId), `transfer ${row.tranId} is there twice`)
    moved.set(row.tranId, row)
  }
  const transfersTold = told.filter(({ sent }) => sent.kind === 'transfer')
  for (const { sent, number } of transfersTold) {
    const row = moved.get(number as number)
    assert.ok(row, `transfer ${number} was acknowledged and is not there`)
    assert.deepEqual([row.type, row.asset, Number(row.amount)], [sent.fields['type'], 'USDT', sent.fields['amount']])
  }
  assert.equal(transfers.length, transfersTold.length, 'a transfer that was never answered')

  const wanted = new Map(Object.entries(funds).map(([asset, amount]) => [asset, exact(amount)]))
  const add = (asset: string, amount: bigint): void => void wanted.set(asset, (wanted.get(asset) ?? 0n) + amount)
  for (const { isBuyer, qty, quoteQty, commission, commissionAsset } of trades) {
    add('BTC', isBuyer ? exact(qty) : -exact(qty))
    add('USDT', isBuyer ? -exact(quoteQty) : exact(quoteQty))
    add(commissionAsset, -exact(commission))
  }
  let inPerp = 0n
  for (const { type, amount } of transfers) inPerp += type === 'MAIN_UMFUTURE' ? exact(amount) : -exact(amount)
  add('USDT', -inPerp)
  const held = await sums(program)
  for (const [asset, amount] of wanted) assert.equal(held.get(asset)?.[0] ?? 0n, amount, `${asset} is not the sum of its trades`)

  const open = { BTC: 0n, USDT: 0n }
  for (const { status, side, origQty, executedQty, price } of orders) {
    if (status !== 'NEW' && status !== 'PARTIALLY_FILLED') continue
    const left = exact(origQty) - exact(executedQty)
    if (side === 'SELL') open.BTC += left
    else open.USDT += (left * exact(price)) / unit
  }
  for (const asset of ['BTC', 'USDT'] as const) assert.equal(held.get(asset)?.[1] ?? 0n, open[asset], `${asset} held for open orders`)
  return verifyPerp(caller, inPerp)
}
