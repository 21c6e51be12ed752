import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useTranslation } from '../../app/translate.ts'
import { FactorError } from '../../parts/account/factor-form.tsx'
import { factors, factorsQuery } from '../../parts/account/factors.ts'
import { withProof } from '../../parts/account/proof.ts'
import { Field } from '../../parts/fields/field.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'

const [shortest, longest] = [4, 32]

type Props = { readonly own: WireFactors; readonly onClose: () => void }

/** Sets or removes the words with which every mail begins. They are never shown again. */
export function PhraseSheet({ isOpen, ...rest }: Props & { readonly isOpen: boolean }) {
  return isOpen ? <OpenPhraseSheet {...rest} /> : null
}

function OpenPhraseSheet({ own: { hasPhrase }, onClose }: Props) {
  const { t } = useTranslation()
  const formId = useId()
  const [phrase, setPhrase] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const change = useMutation({
    mutationFn: (words: string | undefined) => withProof(() => (words === undefined ? factors.removePhrase() : factors.setPhrase(words))),
    onSuccess: (_, words) => {
      onClose()
      toast({ text: words === undefined ? t('safety.phraseRemoved') : t('safety.phraseSet'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: factorsQuery }),
  })
  const isShort = phrase.trim().length < shortest
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (!isShort && !change.isPending) change.mutate(phrase.trim())
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('safety.phrase')}
      footer={
        <div className="flex flex-wrap gap-2">
          {hasPhrase && (
            <Button
              variant="danger"
              className="flex-1"
              isBusy={change.isPending && change.variables === undefined}
              onClick={() => change.mutate(undefined)}
            >
              {t('safety.remove')}
            </Button>
          )}
          <Button type="submit" form={formId} className="flex-1" isBusy={change.isPending && change.variables !== undefined}>
            {t('safety.phraseSave')}
          </Button>
        </div>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{t('safety.phraseLead')}</p>
        <Field
          label={hasPhrase ? t('safety.phraseNew') : t('safety.phraseLabel')}
          value={phrase}
          maxLength={longest}
          autoComplete="off"
          autoFocus
          onChange={(event) => setPhrase(event.target.value)}
          hint={t('safety.phraseHint')}
          error={wasSent && isShort ? t('safety.phraseShort') : undefined}
        />
        <FactorError error={change.error} />
      </form>
    </Sheet>
  )
}
