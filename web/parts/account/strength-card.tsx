import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { canUsePasskeys } from './passkeys.ts'
import { protections, strengthOf } from './strength.ts'

/** The sheet of the security centre in which the next step is taken. */
export type NextStep = 'new-passkey' | 'new-authenticator' | 'recovery' | 'email' | 'phone' | 'payment' | 'phrase' | 'list' | 'regain'

/** How strong the protection is, and the one next step. */
export function StrengthCard({
  own,
  safety,
  onStep,
}: {
  readonly own: WireFactors
  readonly safety: WireSafety
  readonly onStep: (step: NextStep) => void
}) {
  const { t } = useTranslation()
  const { level, done, advice } = strengthOf(own, safety)
  const { lead, step, text } = useAdvice(own, safety)
  const title = advice === 'regain' ? t('safety.regainTitle') : [t('safety.level1'), t('safety.level2'), t('safety.level3')][level - 1]
  const Icon = level === 1 ? ShieldAlert : ShieldCheck
  const [badge, bar] =
    level === 1
      ? ['bg-warntint text-warn', 'bg-warn']
      : level === 2
        ? ['bg-brandtint text-brand', 'bg-brand']
        : ['bg-brandtint text-ok', 'bg-ok']
  return (
    <section className="mx-4 flex flex-col gap-4 rounded-card bg-s1 p-4">
      <div className="flex items-start gap-3">
        <span aria-hidden className={`flex size-12 shrink-0 items-center justify-center rounded-full ${badge}`}>
          <Icon size={24} strokeWidth={1.75} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-17 font-semibold">{title}</h2>
          <p className="tn text-12 text-fg3">{t('safety.score', { done, all: protections.length })}</p>
          <p className="mt-1 text-13 break-words text-fg2">{lead}</p>
        </div>
      </div>
      <div aria-hidden className="flex gap-1">
        {protections.map((one, at) => (
          <span key={one} className={`h-1 flex-1 rounded-full ${at < done ? bar : 'bg-s3'}`} />
        ))}
      </div>
      {step !== undefined && (
        <Button size="medium" isWide onClick={() => onStep(step)}>
          {text}
        </Button>
      )}
    </section>
  )
}

type Advice = { readonly lead: string; readonly step?: NextStep; readonly text?: string }

function useAdvice(own: WireFactors, safety: WireSafety): Advice {
  const { t } = useTranslation()
  const factor: Advice = canUsePasskeys()
    ? { lead: t('safety.adviceAdd'), step: 'new-passkey', text: t('safety.addPasskey') }
    : { lead: t('safety.adviceAdd'), step: 'new-authenticator', text: t('safety.addAuthenticator') }
  const address: Advice =
    safety.email === null
      ? { lead: t('safety.adviceAddress'), step: 'email', text: t('safety.addEmail') }
      : { lead: t('safety.adviceAddress'), step: 'phone', text: t('safety.addPhone') }
  const all = {
    ...{ factor, address },
    codes: { lead: t('safety.adviceRenew'), step: 'recovery', text: t('safety.renew') },
    payment: { lead: t('safety.advicePayment'), step: 'payment', text: t('safety.setPayment') },
    phrase: { lead: t('safety.advicePhrase'), step: 'phrase', text: t('safety.setPhrase') },
    list: { lead: t('safety.adviceList'), step: 'list', text: t('safety.setList') },
    regain: { lead: t('safety.regainLead'), step: 'regain', text: t('safety.regainSee') },
    done: { lead: t('safety.adviceDone') },
  } as const satisfies Readonly<Record<ReturnType<typeof strengthOf>['advice'], Advice>>
  return all[strengthOf(own, safety).advice]
}
