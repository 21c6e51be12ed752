import { sidesOf, type WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { ChevronRight, Hourglass, Lock, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { useCountryName } from '../../parts/fields/country-field.tsx'
import { Footer } from '../../parts/papers/step-page.tsx'
import { type Step, stepOf } from './steps.ts'
import { useDay } from './use-day.ts'
import { kindText } from '../../parts/papers/words.ts'
import { faultText, fieldText } from './words.ts'

/** Sent: a person of the exchange is to decide. */
export function Waiting({ papers, takesFocus }: { readonly papers: WirePapers; readonly takesFocus: boolean }) {
  const { t } = useTranslation()
  const { usualHours } = papers
  return (
    <div className="flex flex-col gap-5 px-4 pt-2 pb-8">
      <Standing
        icon={<Hourglass size={28} strokeWidth={1.75} />}
        colours="bg-warntint text-warn"
        title={t('papers.waiting')}
        takesFocus={takesFocus}
      >
        <p>{t('papers.waitingText')}</p>
        {usualHours !== null && <p>{t('papers.timeUsual', { count: usualHours })}</p>}
      </Standing>
      <Sent papers={papers} />
    </div>
  )
}

export function Certified({ papers, takesFocus }: { readonly papers: WirePapers; readonly takesFocus: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-5 px-4 pt-2 pb-8">
      <Standing
        icon={<ShieldCheck size={28} strokeWidth={1.75} />}
        colours="bg-brandtint text-ok"
        title={t('papers.certified')}
        takesFocus={takesFocus}
      >
        <p>{t('papers.certifiedText')}</p>
      </Standing>
      {papers.kind !== null && <Sent papers={papers} />}
      <p className="flex items-center gap-2 px-1 text-13 text-fg2">
        <Lock size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
        {t('papers.locked')}
      </p>
    </div>
  )
}

/** Turned down: each part with its reason, and a way to it. */
export function Rejected({
  papers,
  takesFocus,
  onOpen,
  onFix,
}: {
  readonly papers: WirePapers
  readonly takesFocus: boolean
  readonly onOpen: (step: Step) => void
  readonly onFix: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-5 px-4 pt-2 pb-4">
        <Standing
          icon={<TriangleAlert size={28} strokeWidth={1.75} />}
          colours="bg-dangertint text-danger"
          title={t('papers.rejected')}
          takesFocus={takesFocus}
        >
          <p>{t('papers.rejectedText')}</p>
          {papers.decidedAt !== null && (
            <p className="text-12 text-fg3">{t('papers.decidedAt', { date: format.dateTime(papers.decidedAt) })}</p>
          )}
        </Standing>
        <ul className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
          {papers.faults.map((fault) => (
            <li key={`${fault.field} ${fault.reason}`}>
              <button
                type="button"
                onClick={() => onOpen(stepOf(fault.field))}
                className="flex min-h-13 w-full items-center gap-3 px-4 py-2.5 text-start active:bg-s2"
              >
                <span className="min-w-0 flex-1">
                  <span className="block text-15 font-medium">{fieldText(fault.field, papers.kind, t)}</span>
                  <span className="block text-13 text-danger">{faultText(fault, t)}</span>
                </span>
                <ChevronRight size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
              </button>
            </li>
          ))}
        </ul>
      </div>
      <Footer>
        <Button isWide onClick={onFix}>
          {t('papers.fix')}
        </Button>
      </Footer>
    </div>
  )
}

function Standing({
  icon,
  colours,
  title,
  takesFocus,
  children,
}: {
  readonly icon: ReactNode
  readonly colours: string
  readonly title: string
  readonly takesFocus: boolean
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section className="flex flex-col items-center gap-3 rounded-card bg-s1 px-4 py-6 text-center">
      <span aria-hidden className={`flex size-14 items-center justify-center rounded-full ${colours}`}>
        {icon}
      </span>
      <h2 ref={heading} tabIndex={-1} className="text-22 font-semibold outline-none">
        {title}
      </h2>
      <div className="flex flex-col gap-1.5 text-15 text-fg2">{children}</div>
    </section>
  )
}

/** What was sent and when, without the photos and without the whole number. */
function Sent({ papers }: { readonly papers: WirePapers }) {
  const { t } = useTranslation()
  const format = useFormats()
  const countryName = useCountryName()
  const day = useDay()
  const { kind, country, name, born, number, sentAt, decidedAt } = papers
  return (
    <section className="rounded-card bg-s1 px-4 py-2">
      <h3 className="pt-2 text-12 font-medium text-fg3">{t('papers.sent')}</h3>
      <dl>
        {sentAt !== null && <SummaryRow label={t('papers.sentAt')}>{format.dateTime(sentAt)}</SummaryRow>}
        {papers.state === 'certified' && decidedAt !== null && (
          <SummaryRow label={t('papers.certifiedAt')}>{format.dateTime(decidedAt)}</SummaryRow>
        )}
        {kind !== null && <SummaryRow label={t('papers.kind')}>{kindText(kind, t)}</SummaryRow>}
        {country !== null && <SummaryRow label={t('papers.country')}>{countryName(country)}</SummaryRow>}
        {name !== null && <SummaryRow label={t('papers.name')}>{name}</SummaryRow>}
        {born !== null && <SummaryRow label={t('papers.born')}>{day(born)}</SummaryRow>}
        {number !== null && <SummaryRow label={t('papers.number')}>{number}</SummaryRow>}
        {papers.state === 'waiting' && kind !== null && <SummaryRow label={t('papers.photos')}>{sidesOf(kind).length}</SummaryRow>}
      </dl>
    </section>
  )
}
