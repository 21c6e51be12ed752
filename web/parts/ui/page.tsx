import { ChevronLeft } from 'lucide-react'
import { useContext, useEffect, type ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { back } from '../../app/location.ts'
import { PathBeside } from '../../app/wide/use-is-wide.ts'
import { IconButton } from './button.tsx'

/** The head of a screen: a back button, its name (the `h1`), and actions at the end. */
export function PageHeader({
  title,
  fallback = '/',
  hasBack = true,
  children,
}: {
  readonly title: string
  /** Target of the back button if the app was opened on this screen. */
  readonly fallback?: string
  readonly hasBack?: boolean
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  useTitle(title)
  return (
    <header className={`sticky top-0 z-10 flex min-h-13 items-center gap-1 bg-bg ${hasBack ? 'ps-1' : 'ps-4'} pe-2`}>
      {hasBack && (
        <IconButton label={t('common.back')} onClick={() => back(fallback)}>
          <ChevronLeft size={24} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      <h1 className={`min-w-0 flex-1 truncate font-semibold ${hasBack ? 'text-17' : 'text-22'}`}>{title}</h1>
      {children}
    </header>
  )
}

/** The window's title, for tabs, history and screen readers. A list with a screen beside it leaves it to that one. */
export function useTitle(title: string): void {
  const isList = useContext(PathBeside) !== undefined
  useEffect(() => {
    if (!isList) document.title = `${title} · Candor`
  }, [title, isList])
}
