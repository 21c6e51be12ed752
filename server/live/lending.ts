import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import type { MarginAccount, PoolView } from '@candor/core/protocol/port.ts'
import type { WireMarginAccount, WireMarginTerms, WirePool } from '@candor/core/protocol/wire/margin.ts'
import { utilization } from '@candor/core/risk/margin-rate.ts'
import { amountText, type Listing } from './listing.ts'

const ratioDigits = 6
/** Digits of percent for rates in 1e-12 and shares in 1e-9. */
const rateDigits = 10
const shareDigits = 7
const indexDigits = 8
const hoursOfYear = 8_760
/** Digits of a yearly rate shown to people, in percent. */
const yearDigits = 4

export function wireMarginTerms(listing: Listing, terms: MarginTerms): WireMarginTerms {
  const usdt = listing.assetNamed('USDT')
  return {
    isOpen: terms.isOpen,
    tiers: terms.tiers.map(({ loanMax, leverage, liquidationPpm }) => ({
      loanMax: amountText(usdt, loanMax),
      leverage,
      liquidationLevel: ratio(liquidationPpm),
    })),
    isolatedCall: ratio(terms.isolatedCallPpm),
    crossLeverage: terms.crossLeverage,
    crossTransfer: ratio(terms.crossTransferPpm),
    crossBorrow: ratio(terms.crossBorrowPpm),
    crossCall: ratio(terms.crossCallPpm),
    crossLiquidation: ratio(terms.crossLiquidationPpm),
    kink: ratio(terms.kinkPpm),
    borrowStop: ratio(terms.borrowStopPpm),
    rateZero: hourly(terms.rateZero),
    rateKink: hourly(terms.rateKink),
    rateFull: hourly(terms.rateFull),
    reserve: ratio(terms.reservePpm),
    weights: [
      { asset: usdt.symbol, weight: ratio(1_000_000) },
      ...terms.weights.map(({ asset, weightPpm }) => ({ asset: listing.asset(asset).symbol, weight: ratio(weightPpm) })),
    ],
    otherWeight: ratio(terms.weightPpm),
    cushion: ratio(terms.cushionPpm),
    userShare: ratio(terms.userSharePpm),
    loanMin: amountText(usdt, terms.loanMin),
    supplyMin: amountText(usdt, terms.supplyMin),
  }
}

/** `pools`: for the current rate of each asset. */
export function wireMarginAccount(listing: Listing, account: MarginAccount, pools: readonly PoolView[]): WireMarginAccount {
  const usdt = listing.assetNamed('USDT')
  const rates = new Map<AssetId, number>(pools.map(({ asset, rate }) => [asset, rate]))
  const isCross = account.market === 0
  return {
    kind: isCross ? 'margin-cross' : 'margin-isolated',
    ...(isCross ? {} : { symbol: listing.market(account.market).market.symbol }),
    balances: account.balances.map((balance) => {
      const asset = listing.asset(balance.asset)
      return {
        asset: asset.symbol,
        available: amountText(asset, balance.available),
        held: amountText(asset, balance.held),
        borrowed: amountText(asset, balance.principal),
        interest: amountText(asset, balance.interest),
        borrowable: amountText(asset, balance.borrowable),
        orderLoan: amountText(asset, balance.orderLoan),
        hourlyRate: hourly(rates.get(balance.asset) ?? 0),
      }
    }),
    assetsUsdt: amountText(usdt, account.assets),
    debtUsdt: amountText(usdt, account.debt),
    level: account.levelPpm === null ? null : levelText(account.levelPpm),
    state: account.state,
    callLevel: ratio(account.callPpm),
    liquidationLevel: ratio(account.liquidationPpm),
    liquidationPrice: account.liquidationPrice === 0 ? null : formatUnits(account.liquidationPrice, indexDigits),
    ceiling: account.ceiling,
  }
}

export function wirePool(listing: Listing, { asset: id, supplied, borrowed, queued, rate, earnRate }: PoolView): WirePool {
  const asset = listing.asset(id)
  return {
    asset: asset.symbol,
    supplied: amountText(asset, supplied),
    borrowed: amountText(asset, borrowed),
    queued: amountText(asset, queued),
    utilization: formatUnits(utilization({ supplied, borrowed }), shareDigits),
    hourlyRate: hourly(rate),
    earnRate: formatUnits(Math.floor((earnRate * hoursOfYear) / 10 ** (rateDigits - yearDigits)), yearDigits),
  }
}

/** Assets ÷ debt with two digits, rounded down so that no account looks safer than it is. */
function levelText(ppm: number): string {
  return formatFixed(Math.floor(ppm / 10_000), 2)
}

function ratio(ppm: number): string {
  return formatUnits(ppm, ratioDigits)
}

function hourly(rate: number): string {
  return formatUnits(rate, rateDigits)
}
