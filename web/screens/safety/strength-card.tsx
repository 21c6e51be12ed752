import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { canUsePasskeys } from '../../parts/account/passkeys.ts'
import { Button } from '../../parts/ui/button.tsx'
import { strengthOf } from './strength.ts'

/** How strong the protection is, and the one next step. */
export function StrengthCard({
  own,
  onPasskey,
  onAuthenticator,
  onRecovery,
}: {
  readonly own: WireFactors
  readonly onPasskey: () => void
  readonly onAuthenticator: () => void
  readonly onRecovery: () => void
}) {
  const { t } = useTranslation()
  const { level, advice } = strengthOf(own)
  const first = canUsePasskeys()
    ? { text: t('safety.addPasskey'), run: onPasskey }
    : { text: t('safety.addAuthenticator'), run: onAuthenticator }
  const says = {
    add: { lead: t('safety.adviceAdd'), ...first },
    renew: { lead: t('safety.adviceRenew'), text: t('safety.renew'), run: onRecovery },
    keep: { lead: t('safety.adviceKeep'), text: t('safety.recovery'), run: onRecovery },
    done: { lead: t('safety.adviceDone'), text: undefined, run: undefined },
  }[advice]
  const title = [t('safety.level1'), t('safety.level2'), t('safety.level3')][level - 1]
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
          <p className="mt-1 text-13 text-fg2">{says.lead}</p>
        </div>
      </div>
      <div aria-hidden className="flex gap-1">
        {[1, 2, 3].map((step) => (
          <span key={step} className={`h-1 flex-1 rounded-full ${step <= level ? bar : 'bg-s3'}`} />
        ))}
      </div>
      {says.text !== undefined && (
        <Button size="medium" isWide onClick={says.run}>
          {says.text}
        </Button>
      )}
    </section>
  )
}
