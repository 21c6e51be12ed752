/** Opens a position of a Futures market, protects it with a stop, and closes it. */
import { makeProgram } from '@candor/client'
import { credentials, url } from './settings.ts'

const program = makeProgram({ url, ...credentials })
const { futures, futuresAccount, futuresMarket } = program
const symbol = 'BTCUSDT'

const sizes: string[] = []
const isFlat = Promise.withResolvers<void>()
const events = program.futuresEvents((event) => {
  if (event.e !== 'ACCOUNT_UPDATE') return
  sizes.push(...event.a.P.map(({ pa }) => pa))
  if (sizes.length > 1 && Number(sizes.at(-1)) === 0) isFlat.resolve()
})
await events.opened

await futuresAccount.setLeverage({ symbol, leverage: 5 })
const { markPrice } = await futuresMarket.premiumIndex({ symbol })
await futures.placeOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.001' })
const [position] = await futuresAccount.positions({ symbol })
console.log(`holds ${position?.positionAmt} at ${position?.entryPrice}, mark ${markPrice}`)

const stop = await futures.placeAlgoOrder({
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'STOP_MARKET',
  triggerPrice: String(Math.floor(Number(markPrice) * 0.9)),
  closePosition: true,
})
console.log(`the stop is ${stop.algoStatus}`)

await futures.placeOrder({ symbol, side: 'SELL', type: 'MARKET', quantity: '0.001', reduceOnly: true })
await futures.cancelAlgoOrders({ symbol })
console.log(`${(await futuresAccount.positions({ symbol })).length} positions`)
await isFlat.promise
console.log(`told: ${sizes.join(', ')}`)
events.close()
