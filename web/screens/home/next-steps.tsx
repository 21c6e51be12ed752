import type { HomeLayout } from '@candor/core/protocol/wire/own/preferences.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { useBalances } from '../../app/account.ts'
import { client } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useFactors } from '../../parts/account/factors.ts'
import { option } from '../../parts/option/data.ts'
import { useGuide } from '../../parts/tour/guide.ts'
import { toast } from '../../parts/ui/toast.tsx'
import { nextStep, type Progress, type Step, stepsOf, withoutSteps, withSteps } from './next.ts'

const places: Readonly<Record<Step, string>> = {
  deposit: '/recharge',
  secure: '/safety',
  verify: '/kyc',
  move: '/transfer?from=spot&to=perp',
  trade: '/spot',
  second: '/Second',
  check: '/optionentrust?tab=history',
}

type Props = { readonly change: (next: (layout: HomeLayout) => HomeLayout) => unknown }

/**
 * What a new customer does next, ticked off by what the exchange knows. The last step, and a tap on the cross, take the card off the
 * start page for good: it is hidden like any other card.
 */
export function NextSteps({ change }: Props) {
  const { t } = useTranslation()
  const progress = useProgress()
  const isDone = progress !== undefined && nextStep(progress) === undefined
  useEffect(() => {
    if (isDone) void change(withoutSteps)
  }, [isDone, change])
  // A card that appears and disappears while answers come would move what is below it.
  if (progress === undefined || isDone) return null
  const hide = (): void => {
    void change(withoutSteps)
    toast({ text: t('first.stepsHidden'), action: { text: t('first.undo'), run: () => void change(withSteps) } })
  }
  const steps = stepsOf(progress)
  const done = steps.filter((one) => one.isDone).length
  return (
    <section aria-label={t('home.next')} className="mx-4 flex flex-col gap-1 rounded-card bg-s1 py-2 ps-4 pe-2">
      <div className="flex items-center gap-2">
        <h2 className="flex-1 text-15 font-semibold">{t('home.next')}</h2>
        <span className="tn text-12 text-fg3">{t('first.stepsDone', { done, count: steps.length })}</span>
        <button
          type="button"
          aria-label={t('first.stepsHide')}
          onClick={hide}
          className="press flex size-11 shrink-0 items-center justify-center text-fg2"
        >
          <X size={18} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
      <ol className="flex flex-col">
        {steps.map((one) => (
          <StepRow key={one.step} {...one} isNext={one.step === nextStep(progress)} />
        ))}
      </ol>
    </section>
  )
}

/** A step: what is open leads to its place, what is done is ticked. */
function StepRow({ step, isDone, isNext }: { readonly step: Step; readonly isDone: boolean; readonly isNext: boolean }) {
  const { t } = useTranslation()
  const names: Readonly<Record<Step, string>> = {
    deposit: t('home.stepDeposit'),
    secure: t('home.stepSecure'),
    verify: t('home.stepVerify'),
    trade: t('home.stepTrade'),
    move: t('first.stepMove'),
    second: t('first.stepSecond'),
    check: t('first.stepCheck'),
  }
  const look = 'flex min-h-11 items-center gap-3 pe-2 text-13'
  if (isDone)
    return (
      <li className={look}>
        <CircleCheck size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-ok" />
        <span className="min-w-0 flex-1 text-fg3">
          {names[step]}
          <span className="sr-only">, {t('home.stepDone')}</span>
        </span>
      </li>
    )
  return (
    <li>
      <a href={`#${places[step]}`} className={`press ${look} ${isNext ? 'font-semibold' : ''}`}>
        <span aria-hidden className={`block size-5 shrink-0 rounded-full border-2 ${isNext ? 'border-brand' : 'border-s3'}`} />
        <span className="min-w-0 flex-1">{names[step]}</span>
        <ChevronRight size={18} strokeWidth={1.75} aria-hidden className={isNext ? 'text-brand' : 'text-fg3'} />
      </a>
    </li>
  )
}

/** What is done, as the exchange knows it; undefined until all of it is known. */
function useProgress(): Progress | undefined {
  const me = useMe()
  const balances = useBalances().data
  const factors = useFactors().data
  const { guide } = useGuide()
  const first = <T,>(name: string, queryFn: () => Promise<T>) => ({ queryKey: ['own', 'first', name], queryFn, staleTime: 60_000 })
  const fills = useQuery(first('fill', () => client.spot.fills({ limit: 1 }))).data
  const moves = useQuery(first('transfer', () => client.funds.records({ type: 'transfer', limit: 1 }))).data
  const stakes = useQuery(first('stake', () => client.funds.records({ type: 'stake', limit: 1 }))).data
  const terms = useQuery(first('terms', () => option.terms())).data
  const own = useQuery(first('me', () => option.me())).data
  const settled = useQuery(first('option', () => option.history({ limit: 1 }))).data
  const isKnown = [balances, factors, terms, own, fills, moves, stakes, settled].every((one) => one !== undefined)
  if (me === undefined || !isKnown) return undefined
  const hasProduct = terms?.isOpen === true && own?.isOpenInRegion !== false
  return {
    hasFunds: Number(balances?.totalUsdt) > 0,
    isSecured: (factors?.passkeys.length ?? 0) > 0 || (factors?.authenticatorSince ?? null) !== null,
    isCertified: me.certification === 'certified',
    hasMoved: (moves?.items.length ?? 0) > 0,
    hasTraded: Number(me.volume30d) > 0 || (fills?.items.length ?? 0) > 0,
    hasSecond: hasProduct ? (stakes?.items.length ?? 0) > 0 || (settled?.items.length ?? 0) > 0 : undefined,
    hasChecked: guide.hasChecked,
  }
}
