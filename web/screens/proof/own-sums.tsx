import { formatUnits } from '@candor/core/money/units.ts'
import type { ProvedLiabilities } from '@candor/core/proof/liabilities.ts'
import type { Units } from '@candor/core/money/brand.ts'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { type OwnRow, ownRows } from './own-rows.ts'
import { Facts } from './section.tsx'

/** What was proved to be in the sums, by coin. */
export function OwnSums({ proved }: { readonly proved: ProvedLiabilities }) {
  return <Rows rows={ownRows(proved, undefined)} />
}

/** The same of whoever is logged in: every coin, compared with what they have now. */
export function ComparedSums({ proved }: { readonly proved: ProvedLiabilities }) {
  const balances = useQuery({ queryKey: ['own', 'balances'], queryFn: () => client.funds.balances() }).data
  return <Rows rows={ownRows(proved, balances)} />
}

function Rows({ rows }: { readonly rows: readonly OwnRow[] }) {
  return (
    rows.length > 0 && (
      <Facts>
        {rows.map((row) => (
          <OwnSum key={`${row.asset} ${row.kind}`} row={row} />
        ))}
      </Facts>
    )
  )
}

function OwnSum({ row: { asset, kind, amount, scale, total, now } }: { readonly row: OwnRow }) {
  const { t } = useTranslation()
  const format = useFormats()
  const whole = total !== undefined && `${format.sum(formatUnits(total as Units, scale), asset)} ${asset}`
  return (
    // Like a summary row, but with the sum below the label where large text has no room beside it.
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 border-b border-line py-2 text-15 last:border-0">
      <dt className="text-13 text-fg2">{kind === 'claims' ? t('verify.own.claims', { asset }) : t('verify.own.debts', { asset })}</dt>
      <dd className="tn flex-1 text-end font-medium break-words">
        <Amount value={formatUnits(amount as Units, scale)} asset={asset} isFull isBare /> {asset}
        {whole && <span className="block text-12 font-normal text-fg2">{t('verify.own.of', { total: whole })}</span>}
        {/* It may have changed since the statement, and says nothing then. */}
        {now !== undefined && (
          <span className={`block text-12 font-normal ${now === amount ? 'text-ok' : 'text-fg2'}`}>
            {now === amount ? (
              t('verify.own.same')
            ) : (
              <>
                {t('verify.own.now')} <Amount value={formatUnits(now as Units, scale)} asset={asset} isFull isBare /> {asset}
              </>
            )}
          </span>
        )}
      </dd>
    </div>
  )
}
