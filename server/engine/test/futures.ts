import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import { userCount } from './workload.ts'

const market = 2
const middle = 600_000
const tier = (valueMax: number, initialPpm: number, maintenancePpm: number): object => ({ valueMax, initialPpm, maintenancePpm })

const listing: object = {
  ...{ type: 'perp.list', symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '0.1', lot: '0.00001' },
  terms: {
    ...{ makerFeePpm: 200, takerFeePpm: 500, notionalMin: 1_000_000, lotsMin: 1, lotsMax: 10_000_000, bandPpm: 900_000 },
    ...{ slippagePpm: 50_000, openOrdersMax: 200, isTrading: true },
  },
  perp: {
    ...{ index: 1, leverageMax: 10, tiers: [tier(5e10, 100_000, 25_000), tier(1e13, 200_000, 75_000)], fundingHours: 1 },
    ...{ fundingInterest: 100_000, fundingStretch: 500_000, fundingCap: 7_500_000, impactValue: 1e9, markClampPpm: 10_000 },
    ...{ basisWindowMs: 30_000, liquidationFeePpm: 5_000, liquidationStepPpm: 250_000 },
    ...{ openInterestMax: 1e15, userInterestPpm: 1_000_000, carryPpm: 200_000 },
  },
}

/** Lists a contract on the market of `openMarket` with an index at 60,000, and gives all users certificates and money for it. */
export async function openFutures(submit: Submit): Promise<void> {
  const send = (command: object): Promise<unknown> => submit(command as Command)
  await send(listing)
  await send({ type: 'index.tick', prices: [{ market: 1, price: middle * 1e7, sources: 4, isGood: true }] })
  const transfer = { type: 'funds.transfer', clientId: 'start-perp', asset: 1, from: 'spot', to: 'perp', amount: 1e12 }
  const users = Array.from({ length: userCount }, (_, n) => n + 1)
  await Promise.all(users.flatMap((user) => [send({ type: 'user.certify', user, isCertified: true }), send({ ...transfer, user })]))
}

/**
 * Futures orders of one user around 60,000: limits, market orders, stops that open, exits of a part, new triggers and prices for the
 * user's own orders, and cancels. `id` must be new; `earlier` are the ids of orders, `asleep` those with a trigger.
 */
export function futuresCommand(
  random: () => number,
  user: UserId,
  id: string,
  { earlier, asleep }: { readonly earlier: readonly string[]; readonly asleep: readonly string[] },
): Command {
  const near = (): number => middle + Math.floor((random() - 0.5) * 400)
  const pick = (names: readonly string[]): string => names[Math.floor(random() * names.length)] as string
  const named = (orderClientId: string): object => ({ user, clientId: id, market, order: 0, orderClientId })
  const dice = random()
  const lots = 1 + Math.floor(random() * 2000)
  const command = ((): object => {
    if (dice < 0.2 && asleep.length > 0) {
      const more = random() < 0.3 ? { lots } : {}
      return { type: 'perp.amend', ...named(pick(asleep)), triggerPrice: near(), ...more }
    }
    if (dice < 0.3 && earlier.length > 0)
      return { type: 'perp.amend', ...named(pick(earlier)), ...(random() < 0.5 ? { lots } : { price: near() }) }
    if (dice < 0.4 && earlier.length > 0) return { type: 'perp.cancel', ...named(pick(earlier)) }
    const isExit = dice > 0.75
    const price = near()
    const base = { type: 'perp.place', user, clientId: id, market, side: random() < 0.5 ? 'buy' : 'sell', position: 'both', lots }
    const kind = { isPostOnly: false, isReduceOnly: isExit, isClosing: false, triggerBy: random() < 0.5 ? 'last' : 'mark' }
    const trigger = { trigger: { kind: 'stop', price, direction: price > middle ? 'rises-to' : 'falls-to' } }
    const stop = dice > 0.65 ? trigger : {}
    const order = { ...base, ...kind, ...stop, selfTrade: 'expire-taker' }
    if (dice > 0.5 && random() < 0.5) return { ...order, orderType: 'market', timeInForce: 'IOC' }
    return { ...order, orderType: 'limit', timeInForce: 'GTC', price }
  })()
  return command as Command
}
