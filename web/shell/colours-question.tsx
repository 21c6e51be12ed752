import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { isAskingUpDown } from '../app/appearance.ts'
import { useSettings } from '../app/settings.ts'
import { loadArea, useLang } from '../app/texts.ts'
import { later } from '../parts/ui/later.tsx'

/** If its file can't be loaded, prices stay without a colour and the next start asks again. */
const ColoursSheet = later(async (): Promise<ComponentType<{ readonly onClose: () => void }>> => {
  try {
    const [sheet] = await Promise.all([import('./colours-sheet.tsx'), loadArea('setting')])
    return sheet.ColoursSheet
  } catch {
    return () => null
  }
})

/** At the first start in Chinese, and when Chinese is chosen, asks once for the colours of rising and falling prices. */
export function ColoursQuestion() {
  const lang = useLang((state) => state.lang)
  const chosen = useSettings((settings) => settings.updown)
  const isAsking = isAskingUpDown(lang, chosen)
  // A choice applies at once; the sheet stays until it is closed.
  const [isOpen, setIsOpen] = useState(isAsking)
  useEffect(() => {
    if (isAsking) setIsOpen(true)
  }, [isAsking])
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <ColoursSheet onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
