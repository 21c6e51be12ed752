import assert from 'node:assert/strict'
import type { Program } from './program.ts'
import { type Caller, symbol } from './signed-load.ts'

const unit = 100_000_000n

/** A decimal at 1e-8, exactly. */
export function exact(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  assert.ok(part.length <= 8, text)
  const value = BigInt(whole) * unit + BigInt(part.padEnd(8, '0'))
  return text.startsWith('-') ? -value : value
}

/** `free` and `locked` together by asset. */
async function sums(program: Program): Promise<ReadonlyMap<string, readonly [total: bigint, locked: bigint]>> {
  const { balances } = await program.done('GET', '/api/v3/account')
  return new Map(balances.map(({ asset, free, locked }: any) => [asset, [exact(free) + exact(locked), exact(locked)]]))
}

const transferTypes = ['MAIN_UMFUTURE', 'UMFUTURE_MAIN'] as const

/** All that the API lists of a user's orders, trades and transfers, page by page. */
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

async function paged(read: (from: number) => Promise<any[]>, key: string): Promise<any[]> {
  const all: any[] = []
  for (let from = 1; ; from = all.at(-1)[key] + 1) {
    const page = await read(from)
    all.push(...page)
    if (page.length < 1000) return all
  }
}

/**
 * Holds what a caller was told against what the API lists: each acknowledged order, cancel and transfer is there once, nothing
 * that was refused is, and the balances are what the first ones, the transfers and the trades add up to.
 */
export async function verifyCaller({ program, told, refused }: Caller, funds: Readonly<Record<string, string>>): Promise<void> {
  const { orders, trades, transfers } = await listed(program)
  const byId = new Map<string, any>()
  for (const order of orders) {
    assert.ok(!byId.has(order.clientOrderId), `order ${order.clientOrderId} is there twice`)
    byId.set(order.clientOrderId, order)
  }
  const moved = new Map<number, any>()
  for (const row of transfers) {
    assert.ok(!moved.has(row.tranId), `transfer ${row.tranId} is there twice`)
    moved.set(row.tranId, row)
  }
  const cancelled = new Set<string>()
  let transfersTold = 0
  for (const { sent, number, executed } of told) {
    if (sent.kind === 'transfer') {
      transfersTold++
      const row = moved.get(number)
      assert.ok(row, `transfer ${number} was acknowledged and is not there`)
      assert.deepEqual([row.type, row.asset, Number(row.amount)], [sent.fields['type'], 'USDT', sent.fields['amount']])
      continue
    }
    const client = String(sent.kind === 'cancel' ? sent.fields['origClientOrderId'] : sent.id)
    const order = byId.get(client)
    assert.equal(order?.orderId, number, `${sent.kind} of ${client} was acknowledged as ${number}`)
    if (sent.kind === 'order') continue
    cancelled.add(client)
    assert.deepEqual([order.status, order.executedQty], ['CANCELED', executed], `the cancel of ${client} was acknowledged`)
  }
  for (const { kind, id } of refused) if (kind === 'order') assert.ok(!byId.has(id), `order ${id} was refused and is there`)
  assert.equal(transfers.length, transfersTold, 'a transfer that nobody was told of')
  assert.equal(orders.length, told.filter(({ sent }) => sent.kind === 'order').length, 'an order that nobody was told of')
  for (const { status, clientOrderId } of orders) {
    assert.equal(status === 'CANCELED', cancelled.has(clientOrderId), `${clientOrderId} is ${status}`)
  }

  const wanted = new Map(Object.entries(funds).map(([asset, amount]) => [asset, exact(amount)]))
  const add = (asset: string, amount: bigint): void => void wanted.set(asset, (wanted.get(asset) ?? 0n) + amount)
  for (const { isBuyer, qty, quoteQty, commission, commissionAsset } of trades) {
    add('BTC', isBuyer ? exact(qty) : -exact(qty))
    add('USDT', isBuyer ? -exact(quoteQty) : exact(quoteQty))
    add(commissionAsset, -exact(commission))
  }
  let inContracts = 0n
  for (const { type, amount } of transfers) inContracts += type === 'MAIN_UMFUTURE' ? exact(amount) : -exact(amount)
  add('USDT', -inContracts)
  const held = await sums(program)
  for (const [asset, amount] of wanted) assert.equal(held.get(asset)?.[0] ?? 0n, amount, `${asset} is not what its trades add up to`)
  const [margin] = (await program.done('GET', '/fapi/v2/balance')).filter((one: any) => one.asset === 'USDT')
  assert.equal(exact(margin?.balance ?? '0'), inContracts, 'the account of contracts has what was transferred')

  const open = { BTC: 0n, USDT: 0n }
  for (const { status, side, origQty, executedQty, price } of orders) {
    if (status !== 'NEW' && status !== 'PARTIALLY_FILLED') continue
    const left = exact(origQty) - exact(executedQty)
    if (side === 'SELL') open.BTC += left
    else open.USDT += (left * exact(price)) / unit
  }
  for (const asset of ['BTC', 'USDT'] as const) assert.equal(held.get(asset)?.[1] ?? 0n, open[asset], `${asset} held for open orders`)
}
