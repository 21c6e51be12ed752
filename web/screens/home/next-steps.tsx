import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useBalances } from '../../app/account.ts'
import { client } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useFactors } from '../../parts/account/factors.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { nextStep, type Step, stepsOf } from './next.ts'

const places: Readonly<Record<Step, string>> = { deposit: '/recharge', secure: '/safety', verify: '/kyc', trade: '/spot' }

/** What a new customer does next. Done steps are ticked; the card disappears with the last one. */
export function NextSteps() {
  const { t } = useTranslation()
  const me = useMe()
  const balances = useBalances()
  const factors = useFactors()
  const fills = useQuery({ queryKey: ['own', 'first-fill'], queryFn: () => client.spot.fills({ limit: 1 }), staleTime: 60_000 })
  // A card that appears and disappears while answers come would move what is below it.
  if (me === undefined || balances.data === undefined || factors.data === undefined || fills.data === undefined) return null
  const progress = {
    hasFunds: Number(balances.data.totalUsdt) > 0,
    isSecured: factors.data.passkeys.length > 0 || factors.data.authenticatorSince !== null,
    isCertified: me.certification === 'certified',
    hasTraded: Number(me.volume30d) > 0 || fills.data.items.length > 0,
  }
  const next = nextStep(progress)
  if (next === undefined) return null
  const names: Readonly<Record<Step, string>> = {
    deposit: t('home.stepDeposit'),
    secure: t('home.stepSecure'),
    verify: t('home.stepVerify'),
    trade: t('home.stepTrade'),
  }
  return (
    <section aria-label={t('home.next')} className="mx-4 flex flex-col gap-3 rounded-card bg-s1 p-4">
      <h2 className="text-15 font-semibold">{t('home.next')}</h2>
      <ol className="flex flex-col gap-1">
        {stepsOf(progress).map(({ step, isDone }) => (
          <li key={step} className="flex min-h-9 items-center gap-3">
            <span aria-hidden className={isDone ? 'text-ok' : 'text-fg3'}>
              {isDone ? (
                <CircleCheck size={20} strokeWidth={1.75} />
              ) : (
                <span className="block size-5 rounded-full border-2 border-current" />
              )}
            </span>
            <span className={`min-w-0 flex-1 text-13 ${isDone ? 'text-fg3 line-through' : step === next ? 'font-semibold' : ''}`}>
              {names[step]}
              {isDone && <span className="sr-only">, {t('home.stepDone')}</span>}
            </span>
            {step === next && (
              <ButtonLink to={places[step]} size="small">
                {t('home.stepGo')}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
