import { ApiError } from '@candor/client/errors.ts'
import { checkAnchor, type ProvedAnchor } from '@candor/core/proof/chain/anchor.ts'
import { checkReserves, type ProvedReserves } from '@candor/core/proof/chain/reserves.ts'
import { useQuery } from '@tanstack/react-query'
import { SquareArrowOutUpRight } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { isOfStory, publicProof } from '../../parts/proof/look.ts'
import { isSigned } from '../../parts/proof/signed.ts'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { AnchorResult, CoinRows, Networks, ReserveResult } from './reserve-parts.tsx'
import { Get, Result, Section } from './section.tsx'

/** Anchors that are checked and shown. The file has all. */
const anchorsMax = 5

type Found = { readonly proved: ProvedReserves; readonly isKnown: boolean } | { readonly wrong: string } | { readonly none: true }

/** The newest statement, checked on this device, and whether its head is in the story that the device follows. */
async function newest(): Promise<Found> {
  try {
    const file = await publicProof.reserves()
    const proved = await checkReserves(file, isSigned)
    return 'wrong' in proved ? proved : { proved, isKnown: await isOfStory({ keys: file.keys, head: file.head }) }
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'NOT_FOUND') return { none: true }
    throw cause
  }
}

type FoundAnchor = { readonly proved: ProvedAnchor; readonly isKnown: boolean } | { readonly wrong: string }

async function newestAnchors(): Promise<readonly FoundAnchor[]> {
  const found: FoundAnchor[] = []
  for (const one of await publicProof.anchors({ limit: anchorsMax })) {
    const proved = await checkAnchor(JSON.stringify(one), isSigned)
    found.push('wrong' in proved ? proved : { proved, isKnown: await isOfStory({ keys: one.keys, head: one.head }) })
  }
  return found
}

/** What the exchange holds on chains, and the heads that it wrote there. */
export function Reserves() {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['proof', 'reserves'], queryFn: newest, staleTime: 60_000 })
  return (
    <>
      <Section title={t('reserves.title')} hint={t('reserves.hint')}>
        {query.data !== undefined ? (
          <Statement found={query.data} />
        ) : query.error !== null ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
        ) : (
          <Skeleton className="h-16 w-full rounded-card" />
        )}
        <p className="text-13 text-pretty text-fg2">{t('reserves.bounds')}</p>
      </Section>
      <Anchors />
    </>
  )
}

function Statement({ found }: { readonly found: Found }) {
  const { t, i18n } = useTranslation()
  const format = useFormats()
  if ('none' in found)
    return (
      <Result tone="plain" text={t('reserves.none')}>
        {t('reserves.noneHint')}
      </Result>
    )
  if ('wrong' in found)
    return (
      <Result tone="bad" text={t('reserves.wrong')}>
        <code lang="en">{found.wrong}</code>
      </Result>
    )
  const { proved, isKnown } = found
  const { n } = proved.statement
  return (
    <>
      {isKnown ? <ReserveResult proved={proved} /> : <Result tone="bad" text={t('reserves.story')} />}
      <CoinRows coins={proved.coins} />
      <Networks statement={proved.statement} />
      <div className="flex flex-col">
        <Get href={`/app/v1/proof/reserves/${n}`} name={`candor-reserves-${n}.json`}>
          {t('reserves.get', { n: format.number(n) })}
        </Get>
        <a
          href={`/proof/ask.html?lang=${i18n.language}`}
          target="_blank"
          rel="noopener noreferrer"
          className="flex min-h-11 items-center gap-2 text-13 font-medium text-brand"
        >
          <SquareArrowOutUpRight size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
          {t('reserves.ask')}
        </a>
        <p className="text-12 text-pretty text-fg2">{t('reserves.askHint')}</p>
      </div>
    </>
  )
}

function Anchors() {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['proof', 'anchors'], queryFn: newestAnchors, staleTime: 60_000 })
  return (
    <Section title={t('reserves.anchor.title')} hint={t('reserves.anchor.hint')}>
      {query.data !== undefined ? (
        query.data.map((one) =>
          'wrong' in one ? (
            <Result key={one.wrong} tone="bad" text={t('reserves.anchor.wrong')}>
              <code lang="en">{one.wrong}</code>
            </Result>
          ) : (
            <AnchorResult key={one.proved.txid} proved={one.proved} isOfStory={one.isKnown} />
          ),
        )
      ) : query.error !== null ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
      ) : (
        <Skeleton className="h-16 w-full rounded-card" />
      )}
      {query.data?.length === 0 && (
        <Result tone="plain" text={t('reserves.anchor.none')}>
          {t('reserves.anchor.noneHint')}
        </Result>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <Get href="/app/v1/proof/anchors.ndjson" name="candor-anchors.ndjson">
          {t('reserves.anchor.get')}
        </Get>
      )}
    </Section>
  )
}
