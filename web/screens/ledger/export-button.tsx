import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { IconButton } from '../../parts/ui/button.tsx'
import { allPages, csvOf, download } from '../../parts/lists/csv.ts'
import { toast } from '../../parts/ui/toast.tsx'

/** All records of the filter as a file; times in UTC, numbers as the exchange keeps them. */
export function ExportButton({ wanted }: { readonly wanted: { readonly type?: WireRecord['type']; readonly asset?: string } }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isBusy, setIsBusy] = useState(false)
  const run = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const records = await allPages((before) =>
        client.funds.records({ ...wanted, ...(before === undefined ? {} : { before }), limit: 100 }),
      )
      const head = [
        t('records.number'),
        t('records.kind'),
        t('records.asset'),
        t('records.amount'),
        t('records.balance'),
        t('records.status'),
        t('records.time'),
      ]
      const rows = records.map((record) => [
        record.id,
        t(`records.type.${record.type}`),
        record.asset,
        record.amount,
        record.balance,
        t('records.completed'),
        format.utc(record.time),
      ])
      download('candor-records.csv', csvOf(head, rows))
    } catch (error) {
      toast({ text: problemOf(error, t).text, tone: 'bad' })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <IconButton label={t('orders.export')} disabled={isBusy} onClick={() => void run()}>
      <Download size={20} strokeWidth={1.75} aria-hidden className={isBusy ? 'animate-pulse' : ''} />
    </IconButton>
  )
}
