import { readHeadText } from '@candor/core/proof/head.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { look, lookKey, type Looked } from '../../parts/proof/look.ts'
import { findings, type Memory, remembered } from '../../parts/proof/memory.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { isQuiet } from './quiet.ts'
import { Facts, Get, Hex, Result, Section } from './section.tsx'

/** Heads in one download. */
const fileMax = 10_080
/** Twenty years. The exchange says how many heads there are, and the screen must also show what was found about one that lies. */
const partsMax = 1_040

/** The newest head of the journal, and how it follows from the one that this device remembers. */
export function Journal() {
  const { t } = useTranslation()
  const looked = useQuery({ queryKey: lookKey, queryFn: look, staleTime: 5_000, refetchInterval: 30_000 })
  // Without a connection, what the last check has found; its time is said with it.
  const memory = looked.data?.memory ?? remembered()
  return (
    <Section title={t('verify.journal.title')} hint={t('verify.journal.hint')}>
      {looked.data !== undefined ? (
        <Verdict looked={looked.data} />
      ) : looked.error !== null ? (
        <Failure error={looked.error} onRetry={() => void looked.refetch()} isSmall />
      ) : (
        <div role="status">
          <span className="sr-only">{t('verify.checking')}</span>
          <Skeleton className="h-16 w-full rounded-card" />
        </div>
      )}
      {memory !== undefined && <HeadFacts memory={memory} />}
      <Downloads heads={memory?.newest.head.n ?? 0} />
    </Section>
  )
}

function Verdict({ looked: { memory, isContradicted } }: { readonly looked: Looked }) {
  const { t } = useTranslation()
  const format = useFormats()
  // Whatever follows from the other story proves nothing about the first one.
  if (isContradicted || findings().length > 0) return <Result tone="bad" text={t('verify.journal.contradicted')} />
  if (memory === undefined)
    return (
      <Result tone="plain" text={t('verify.journal.none')}>
        {t('verify.journal.noneHint')}
      </Result>
    )
  const { from, newest, checkedAt, anewAt } = memory
  const { at: newestAt = checkedAt } = readHeadText(newest.head.text) ?? {}
  const said =
    from === undefined
      ? t('verify.journal.signedHint')
      : t('verify.journal.followsFrom', { n: format.number(newest.head.n), from: format.number(from.n), at: format.dateTime(from.at) })
  return (
    <>
      <Result tone="good" text={from === undefined ? t('verify.journal.signed') : t('verify.journal.follows')}>
        <p>{said}</p>
        <p>{t('verify.journal.checkedAt', { at: format.dateTime(checkedAt) })}</p>
      </Result>
      {isQuiet(newestAt, checkedAt) && (
        <p className="rounded-control bg-warntint p-3 text-13 text-pretty">
          {t('verify.journal.quiet', { at: format.dateTime(newestAt) })}
        </p>
      )}
      {anewAt !== undefined && (
        <p className="rounded-control bg-warntint p-3 text-13 text-pretty">{t('verify.journal.anew', { at: format.dateTime(anewAt) })}</p>
      )}
    </>
  )
}

function HeadFacts({ memory: { newest, first, since } }: { readonly memory: Memory }) {
  const { t } = useTranslation()
  const format = useFormats()
  const head = readHeadText(newest.head.text)
  const key = newest.keys[0]
  if (head === undefined || key === undefined) return null
  const remembers = { at: format.dateTime(since), n: format.number(first.n) }
  return (
    <Facts>
      <SummaryRow label={t('verify.journal.newest')}>
        {t('verify.headOf', { n: format.number(head.n), at: format.dateTime(head.at) })}
      </SummaryRow>
      <SummaryRow label={t('verify.journal.covers')}>{format.number(head.seq)}</SummaryRow>
      <SummaryRow label={t('verify.journal.hash')}>
        <Hex value={head.hash} label={t('verify.journal.hash')} />
      </SummaryRow>
      <SummaryRow label={t('verify.journal.key')}>
        <Hex value={key.publicKey} label={t('verify.journal.key')} />
      </SummaryRow>
      <SummaryRow label={t('verify.journal.since')}>{t('verify.journal.sinceHead', remembers)}</SummaryRow>
    </Facts>
  )
}

/** The heads, a week in each file, and the verifier. */
function Downloads({ heads }: { readonly heads: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const parts = Array.from({ length: Math.min(partsMax, Math.ceil(heads / fileMax)) }, (_, part) => part * fileMax + 1)
  return (
    <div className="flex flex-col">
      {parts.map((from) => (
        <Get key={from} href={`/app/v1/proof/heads.ndjson?from=${from}`} name={`candor-heads-${from}.ndjson`}>
          {t('verify.journal.getHeads', { from: format.number(from), to: format.number(Math.min(heads, from + fileMax - 1)) })}
        </Get>
      ))}
      <Get href="/proof/verify.mjs" name="verify.mjs">
        {t('verify.journal.getVerifier')}
      </Get>
      <p className="text-12 text-pretty text-fg2">{t('verify.journal.verifierHint')}</p>
    </div>
  )
}
