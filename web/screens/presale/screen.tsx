import { Rocket } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { useNow } from '../../parts/live/clock.ts'
import { type OwnPresaleDetail, refreshPresales, usePresale } from '../../parts/presale/api.ts'
import { groupOf } from '../../parts/presale/standing.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { Calculator } from './calculator.tsx'
import { ReleaseChart } from './chart.tsx'
import { Facts, TokenInfo } from './facts.tsx'
import { Head } from './head.tsx'
import { Join } from './join.tsx'
import { Prose } from './prose.tsx'
import { Timeline } from './timeline.tsx'
import { refundText, sharingText } from './words.ts'

/** Decimal places of the pay asset until the list of assets is known. */
const usdtPlaces = 6

/** A presale with everything that is known about it, and the way to take part. `?id`: its number. */
export function Screen() {
  const { t } = useTranslation()
  const number = Number(usePlace().query.get('id') ?? Number.NaN)
  const presale = usePresale(number)
  const isWrong = !Number.isSafeInteger(number)
  return (
    <Pull onRefresh={() => refreshPresales()}>
      <PageHeader title={presale.data?.name || t('presale.one')} fallback="/sellList" />
      {presale.data !== undefined ? (
        <Detail presale={presale.data} />
      ) : isWrong ? (
        <Empty text={t('refusals.PRESALE_UNKNOWN')} icon={<Rocket size={22} strokeWidth={1.75} />}>
          <ButtonLink to="/sellList" variant="soft" size="medium">
            {t('presale.all')}
          </ButtonLink>
        </Empty>
      ) : presale.error === null ? (
        <DetailSkeleton />
      ) : (
        <Failure error={presale.error} />
      )}
    </Pull>
  )
}

function Detail({ presale }: { readonly presale: OwnPresaleDetail }) {
  const { t } = useTranslation()
  const format = useFormats()
  const now = useNow(60_000)
  const lang = useLang((state) => state.lang)
  const assets = useConfig().data?.assets
  const [amount, setAmount] = useState('')
  const places = assets?.find(({ symbol }) => symbol === presale.payAsset)?.scale ?? usdtPlaces
  const group = groupOf(presale)
  return (
    <>
      <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-6">
        <Head presale={presale} group={group} now={now} />
        {presale.lang === 'en' && lang !== 'en' && <p className="text-12 text-fg3">{t('presale.inEnglish')}</p>}
        <Part title={t('presale.overview')}>
          <Prose presale={presale} text={presale.overview} />
        </Part>
        <Part title={t('presale.timeline')}>
          <Timeline presale={presale} now={now} />
        </Part>
        <Part title={t('presale.terms')}>
          <Facts presale={presale} />
        </Part>
        <Part title={t('presale.releaseTitle')}>
          <ReleaseChart presale={presale} now={now} />
        </Part>
        {group === 'live' && (
          <Part title={t('presale.calculator')}>
            <Calculator presale={presale} places={places} value={amount} onChange={setAmount} />
          </Part>
        )}
        <Part title={t('presale.sharingTitle')}>
          <p className="text-13 text-pretty text-fg2">{sharingText(presale, t, format)}</p>
          <p className="text-13 text-pretty text-fg2">{refundText(presale, t, format)}</p>
        </Part>
        <Part title={t('presale.useOfFunds')}>
          <Prose presale={presale} text={presale.useOfFunds} />
        </Part>
        <Part title={t('presale.risks')}>
          <p className="text-13 font-medium text-pretty text-warn">{t('presale.riskLead')}</p>
          <Prose presale={presale} text={presale.risks} />
        </Part>
        <Part title={t('presale.details')}>
          <Prose presale={presale} text={presale.details} />
        </Part>
        <Part title={t('presale.pool')}>
          <Prose presale={presale} text={presale.pool} />
        </Part>
        <Part title={t('presale.token')}>
          <TokenInfo presale={presale} />
        </Part>
      </div>
      {group === 'live' && <Join presale={presale} scale={places} amount={amount} />}
    </>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 rounded-card bg-s1 p-4">
      <h2 className="text-15 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function DetailSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 px-4 pt-1">
      <Skeleton className="h-44 rounded-card" />
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-48 rounded-card" />
    </div>
  )
}
