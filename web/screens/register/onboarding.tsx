import { ChartCandlestick, Coins, Palette } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { navigate } from '../../app/location.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FaucetSheet } from '../../parts/funds/faucet-sheet.tsx'
import { useTitle } from '../../parts/ui/page.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { UpDownChoice } from '../../parts/fields/up-down-choice.tsx'

/** The end of the registration: three optional steps that make the start easier. */
export function Onboarding({ next }: { readonly next: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'colours' | 'funds'>()
  const hasFaucet = (useConfig().data?.faucet.length ?? 0) > 0
  useTitle(t('auth.welcome'))
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-14 pb-6">
      <div className="flex flex-col gap-2">
        <h1 className="text-28 font-semibold">{t('auth.welcome')}</h1>
        <p className="text-15 text-fg2">{t('auth.welcomeLead')}</p>
      </div>
      <ol className="flex flex-col gap-3">
        <Step
          icon={<Palette size={22} strokeWidth={1.75} />}
          title={t('auth.stepColours')}
          hint={t('auth.stepColoursHint')}
          onOpen={() => setOpen('colours')}
        />
        {hasFaucet && (
          <Step
            icon={<Coins size={22} strokeWidth={1.75} />}
            title={t('auth.stepFunds')}
            hint={t('auth.stepFundsHint')}
            onOpen={() => setOpen('funds')}
          />
        )}
        <Step
          icon={<ChartCandlestick size={22} strokeWidth={1.75} />}
          title={t('auth.stepTrade')}
          hint={t('auth.stepTradeHint')}
          onOpen={() => navigate('/market', { replace: true })}
        />
      </ol>
      <Button isWide className="mt-auto" onClick={() => navigate(next, { replace: true })}>
        {t('auth.toExchange')}
      </Button>
      <Sheet isOpen={open === 'colours'} onClose={() => setOpen(undefined)} title={t('auth.stepColours')}>
        <UpDownChoice />
      </Sheet>
      <FaucetSheet isOpen={open === 'funds'} onClose={() => setOpen(undefined)} />
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
