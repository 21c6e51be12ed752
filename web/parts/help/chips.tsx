import { useTranslation } from '../../app/translate.ts'
import { Term } from './term.tsx'
import type { TermId } from './terms.ts'

/** Names of terms in a row, each explained by a tap. */
export function TermChips({ ids }: { readonly ids: readonly TermId[] }) {
  const { t } = useTranslation()
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-2 pt-3 text-13 text-fg2">
      {ids.map((id) => (
        <li key={id}>
          <Term id={id}>{t(`terms.of.${id}.name`)}</Term>
        </li>
      ))}
    </ul>
  )
}
