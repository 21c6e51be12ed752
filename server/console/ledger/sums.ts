import type { Posting } from '@candor/core/protocol/wire/console/ledger.ts'
import type { TrialRow } from '../../store/query/console/trial.ts'

type Decimal = { readonly value: bigint; readonly digits: number }

/** Exact sum of decimals. */
export function sumOf(texts: readonly string[]): string {
  let sum: Decimal = { value: 0n, digits: 0 }
  for (const text of texts) sum = add(sum, decimalOf(text))
  const { value, digits } = sum
  const shown = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  const part = digits === 0 ? '' : shown.slice(-digits).replace(/0+$/, '')
  const whole = digits === 0 ? shown : shown.slice(0, -digits)
  return `${value < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`
}

function decimalOf(text: string): Decimal {
  const [whole = '0', part = ''] = text.split('.')
  return { value: BigInt(whole.replace('-', '') + part) * (text.startsWith('-') ? -1n : 1n), digits: part.length }
}

function add(one: Decimal, other: Decimal): Decimal {
  const digits = Math.max(one.digits, other.digits)
  const raised = ({ value, digits: own }: Decimal): bigint => value * 10n ** BigInt(digits - own)
  return { value: raised(one) + raised(other), digits }
}

export type AssetSum = { readonly asset: string; readonly customers: string; readonly exchange: string; readonly sum: string }

/** Sums of the customers' accounts and of the exchange's own, per asset. Together they are zero. */
export function assetSums(rows: readonly TrialRow[]): readonly AssetSum[] {
  const totals = (of: readonly TrialRow[]): string => sumOf(of.map(({ total }) => total))
  return [...Map.groupBy(rows, ({ asset }) => asset)].map(([asset, all]) => ({
    asset,
    customers: totals(all.filter(({ isHouse }) => !isHouse)),
    exchange: totals(all.filter(({ isHouse }) => isHouse)),
    sum: totals(all),
  }))
}

/** Sums of the lines of one command, per asset. */
export function postingSums(postings: readonly Posting[]): readonly { readonly asset: string; readonly sum: string }[] {
  const byAsset = Map.groupBy(postings, ({ asset }) => asset)
  return [...byAsset].map(([asset, all]) => ({ asset, sum: sumOf(all.flatMap(({ available, held }) => [available, held])) }))
}
