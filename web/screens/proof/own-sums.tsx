import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { LiabilityTree, OwnAmount, ProvedLiabilities } from '@candor/core/proof/liabilities.ts'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { Facts } from './section.tsx'

/** What was proved to be in the sums, by coin. `isOwn`: of whoever is logged in, so that it is compared with what they have now. */
export function OwnSums({ proved: { own, statement }, isOwn = false }: { readonly proved: ProvedLiabilities; readonly isOwn?: boolean }) {
  return (
    <Facts>
      {own.map((one) => {
        const tree = statement.trees.find(({ asset, kind }) => asset === one.asset && kind === one.kind)
        return tree && <OwnSum key={`${one.asset} ${one.kind}`} own={one} tree={tree} isOwn={isOwn && one.kind === 'claims'} />
      })}
    </Facts>
  )
}

function OwnSum({
  own: { asset, kind, amount },
  tree: { scale, sum },
  isOwn,
}: {
  readonly own: OwnAmount
  readonly tree: LiabilityTree
  readonly isOwn: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const total = `${format.sum(formatUnits(sum, scale), asset)} ${asset}`
  return (
    <SummaryRow label={kind === 'claims' ? t('verify.own.claims', { asset }) : t('verify.own.debts', { asset })}>
      <Amount value={formatUnits(amount, scale)} asset={asset} isFull />
      <span className="block text-12 font-normal text-fg2">{t('verify.own.of', { total })}</span>
      {isOwn && <Now asset={asset} amount={amount} scale={scale} />}
    </SummaryRow>
  )
}

/** The balance of a coin in all accounts as it is now. It may have changed since the statement, and says nothing then. */
function Now({ asset, amount, scale }: { readonly asset: string; readonly amount: number; readonly scale: number }) {
  const { t } = useTranslation()
  const balances = useQuery({ queryKey: ['own', 'balances'], queryFn: () => client.funds.balances() }).data
  if (balances === undefined) return null
  const now = totalOf(balances, asset, scale)
  return (
    <span className={`block text-12 font-normal ${now === amount ? 'text-ok' : 'text-fg2'}`}>
      {now === amount ? (
        t('verify.own.same')
      ) : (
        <>
          {t('verify.own.now')} <Amount value={formatUnits(now, scale)} asset={asset} isFull />
        </>
      )}
    </span>
  )
}

/** All accounts' available and held units of a coin. */
function totalOf({ accounts }: WireBalances, asset: string, scale: number): number {
  const found = accounts.flatMap(({ balances }) => balances.filter((one) => one.asset === asset))
  return found.flatMap(({ available, held }) => [available, held]).reduce((total, sum) => total + (parseUnits(sum, scale) ?? 0), 0)
}
