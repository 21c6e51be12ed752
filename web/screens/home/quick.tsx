import type { QuickAction } from '@candor/core/protocol/wire/own/preferences.ts'
import {
  ArrowDownToLine,
  ArrowLeftRight,
  ClipboardList,
  Coins,
  History,
  type LucideIcon,
  Repeat,
  Rocket,
  Timer,
  UserRoundPlus,
} from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { columnsOf, quickPaths } from './layout.ts'

const icons: Readonly<Record<QuickAction, LucideIcon>> = {
  funds: Coins,
  deposit: ArrowDownToLine,
  convert: Repeat,
  trade: ArrowLeftRight,
  second: Timer,
  presale: Rocket,
  invite: UserRoundPlus,
  orders: ClipboardList,
  records: History,
}

export function useQuickNames(): Readonly<Record<QuickAction, string>> {
  const { t } = useTranslation()
  return {
    funds: t('home.quickFunds'),
    deposit: t('home.quickDeposit'),
    convert: t('home.quickConvert'),
    trade: t('home.quickTrade'),
    second: t('trade.optionsDesk'),
    presale: t('home.quickPresale'),
    invite: t('home.quickInvite'),
    orders: t('shell.orders'),
    records: t('shell.records'),
  }
}

const columns = { 3: 'grid-cols-3', 4: 'grid-cols-4', 5: 'grid-cols-5' } as const

/** The customer's quick actions. */
export function QuickActions({ actions, onFunds }: { readonly actions: readonly QuickAction[]; readonly onFunds: () => void }) {
  const { t } = useTranslation()
  const names = useQuickNames()
  if (actions.length === 0) return null
  return (
    <nav aria-label={t('home.quick')} className={`grid gap-x-1 gap-y-3 px-2 ${columns[columnsOf(actions.length)]}`}>
      {actions.map((action) => (
        <Quick
          key={action}
          Icon={icons[action]}
          label={names[action]}
          {...(action === 'funds' ? { onClick: onFunds } : { to: quickPaths[action] })}
        />
      ))}
    </nav>
  )
}

function Quick({
  Icon,
  label,
  to,
  onClick,
}: {
  readonly Icon: LucideIcon
  readonly label: string
  readonly to?: string
  readonly onClick?: () => void
}) {
  const body = (
    <>
      <span aria-hidden className="flex size-11 items-center justify-center rounded-control bg-s2 text-fg">
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <span className="max-w-full text-11 text-fg2 [overflow-wrap:anywhere] hyphens-auto">{label}</span>
    </>
  )
  const className = 'press flex min-w-0 flex-col items-center gap-1.5 py-1 text-center'
  return to === undefined ? (
    <button type="button" onClick={onClick} className={className}>
      {body}
    </button>
  ) : (
    <a href={`#${to}`} className={className}>
      {body}
    </a>
  )
}
