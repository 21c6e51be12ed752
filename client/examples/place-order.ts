/** Places a limit order below the market, reads it, reduces it and cancels it. */
import { makeProgram, newClientId, ProgramError } from '@candor/client'
import { credentials, url } from './settings.ts'

const { market, spot } = makeProgram({ url, ...credentials })
const symbol = 'BTCUSDT'

const { price } = await market.averagePrice({ symbol })
const below = String(Math.floor(Number(price) * 0.9))
// The client id is generated before the request: even if the answer is lost, the order can be found by it.
const origClientOrderId = newClientId()
const placed = await spot.placeOrder({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.002',
  price: below,
  newClientOrderId: origClientOrderId,
})
console.log(`order ${placed.orderId} is ${placed.status}`)

const { executedQty, origQty } = await spot.order({ symbol, origClientOrderId })
console.log(`traded ${executedQty} of ${origQty}`)
const { amendedOrder } = await spot.amendOrder({ symbol, origClientOrderId, newQty: '0.001' })
console.log(`smaller now: ${amendedOrder.qty}`)
await spot.cancelOrder({ symbol, origClientOrderId })

try {
  await spot.cancelOrder({ symbol, origClientOrderId })
} catch (error) {
  if (!(error instanceof ProgramError)) throw error
  console.log(`cancelled before: ${error.code} ${error.msg}`)
}
