import { useEffect, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { loadArea } from '../../app/texts.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { Sheet } from '../ui/sheet.tsx'

const sections = ['1', '2', '3', '4', '5', '6', '7', '8'] as const

/** The whole user agreement, in the chosen language. */
export function AgreementSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('shell.agreement')}>
      {isOpen && <AgreementText onFailed={onClose} />}
    </Sheet>
  )
}

/** `onRead`: called when the text is there. `onFailed`: called by the button of a text that could not be loaded. */
export function AgreementText({ onRead, onFailed }: { readonly onRead?: () => void; readonly onFailed: () => void }) {
  const { t, i18n } = useTranslation()
  const [state, setState] = useState<'loading' | 'there' | { readonly error: unknown }>('loading')
  const language = i18n.language

  useEffect(() => {
    setState('loading')
    loadArea('agreement').then(
      () => {
        setState('there')
        onRead?.()
      },
      (error: unknown) => setState({ error }),
    )
  }, [language])

  return (
    <>
      {state === 'loading' && <Skeleton className="h-96 w-full" />}
      {typeof state === 'object' && <Failure error={state.error} onRetry={onFailed} />}
      {state === 'there' && (
        // It takes the focus, so that keys can scroll it.
        <section tabIndex={0} aria-label={t('shell.agreement')} className="flex flex-col gap-4 text-13 text-fg2">
          <p>{t('agreement.intro')}</p>
          {sections.map((section) => (
            <section key={section} className="flex flex-col gap-1">
              <h3 className="text-15 font-semibold text-fg">{t(`agreement.title${section}`)}</h3>
              <p>{t(`agreement.text${section}`)}</p>
            </section>
          ))}
        </section>
      )}
    </>
  )
}
