/** Customers who are liquidated, on an exchange whose index the test sends. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestExchange, TestUser } from '../../main/test/exchange.ts'

export type Ruin = {
  readonly exchange: TestExchange
  readonly user: TestUser
  /** Sends one index tick. Omitted prices stay the same. */
  readonly index: (prices?: { readonly btc?: number; readonly eth?: number }) => Promise<void>
}

async function done(user: TestUser, path: string, body: object): Promise<any> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
  return answer
}

async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(25)
  }
}

async function maker({ exchange }: Ruin, funds: Readonly<Record<string, string>>): Promise<TestUser> {
  return exchange.user({ funds, isCertified: true, class: 'maker' })
}

/**
 * An isolated long position of 0.5 BTC at 60,000 with tenfold leverage: the book takes two steps, and the fund the rest. The user needs
 * 5,000 USDT. Returns its number, and the place of its last step.
 */
export async function ruinPosition(ruin: Ruin): Promise<{ readonly positionId: string; readonly seq: number }> {
  const { user, index } = ruin
  const symbol = 'BTCUSDTPERP'
  await index({ btc: 60_000, eth: 3_000 })
  const [seller, bidder] = [await maker(ruin, { USDT: '200000' }), await maker(ruin, { USDT: '200000' })]
  for (const [who, amount] of [
    [seller, '150000'],
    [bidder, '150000'],
    [user, '5000'],
  ] as const)
    await done(who, '/transfer', { clientId: 'perp', asset: 'USDT', from: 'spot', to: 'perp', amount })
  await done(user, '/perp/leverage', { symbol, leverage: 10 })
  const place = (who: TestUser, clientId: string, order: object): Promise<any> =>
    done(who, '/perp/orders', { clientId, symbol, type: 'limit', ...order })
  await place(seller, 's', { side: 'sell', price: '60000', quantity: '0.5' })
  const { order } = await place(user, 'l', { side: 'buy', type: 'market', quantity: '0.5' })
  await place(user, 'rests', { side: 'sell', price: '62000', quantity: '0.1' })
  await place(bidder, 'b1', { side: 'buy', price: '55300', quantity: '0.2' })
  await place(bidder, 'b2', { side: 'buy', price: '54200', quantity: '0.2' })
  for (const btc of [55_300, 54_500, 54_100]) await index({ btc })
  await bidder.call('DELETE', '/perp/orders')
  await index({ btc: 45_000 })
  await until(async () => (await user.call('GET', '/perp/positions/closed')).body.items.find(({ id }: any) => id === order.id))
  const { steps } = (await user.call('GET', `/perp/liquidations/${order.id}`)).body
  return { positionId: order.id, seq: steps.at(-1).seq }
}

/**
 * A cross account with 1,000 USDT of its own and 3,000 borrowed, all in ETH: the book takes a part. The user needs 1,000 USDT. Returns
 * the place of the last step.
 */
export async function ruinMargin(ruin: Ruin): Promise<{ readonly seq: number }> {
  const { user, index } = ruin
  await index({ btc: 60_000, eth: 3_000 })
  const other = await maker(ruin, { USDT: '200000', ETH: '20' })
  const place = (who: TestUser, order: object): Promise<any> => done(who, '/spot/orders', { symbol: 'ETHUSDT', ...order })
  await done(user, '/transfer', { clientId: 'margin', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '1000' })
  await done(user, '/margin/borrow', { clientId: 'loan', asset: 'USDT', amount: '3000' })
  await place(other, { clientId: 'ask', side: 'sell', type: 'limit', price: '3000', quantity: '1.4' })
  await place(user, { clientId: 'buy', side: 'buy', type: 'market', spend: '3999', margin: { account: 'margin-cross', borrow: 'none' } })
  await other.call('DELETE', '/spot/orders')
  for (const eth of [2_590, 2_470]) await index({ eth })
  await place(other, { clientId: 'bid', side: 'buy', type: 'limit', price: '2465', quantity: '3' })
  await index()
  await until(async () => {
    const { state } = (await user.call('GET', '/margin/accounts')).body.accounts[0]
    return state === 'liquidating' ? undefined : true
  })
  const last = await until(async () => (await user.call('GET', '/margin/liquidations')).body.items[0])
  return { seq: Number(last.id.split('-')[0]) }
}
