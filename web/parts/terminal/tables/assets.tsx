import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Coin } from '../../funds/coin.tsx'
import { Amount } from '../../ui/figure.tsx'
import { type Column, DataTable } from './table.tsx'

/** A coin of an account; with what is borrowed of it, where coins can be. */
export type Holding = {
  readonly asset: string
  readonly available: Decimal
  readonly held: Decimal
  readonly borrowed?: Decimal
  readonly interest?: Decimal
  readonly borrowable?: Decimal
  readonly hourlyRate?: Decimal
}

/** The columns of an account without loans. */
export const plainAssets = ['available', 'held'] as const

const sums = ['available', 'held', 'borrowed', 'interest', 'borrowable'] as const

/** The coins of an account. */
export function AssetTable({ holdings, hasLoans = false }: { readonly holdings: readonly Holding[]; readonly hasLoans?: boolean }) {
  const { t } = useTranslation()
  const format = useFormats()
  const columns: readonly Column<Holding>[] = (hasLoans ? sums : plainAssets).map((id, rank) => ({
    id,
    rank,
    value: (holding) => Number(holding[id] ?? 0),
    cell: (holding) => <Amount value={holding[id] ?? '0'} asset={holding.asset} isBare />,
  }))
  const rate: Column<Holding> = {
    id: 'rate',
    rank: 5,
    value: ({ hourlyRate }) => Number(hourlyRate ?? 0),
    cell: ({ hourlyRate }) => (hourlyRate === undefined ? '–' : format.percent(hourlyRate, 4)),
  }
  return (
    <DataTable
      name="assets"
      label={t('orders.assets')}
      rows={holdings}
      keyOf={({ asset }) => asset}
      first={{
        label: t('terminal.coin'),
        value: ({ asset }) => asset,
        cell: ({ asset }) => (
          <span className="tb-pair">
            <Coin asset={asset} size={16} />
            <span>{asset}</span>
          </span>
        ),
      }}
      columns={hasLoans ? [...columns, rate] : columns}
    />
  )
}
