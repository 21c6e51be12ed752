import type { WirePastAddress } from '@candor/core/protocol/wire/addresses.ts'
import { isMiddleOf } from '@candor/core/risk/addresses.ts'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { focusFirstWrong } from '../../parts/fields/first-wrong.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'

type Props = {
  readonly address: string
  /** The address that it resembles; undefined if it is one that was removed long ago. */
  readonly known: WirePastAddress | undefined
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onClose: () => void
  readonly onConfirm: (middle: string) => void
}

/** Warns of an address that looks like another one, and lets it be added once its middle was read and typed. */
export function AlikeSheet({ address, known, isBusy, error, onClose, onConfirm }: Props) {
  const { t } = useTranslation()
  const form = useRef<HTMLFormElement>(null)
  const [middle, setMiddle] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const isRight = isMiddleOf(address, middle)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (!isRight) focusFirstWrong(form.current)
    else if (!isBusy) onConfirm(middle.replace(/\s/g, ''))
  }
  return (
    <Sheet isOpen onClose={onClose} title={t('addresses.alike')}>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('addresses.alikeLead')}</p>
        {known !== undefined && (
          <Compared title={t('addresses.alikeKnown', { label: known.label })} address={known.address} unlike={address} />
        )}
        <Compared title={t('addresses.alikeNew')} address={address} unlike={known?.address} />
        <Field
          label={t('addresses.alikeMiddle')}
          value={middle}
          maxLength={16}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => setMiddle(event.target.value)}
          hint={t('addresses.alikeHint')}
          error={wasSent && !isRight ? t('addresses.alikeWrong') : undefined}
        />
        <FormError error={error} />
        <div className="flex flex-col gap-2">
          <Button isWide onClick={onClose}>
            {t('addresses.alikeStop')}
          </Button>
          <Button type="submit" variant="soft" isWide isBusy={isBusy}>
            {t('addresses.alikeSend')}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}

function Compared({ title, address, unlike }: { readonly title: string; readonly address: string; readonly unlike: string | undefined }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-13 font-medium break-words text-fg2">{title}</p>
      <GroupedAddress address={address} unlike={unlike} className="rounded-control bg-s2 px-3.5 py-3 text-15" />
    </div>
  )
}
