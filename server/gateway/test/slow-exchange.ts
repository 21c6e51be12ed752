/** An exchange that logs to standard output and takes every request for slow; each of these requests comes once. */
import { startExchange } from '../../main/test/exchange.ts'

await using exchange = await startExchange({ seed: 'slow', settings: { slowMs: Number.MIN_VALUE, logLevel: 'warn' } })
const alice = await exchange.user({ funds: { USDT: '100' } })
const order = { clientId: 'large', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '1' }
await alice.call('POST', '/spot/orders', order)
await fetch(`${exchange.url}/hooks/v1/SECRETSECRET`, { method: 'POST', body: '{}' })
await fetch(`${exchange.url}/api/v3/ticker/price?symbol=ETHUSDT`)
await fetch(`${exchange.url}/app/v1/SECRETSECRET`)
