import assert from 'node:assert/strict'
import type { Program } from './program.ts'
import { exact, paged, verifyOrders } from './signed-orders.ts'
import { type Caller, symbol } from './signed-load.ts'

/** All income and expenses of a Futures account. */
async function incomes(program: Program): Promise<any[]> {
  const all: any[] = []
  for (let page = 1; ; page++) {
    const rows = await program.done('GET', '/fapi/v1/income', { startTime: 1, page, limit: 1000 })
    all.push(...rows)
    if (rows.length < 1000) return all
  }
}

/**
 * Compares a caller's Futures account with the API's lists: its orders, a position that is the sum of the trades, and a balance that
 * is the sum of transfers, realised profit, commission and funding. Funding is listed by `income` alone, all else by both lists.
 *
 * moved    transfers into the account, less those out of it, at 1e-8
 * returns  count of funding payments, both ways
 */
export async function verifyPerp(caller: Caller, moved: bigint): Promise<number> {
  const { program } = caller
  const list = (name: string, fromName: string, key: string): Promise<any[]> =>
    paged((from) => program.done('GET', `/fapi/v1/${name}`, { symbol, [fromName]: from, limit: 1000 }), key)
  verifyOrders(caller, 'contracts', await list('allOrders', 'orderId', 'orderId'))
  const trades = await list('userTrades', 'fromId', 'id')
  let [size, cash, realised, commission] = [0n, 0n, 0n, 0n]
  for (const { buyer, qty, quoteQty, realizedPnl, commission: fee } of trades) {
    size += buyer ? exact(qty) : -exact(qty)
    cash += buyer ? -exact(quoteQty) : exact(quoteQty)
    realised += exact(realizedPnl)
    commission += exact(fee)
  }
  const sums = new Map<string, bigint>()
  const listed = await incomes(program)
  for (const { incomeType, income } of listed) sums.set(incomeType, (sums.get(incomeType) ?? 0n) + exact(income))
  const sum = (type: string): bigint => sums.get(type) ?? 0n
  assert.deepEqual([sum('TRANSFER'), sum('REALIZED_PNL'), sum('COMMISSION')], [moved, realised, -commission], 'income equals the lists')

  const [margin] = (await program.done('GET', '/fapi/v2/balance')).filter((one: any) => one.asset === 'USDT')
  const wanted = moved + realised - commission + sum('FUNDING_FEE') + sum('INSURANCE_CLEAR')
  assert.equal(exact(margin?.balance ?? '0'), wanted, 'the Futures account is not the sum of its trades')

  const [position] = await program.done('GET', '/fapi/v3/positionRisk', { symbol })
  assert.equal(exact(position?.positionAmt ?? '0'), size, 'the position is not the sum of its trades')
  // Realised profit is the sum of the trades, less the cost of the open position.
  const cost = position === undefined ? 0n : exact(position.notional) - exact(position.unRealizedProfit)
  assert.equal(realised, cash + cost, 'realised profit')
  return listed.filter(({ incomeType }) => incomeType === 'FUNDING_FEE').length
}
