import { statementLines, type WireStatement, type WireStatementSums } from '@candor/core/protocol/wire/days/daily.ts'
import { csvOf } from '../../http/csv.ts'

const columns = [
  ...(['day', 'final', 'row', 'account', 'market', 'asset', 'opening'] as const),
  ...statementLines,
  ...(['borrowed', 'repaid', 'net', 'trading', 'profit', 'closing'] as const),
  ...(['opening_price', 'opening_minute', 'closing_price', 'closing_minute', 'price_market'] as const),
]
const empty = Object.fromEntries(columns.map((column) => [column, ''])) as Record<(typeof columns)[number], string>
type Row = Partial<Record<(typeof columns)[number], string>>

/**
 * The statement as a file: a row `coin` for each coin, `debt` for what is owed, and `value` for the sums in USDT, of each account and
 * of all together.
 */
export function statementCsv(statement: WireStatement): string {
  const rows = [
    ...statement.accounts.flatMap(({ kind, symbol, ...sums }) => rowsOf(statement, { account: kind, market: symbol ?? '' }, sums)),
    ...rowsOf(statement, { account: 'all', market: '' }, statement.total),
  ]
  return csvOf(
    columns,
    rows.map((row) => ({ ...empty, ...row })),
  )
}

function rowsOf({ day, isFinal, prices }: WireStatement, account: Row, { coins, debts, value }: WireStatementSums): readonly Row[] {
  const about = { day, final: isFinal ? 'yes' : 'no', ...account }
  const priceOf = (asset: string): Row => {
    if (asset === 'USDT') return { opening_price: '1', closing_price: '1' }
    const used = prices.find((one) => one.asset === asset)
    const [early, late] = [used?.opening ?? undefined, used?.closing ?? undefined]
    return {
      ...(early && { opening_price: early.price, opening_minute: new Date(early.minute).toISOString() }),
      ...(late && {
        closing_price: late.price,
        closing_minute: new Date(late.minute).toISOString(),
        price_market: late.isPresale ? 'presale' : late.symbol,
      }),
    }
  }
  return [
    ...coins.map(({ asset, opening, lines, closing }) => ({ ...about, row: 'coin', asset, opening, ...lines, closing, ...priceOf(asset) })),
    ...debts.map(({ asset, ...sums }) => ({ ...about, row: 'debt', asset, ...sums, ...priceOf(asset) })),
    ...(value === null ? [] : [valueRow(about, value)]),
  ]
}

function valueRow(about: Row, { openProfit: _open, pledged: _pledged, ...sums }: NonNullable<WireStatementSums['value']>): Row {
  return { ...about, row: 'value', asset: 'USDT', ...sums }
}
