import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { IconButton } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'

type DetailProps = { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }

/** Details of a row: a sheet on a phone, beside the list in a wide window. There the list stays in use, and Escape closes them. */
export function Detail({ title, onClose, children }: DetailProps) {
  return useIsWide() ? (
    <Pane title={title} onClose={onClose}>
      {children}
    </Pane>
  ) : (
    <Sheet isOpen onClose={onClose} title={title}>
      {children}
    </Sheet>
  )
}

function Pane({ title, onClose, children }: DetailProps) {
  const { t } = useTranslation()
  const heading = useId()
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      // A dialog above has its own Escape.
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [onClose])
  return (
    <section aria-labelledby={heading} className="wide-pane">
      <div>
        <header>
          <h2 id={heading}>{title}</h2>
          <IconButton label={t('common.close')} onClick={onClose}>
            <X size={20} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </header>
        {children}
      </div>
    </section>
  )
}
