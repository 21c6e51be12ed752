import { formatUnits } from '@candor/core/money/units.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import { liabilityHash, type LiabilityStatement, readLiabilityText } from '@candor/core/proof/liabilities.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { look, lookKey, publicProof } from '../../parts/proof/look.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Facts, Result, Section } from './section.tsx'

type Named = { readonly statement: LiabilityStatement | undefined; readonly head: number; readonly isNamed: boolean }

/** The statement that the newest checked head names, if its text has the hash that the head carries. Undefined: it names none. */
async function named(text: string): Promise<Named | undefined> {
  const { n, liabilities } = readHeadText(text)!
  if (liabilities.n === 0) return undefined
  const given = await publicProof.statement(liabilities.n)
  const statement = readLiabilityText(given.text)
  return { statement, head: n, isNamed: statement?.n === liabilities.n && liabilityHash(given.text) === liabilities.hash }
}

/** What the exchange owes to all customers, by coin, as a signed head says. */
export function Totals() {
  const { t } = useTranslation()
  const text = useQuery({ queryKey: lookKey, queryFn: look, staleTime: 5_000 }).data?.memory?.newest.head.text
  const liabilities = text === undefined ? undefined : readHeadText(text)?.liabilities.hash
  const query = useQuery({
    queryKey: ['proof', 'statement', liabilities],
    queryFn: () => named(text!).then((found) => ({ found })),
    enabled: text !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Section title={t('verify.totals.title')} hint={t('verify.totals.hint')}>
      {query.data !== undefined ? (
        <Sums named={query.data.found} />
      ) : query.error !== null ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
      ) : text === undefined ? (
        <Sums named={undefined} />
      ) : (
        <Skeleton className="h-16 w-full rounded-card" />
      )}
    </Section>
  )
}

function Sums({ named: found }: { readonly named: Named | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (found === undefined)
    return (
      <Result tone="plain" text={t('verify.own.none')}>
        {t('verify.own.noneHint')}
      </Result>
    )
  const { statement, head, isNamed } = found
  if (statement === undefined || !isNamed) return <Result tone="bad" text={t('verify.totals.wrong')} />
  const { n, at, seq, trees } = statement
  const facts = { n: format.number(n), at: format.dateTime(at), seq: format.number(seq), head: format.number(head) }
  return (
    <>
      <Result tone="good" text={t('verify.totals.signed')}>
        {t('verify.totals.signedHint', facts)}
      </Result>
      <Facts>
        {trees
          .filter(({ kind }) => kind === 'claims')
          .map(({ asset, sum, scale }) => {
            const debts = trees.find((tree) => tree.kind === 'debts' && tree.asset === asset)
            const lent = debts && `${format.sum(formatUnits(debts.sum, scale), asset)} ${asset}`
            return (
              <SummaryRow key={asset} label={asset}>
                {format.sum(formatUnits(sum, scale), asset)} {asset}
                {lent !== undefined && <span className="block text-12 font-normal text-fg2">{t('verify.totals.lent', { sum: lent })}</span>}
              </SummaryRow>
            )
          })}
      </Facts>
    </>
  )
}
