/** Sends orders over one socket and receives their events on the same socket. */
import { market, openSocketApi, spot } from '@candor/client'
import { credentials, url } from './settings.ts'

const api = openSocketApi({ url, ...credentials })
// An Ed25519 key can open a session; with a secret, every request is signed.
if ('privateKey' in credentials) await api.logon()

const told: string[] = []
let wake = (): void => undefined
const leave = await api.userData((event) => {
  told.push(event.e === 'executionReport' ? `${event.x} ${event.X}` : event.e)
  wake()
})

const symbol = 'BTCUSDT'
const { price } = await market.averagePrice(api.call, { symbol })
const below = String(Math.floor(Number(price) * 0.9))
const order = await spot.placeOrder(api.call, { symbol, side: 'BUY', type: 'LIMIT_MAKER', quantity: '0.001', price: below })
await spot.cancelOrder(api.call, { symbol, orderId: order.orderId })
while (!told.includes('CANCELED CANCELED')) await new Promise<void>((resolve) => (wake = resolve))
console.log(told.join(', '))
await leave()
api.close()
