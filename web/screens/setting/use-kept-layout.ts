import type { Layout } from '@candor/core/protocol/wire/own/preferences.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { useFeed } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { toast, toastProblem } from '../../parts/ui/toast.tsx'

export type KeptLayout = {
  readonly layout: Layout
  readonly change: (part: (layout: Layout) => Partial<Layout>) => void
  /** Whether the account keeps it, and not only this device. */
  readonly isAccounts: boolean
}

/** The layout to be set. Without a connection, an account's layout stays as it is: the change could be lost without a word. */
export function useKeptLayout(): KeptLayout {
  const { t } = useTranslation()
  const [layout, change] = useLayout()
  const isAccounts = useMe() !== undefined
  const isOffline = useFeed().state === 'offline'
  return {
    layout,
    isAccounts,
    change(part) {
      // Either may notice first.
      if (isAccounts && (isOffline || !navigator.onLine)) return void toast({ text: t('setting.needsConnection'), tone: 'bad' })
      void change(part).then((error) => error !== undefined && toastProblem(error, t))
    },
  }
}
