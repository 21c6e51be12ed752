import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { relatedTo, type TermId } from './terms.ts'

/** Explains a term with an example, and leads on to those that stand beside it, to its neighbours and to all terms. */
export function TermSheet({
  first,
  also = [],
  onClose,
}: {
  readonly first: TermId
  readonly also?: readonly TermId[] | undefined
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const [id, setId] = useState(first)
  const others = new Set([first, ...also, ...relatedTo(id)])
  others.delete(id)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(`terms.of.${id}.name`)}
      footer={
        <ButtonLink to={`/help?term=${id}`} variant="soft" isWide>
          {t('terms.page.all')}
        </ButtonLink>
      }
    >
      <Explained id={id} />
      <p className="pt-4 pb-2 text-12 font-medium text-fg2">{t('terms.page.more')}</p>
      <div className="flex flex-wrap gap-2">
        {[...others].map((other) => (
          <button
            key={other}
            type="button"
            onClick={() => setId(other)}
            className="press min-h-8 rounded-chip bg-s2 px-3 text-13 font-medium text-brand"
          >
            {t(`terms.of.${other}.name`)}
          </button>
        ))}
      </div>
    </Sheet>
  )
}

/** The text of a term and its example. A change is read out. */
export function Explained({ id }: { readonly id: TermId }) {
  const { t } = useTranslation()
  return (
    <div aria-live="polite" className="flex flex-col gap-3">
      <p className="text-15 text-pretty">{t(`terms.of.${id}.text`)}</p>
      <p className="rounded-control bg-s2 p-3 text-13 text-pretty text-fg2">
        <span className="block text-12 font-medium text-fg3">{t('terms.page.example')}</span>
        {t(`terms.of.${id}.example`)}
      </p>
    </div>
  )
}
