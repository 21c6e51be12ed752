import type { WireReferral, WireReferralTerms } from '@candor/core/protocol/wire/referral/referral.ts'
import { Link, QrCode as QrIcon, Share2, ShieldAlert } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CopyButton } from '../../parts/ui/copy.tsx'
import { laterSheets } from '../../parts/ui/later.tsx'
import { LinkRow, Rows } from '../../parts/ui/row.tsx'
import { Earnings } from './earnings.tsx'
import { digitsOf, linkOf } from './summary.ts'
import { Tiers } from './tiers.tsx'

const PosterSheet = laterSheets(
  () => import('./poster-sheet.tsx').then((module) => module.PosterSheet),
  (frame) => frame,
)

const rules = ['paid', 'counts', 'period', 'own', 'limits'] as const

/** The user as an inviter. */
export function Mine({ terms, own }: { readonly terms: WireReferralTerms; readonly own: WireReferral }) {
  const { t } = useTranslation()
  const format = useFormats()
  const share = terms.tiers[own.tier]?.sharePercent ?? '0'
  const values = {
    days: terms.days,
    invitee: format.number(terms.inviteeDayMax),
    inviter: format.number(terms.inviterDayMax),
    second: format.percent(terms.secondPercent, digitsOf(terms.secondPercent)),
  }
  return (
    <div className="flex flex-col gap-6 pt-1 pb-8">
      <Invitation code={own.code} share={share} second={terms.secondPercent} days={terms.days} />
      {!terms.isOpen && <p className="mx-4 rounded-control bg-s2 px-3 py-2 text-13 text-fg2">{t('referral.closed')}</p>}
      {terms.isOpen && !own.mayTakePart && (
        <Rows>
          <LinkRow
            to="/kyc"
            icon={<ShieldAlert size={20} strokeWidth={1.75} />}
            title={t('referral.verifyFirst')}
            detail={t('referral.verifyFirstHint')}
          />
        </Rows>
      )}
      <Section title={t('referral.funnel')}>
        <dl className="grid grid-cols-3 gap-2">
          {(['invited', 'verified', 'trading'] as const).map((step) => (
            <div key={step} className="flex min-w-0 flex-col gap-1 rounded-card bg-s1 p-3">
              <dd className="tn order-2 text-22 font-semibold">{format.number(String(own[step]))}</dd>
              <dt className="text-12 text-fg2 [overflow-wrap:anywhere] hyphens-auto">{t(`referral.${step}`)}</dt>
            </div>
          ))}
        </dl>
        <p className="px-1 text-12 text-fg3">{t('referral.countsOnly')}</p>
      </Section>
      <Earnings today={own.today} />
      {terms.tiers.length > 0 && <Tiers terms={terms} own={own} />}
      <Section title={t('referral.rules')}>
        <ol className="flex list-decimal flex-col gap-2 ps-5 text-13 text-fg2 marker:text-fg3">
          {rules.map((rule) => (
            <li key={rule}>{t(`referral.rule.${rule}`, values)}</li>
          ))}
        </ol>
      </Section>
      {own.invitedBy !== null && <p className="px-5 text-12 text-fg3">{t('referral.invitedBy', { inviter: own.invitedBy })}</p>}
    </div>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 px-4">
      <h2 className="text-17 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

type InvitationProps = { readonly code: string; readonly share: string; readonly second: string; readonly days: number }

/** The commission, the code and the link with the ways to give them on. */
function Invitation({ code, share, second, days }: InvitationProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isPosterOpen, setIsPosterOpen] = useState(false)
  const link = linkOf(`${location.origin}${location.pathname}`, code)
  const canShare = typeof navigator.share === 'function'
  return (
    <section className="mx-4 flex flex-col gap-4 rounded-card bg-brandtint p-4">
      <div className="flex flex-col gap-1">
        <h2 className="text-22 font-semibold">{t('referral.headline', { share: format.percent(share, digitsOf(share)) })}</h2>
        <p className="text-13 text-fg2">{t('referral.lead', { second: format.percent(second, digitsOf(second)), days })}</p>
      </div>
      <div className="flex flex-col rounded-control bg-bg">
        <CopyLine label={t('referral.code')} text={code}>
          <span className="tn text-17 font-semibold tracking-wider select-all">{code}</span>
        </CopyLine>
        <CopyLine label={t('referral.link')} text={link}>
          <span className="block truncate text-13 select-all">{link}</span>
        </CopyLine>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="medium" className="flex-1" onClick={() => setIsPosterOpen(true)}>
          <QrIcon size={18} strokeWidth={1.75} aria-hidden />
          {t('referral.poster')}
        </Button>
        {canShare && (
          <Button
            size="medium"
            variant="soft"
            className="flex-1"
            // A closed share sheet is no problem.
            onClick={() => void navigator.share({ title: 'Candor', url: link }).catch(() => undefined)}
          >
            <Share2 size={18} strokeWidth={1.75} aria-hidden />
            {t('referral.share')}
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        <PosterSheet isOpen={isPosterOpen} onClose={() => setIsPosterOpen(false)} code={code} link={link} />
      </Suspense>
    </section>
  )
}

function CopyLine({ label, text, children }: { readonly label: string; readonly text: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-14 items-center gap-3 px-3 py-2 [&+&]:border-t [&+&]:border-line">
      <span aria-hidden className="text-fg3">
        <Link size={16} strokeWidth={1.75} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-12 text-fg3">{label}</span>
        {children}
      </span>
      <CopyButton text={text} label={label} />
    </div>
  )
}
