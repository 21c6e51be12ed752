import { ChartCandlestick, Coins, ShieldCheck, UserRoundCheck } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { me } from '@candor/client/column/growth/referral.ts'
import { http } from '../../app/client.ts'
import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { navigate } from '../../app/location.ts'
import { Button } from '../../parts/ui/button.tsx'
import { laterSheets } from '../../parts/ui/later.tsx'
import { useTitle } from '../../parts/ui/page.tsx'

const FaucetSheet = laterSheets(
  () => import('../../parts/funds/faucet-sheet.tsx').then((module) => module.FaucetSheet),
  (frame) => frame,
)

/** Says that the invitation does not count, because it is of an account that was used on this device. */
function OwnInvitation() {
  const { t } = useTranslation()
  const { data } = useQuery({ queryKey: ['own', 'referral', 'me'], queryFn: () => me(http) })
  if (data === undefined || data.invitedBy !== null) return null
  return (
    <p role="status" className="rounded-control bg-s2 px-3 py-2 text-13 text-fg2">
      {t('auth.invitationOwn')}
    </p>
  )
}

/** The end of the registration: three optional steps. Without practice funds, the last one leads to the markets. */
export function Onboarding({ next, invitation }: { readonly next: string; readonly invitation: string }) {
  const { t } = useTranslation()
  const [isTaking, setIsTaking] = useState(false)
  const hasFaucet = (useConfig().data?.faucet.length ?? 0) > 0
  useTitle(t('auth.welcome'))
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-14 pb-6">
      <div className="flex flex-col gap-2">
        <h1 className="text-28 font-semibold">{t('auth.welcome')}</h1>
        <p className="text-15 text-fg2">{t('auth.welcomeLead')}</p>
        {invitation !== '' && <OwnInvitation />}
      </div>
      <ol className="flex flex-col gap-3">
        <Step
          icon={<ShieldCheck size={22} strokeWidth={1.75} />}
          title={t('auth.stepSecure')}
          hint={t('auth.stepSecureHint')}
          onOpen={() => navigate('/safety')}
        />
        <Step
          icon={<UserRoundCheck size={22} strokeWidth={1.75} />}
          title={t('auth.stepVerify')}
          hint={t('auth.stepVerifyHint')}
          onOpen={() => navigate('/kyc')}
        />
        {hasFaucet ? (
          <Step
            icon={<Coins size={22} strokeWidth={1.75} />}
            title={t('auth.stepFunds')}
            hint={t('auth.stepFundsHint')}
            onOpen={() => setIsTaking(true)}
          />
        ) : (
          <Step
            icon={<ChartCandlestick size={22} strokeWidth={1.75} />}
            title={t('auth.stepTrade')}
            hint={t('auth.stepTradeHint')}
            onOpen={() => navigate('/market', { replace: true })}
          />
        )}
      </ol>
      <Button isWide className="mt-auto" onClick={() => navigate(next, { replace: true })}>
        {t('auth.toExchange')}
      </Button>
      <Suspense fallback={null}>
        <FaucetSheet isOpen={isTaking} onClose={() => setIsTaking(false)} />
      </Suspense>
    </div>
  )
}

function Step({
  icon,
  title,
  hint,
  onOpen,
}: {
  readonly icon: ReactNode
  readonly title: string
  readonly hint: string
  readonly onOpen: () => void
}) {
  const { t } = useTranslation()
  return (
    <li>
      <button type="button" onClick={onOpen} className="press flex w-full items-center gap-3.5 rounded-card bg-s1 p-4 text-start">
        <span aria-hidden className="flex size-11 shrink-0 items-center justify-center rounded-control bg-brandtint text-brand">
          {icon}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block text-15 font-semibold">{title}</span>
          <span className="block text-13 text-fg2">{hint}</span>
        </span>
        <span className="text-13 font-semibold text-brand">{t('auth.open')}</span>
      </button>
    </li>
  )
}
