import type { PaperKind } from '@candor/core/protocol/wire/papers.ts'
import { useTranslation } from '../../app/translate.ts'
import { Field } from '../fields/field.tsx'
import { BornField } from './born-field.tsx'
import { type Data, type DataField, examples, longest } from './fields.ts'

/** Name, date of birth and number, as the document shows them. */
export function DataFields({
  data,
  kind,
  onChange,
  onLeave,
  errorOf,
}: {
  readonly data: Data
  readonly kind: PaperKind
  readonly onChange: (next: Partial<Data>) => void
  /** A field with something in it was left, so that its error may be shown. */
  readonly onLeave: (field: DataField) => void
  readonly errorOf: (field: DataField) => string | undefined
}) {
  const { t } = useTranslation()
  return (
    <>
      <div data-field="name">
        <Field
          label={t('papers.name')}
          value={data.name}
          maxLength={longest.name}
          autoComplete="name"
          autoCapitalize="words"
          spellCheck={false}
          onChange={(event) => onChange({ name: event.target.value })}
          onBlur={() => data.name !== '' && onLeave('name')}
          hint={t('papers.nameHint')}
          error={errorOf('name')}
        />
      </div>
      <BornField value={data.born} onChange={(born) => onChange({ born })} onLeave={() => onLeave('born')} error={errorOf('born')} />
      <div data-field="number">
        <Field
          label={t('papers.number')}
          value={data.number}
          maxLength={longest.number}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => onChange({ number: event.target.value })}
          onBlur={() => data.number !== '' && onLeave('number')}
          hint={t('papers.numberHint', { example: examples[kind] })}
          error={errorOf('number')}
        />
      </div>
    </>
  )
}
