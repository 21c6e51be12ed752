/** How the app looks and asks where its user trades: kept with the account, and on the device for visitors. */
import type { Layout } from '@candor/core/protocol/wire/own/preferences.ts'
import { useCallback } from 'react'
import { chartsOf, deskPaths, usualLayout } from './layout.ts'
import { type PreferenceRules, usePreference } from './preferences.ts'
import { useSettings } from '../settings.ts'

/** At login the account's own layout applies, if it has one; otherwise it takes over that of the visitor. */
const rules: PreferenceRules<'layout'> = { fallback: usualLayout, stays: true }

/** The layout, and a way to change parts of it, which says what went wrong. */
export function useLayout(): readonly [layout: Layout, change: (part: (layout: Layout) => Partial<Layout>) => Promise<Error | undefined>] {
  const [layout, change] = usePreference('layout', rules)
  const changePart = useCallback(
    // With the first change, what was shown until then becomes chosen.
    (part: (layout: Layout) => Partial<Layout>) => change((now) => ({ ...now, charts: chartsOf(now, innerHeight), ...part(now) })),
    [change],
  )
  return [layout, changePart]
}

/** The path that the trade tab opens: the chosen desk, or the last one; `/deal` until a desk was opened. */
export function useTradePath(): string {
  const [{ desk }] = useLayout()
  const last = useSettings((settings) => settings.lastDesk)
  return desk === null ? last : deskPaths[desk]
}
