import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { WideTable } from '../../parts/wide/table.tsx'
import { Signed } from './record.tsx'

/** The records of a month with their columns, in a wide window. */
export function RecordTable({
  records,
  title,
  current,
  onOpen,
}: {
  readonly records: readonly WireRecord[]
  readonly title: string
  readonly current: string | undefined
  readonly onOpen: (record: WireRecord) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <WideTable
      label={title}
      items={records}
      keyOf={({ id }) => id}
      current={({ id }) => id === current}
      onOpen={onOpen}
      columns={[
        { label: t('records.kind'), cell: ({ type }) => t(`records.type.${type}`) },
        { label: t('orders.pair'), isMinor: true, cell: ({ symbol }) => symbol !== undefined && <Pair symbol={symbol} /> },
        { label: t('records.account'), isMinor: true, cell: ({ account }) => t(`accounts.name.${account}`) },
        { label: t('records.time'), cell: ({ time }) => <span className="tn">{format.dateTime(time)}</span> },
        { label: t('records.amount'), isNumber: true, cell: (record) => <Signed record={record} /> },
        {
          label: t('records.balance'),
          isNumber: true,
          isMinor: true,
          cell: ({ balance, asset }) => <Amount value={balance} asset={asset} />,
        },
      ]}
    />
  )
}

function Pair({ symbol }: { readonly symbol: string }) {
  const market = useMarket(symbol)
  return <>{market === undefined ? symbol : `${market.base}/${market.quote}`}</>
}
