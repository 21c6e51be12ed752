import { type ReactNode, Suspense } from 'react'
import { useBalances } from '../../app/account.ts'
import { useMe } from '../../app/session.ts'
import { loadArea } from '../../app/texts.ts'
import { later } from '../ui/later.tsx'
import type { Wanted } from './need.ts'

const NeedButton = later(async () => {
  const [button] = await Promise.all([import('./need-button.tsx'), loadArea('first')])
  return button.NeedButton
})

/**
 * Whether an account has nothing of a coin, held or not; false for visitors and while it is unknown. A margin account with any coin is
 * not empty, because it can borrow the others.
 */
export function useIsEmpty({ to, asset, symbol }: Wanted): boolean {
  const isVisitor = useMe() === undefined
  const accounts = useBalances().data?.accounts
  if (isVisitor || accounts === undefined) return false
  const own = accounts.filter((one) => one.kind === to && (to !== 'margin-isolated' || one.symbol === symbol))
  const coins = own.flatMap((one) => one.balances).filter((one) => to.startsWith('margin') || one.asset === asset)
  return !coins.some(({ available, held }) => Number(available) > 0 || Number(held) > 0)
}

/**
 * The buttons of an order, or while its account is empty the one that fills it. That one is loaded when it is first shown; its place is
 * kept meanwhile.
 */
export function Funded({
  wanted,
  isEmpty,
  children,
}: {
  readonly wanted: Wanted
  readonly isEmpty: boolean
  readonly children: ReactNode
}) {
  if (!isEmpty) return children
  return (
    <Suspense fallback={<div aria-hidden className="skeleton h-12 w-full rounded-control" />}>
      <NeedButton wanted={wanted}>{children}</NeedButton>
    </Suspense>
  )
}
