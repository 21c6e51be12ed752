/** What a person was shown once and needs no second time: kept with the account, and on the device for visitors. */
import type { DeskName, Guide } from '@candor/core/protocol/wire/own/preferences.ts'
import { useCallback } from 'react'
import { type PreferenceRules, usePreference } from '../../app/preferences/preferences.ts'

export const newcomer: Guide = { tours: [], hasChecked: false }

/** What the account knows together with what the visitor of this device has seen. */
export function mergedGuide(own: Guide | undefined, visitor: Guide): Guide {
  return { tours: [...new Set([...(own?.tours ?? []), ...visitor.tours])], hasChecked: own?.hasChecked === true || visitor.hasChecked }
}

const rules: PreferenceRules<'guide'> = { fallback: newcomer, merged: mergedGuide }

/** What was shown, and ways to note more. Nothing is sent for what is known already. */
export function useGuide(): { readonly guide: Guide; readonly sawTour: (desk: DeskName) => void; readonly checked: () => void } {
  const [guide, change] = usePreference('guide', rules)
  const sawTour = useCallback(
    (desk: DeskName) => {
      if (!guide.tours.includes(desk)) void change((now) => (now.tours.includes(desk) ? now : { ...now, tours: [...now.tours, desk] }))
    },
    [guide, change],
  )
  const checked = useCallback(() => {
    if (!guide.hasChecked) void change((now) => ({ ...now, hasChecked: true }))
  }, [guide, change])
  return { guide, sawTour, checked }
}
