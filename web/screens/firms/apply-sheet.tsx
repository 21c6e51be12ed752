import { ApiError } from '@candor/client/errors.ts'
import { firmNameMax, type WireNewFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { CountryField } from '../../parts/fields/country-field.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { focusFirstWrong } from '../../parts/fields/first-wrong.ts'
import { firms, refreshFirms } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

/** Applies for a firm. A member of the staff checks it. */
export function ApplySheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const form = useId()
  const [draft, setDraft] = useState<Required<WireNewFirm>>({ name: '', registration: '', country: '', label: '' })
  const [wasSent, setWasSent] = useState(false)
  const apply = useMutation({
    mutationFn: () => withProof(() => firms.apply(draft)),
    onSuccess: () => {
      toast({ text: t('firm.applied'), tone: 'good' })
      onClose()
    },
    onSettled: refreshFirms,
  })
  const field = apply.error instanceof ApiError ? apply.error.field : undefined
  const said = (name: keyof WireNewFirm): string | undefined => (field === name ? problemOf(apply.error, t).text : undefined)
  const isShort = (text: string): boolean => wasSent && text.trim().length < 2
  const change = (part: Partial<WireNewFirm>): void => {
    setDraft({ ...draft, ...part })
    if (apply.isError) apply.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setWasSent(true)
    if (draft.label.trim() === '' || [draft.name, draft.registration, draft.country].some((text) => text.trim().length < 2))
      return focusFirstWrong(event.currentTarget)
    apply.mutate()
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('firm.apply')}
      footer={
        <Button type="submit" form={form} isWide isBusy={apply.isPending}>
          {t('firm.applySend')}
        </Button>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{t('firm.applyLead')}</p>
        <Field
          label={t('firm.name')}
          value={draft.name}
          maxLength={firmNameMax}
          autoComplete="organization"
          onChange={(event) => change({ name: event.target.value })}
          error={isShort(draft.name) ? t('firm.nameMissing') : said('name')}
        />
        <Field
          label={t('firm.registration')}
          value={draft.registration}
          maxLength={firmNameMax}
          autoComplete="off"
          hint={t('firm.registrationHint')}
          onChange={(event) => change({ registration: event.target.value })}
          error={isShort(draft.registration) ? t('firm.registrationMissing') : said('registration')}
        />
        <CountryField
          label={t('firm.country')}
          value={draft.country === '' ? null : draft.country}
          onChange={(country) => change({ country })}
          error={isShort(draft.country) ? t('firm.countryMissing') : said('country')}
        />
        <Field
          label={t('firm.ownName')}
          value={draft.label}
          maxLength={firmNameMax}
          autoComplete="name"
          onChange={(event) => change({ label: event.target.value })}
          error={wasSent && draft.label.trim() === '' ? t('firm.memberNameMissing') : said('label')}
        />
        {field === undefined && <FormError error={apply.error} />}
      </form>
    </Sheet>
  )
}
