/** What coins cost and earn, for the assets screen and the spot desk. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireCost } from '@candor/core/protocol/wire/funds.ts'
import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import { costDigits, type Scaled, unrealisedGain } from '@candor/core/risk/cost-basis.ts'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useQuote } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'

/** `unrealised` in USDT and in percent of the cost. Both are undefined without a price or an average; percent also without a cost. */
export type Gain = { readonly unrealised?: Decimal; readonly percent?: Decimal }

/** Costs of all coins, undefined until they are there. The key is below that of balances, so a change of those refreshes both. */
export function useCosts(): readonly WireCost[] | undefined {
  const me = useMe()
  const { data } = useQuery({
    queryKey: ['own', 'balances', 'costs'],
    queryFn: () => client.funds.costs(),
    enabled: me !== undefined,
    staleTime: 5_000,
  })
  return data
}

/** Cost and present gain of one coin; undefined for one without a cost, such as USDT. */
export function useCost(asset: WireAsset): { readonly cost: WireCost; readonly gain: Gain } | undefined {
  const cost = useCosts()?.find((one) => one.asset === asset.symbol)
  const price = useQuote(`${asset.symbol}USDT`)?.price
  return cost === undefined ? undefined : { cost, gain: gainOf(cost, asset, price) }
}

/** `price`: USDT per coin. The gain of a coin that is only owed has no percent. */
export function gainOf(cost: WireCost, coin: Scaled, price: Decimal | undefined): Gain {
  const { scale } = coin
  const [quantity, debt] = [parseUnits(cost.quantity, scale), parseUnits(cost.debt, scale)]
  if (price === undefined || quantity === undefined || debt === undefined) return {}
  if (cost.average === null && (quantity > 0 || debt === 0)) return {}
  const [paid, borrowed] = [millionths(cost.cost), millionths(cost.debtCost)]
  const gain = unrealisedGain({ quantity, cost: paid, debt, debtCost: borrowed }, price, coin)
  const unrealised = formatUnits(gain, costDigits)
  return paid === 0n || debt > 0 ? { unrealised } : { unrealised, percent: formatUnits((gain * 10_000n) / paid, 2) }
}

function millionths(sum: Decimal): bigint {
  const [whole = '0', part = ''] = sum.split('.')
  return BigInt(whole + part.padEnd(costDigits, '0').slice(0, costDigits))
}
