import type { WireWithdrawalAddress } from '@candor/core/protocol/wire/addresses.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { addresses, addressesQuery } from '../../parts/addresses/data.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { CopyButton } from '../../parts/ui/copy.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Props = { readonly address: WireWithdrawalAddress; readonly network: string; readonly onClose: () => void }

const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: addressesQuery })

/** One address with all that is known of it. It is renamed and removed here. */
export function AddressSheet({ address: one, network, onClose }: Props) {
  const { t } = useTranslation()
  const [isRemoving, setIsRemoving] = useState(false)
  const remove = useMutation({
    mutationFn: () => addresses.remove(one.id),
    onSuccess: () => {
      toast({ text: t('addresses.removed'), tone: 'good' })
      void refresh()
      onClose()
    },
  })
  return (
    <>
      <Sheet isOpen onClose={onClose} title={one.label}>
        <div className="flex flex-col gap-4">
          <div className="flex items-start gap-2 rounded-control bg-s2 py-3 ps-3.5 pe-2">
            <GroupedAddress address={one.address} className="min-w-0 flex-1 text-15" />
            <CopyButton text={one.address} label={t('addresses.address')} />
          </div>
          <Facts address={one} network={network} />
          <NameForm address={one} />
          <Button variant="danger" isWide onClick={() => setIsRemoving(true)}>
            {t('addresses.remove')}
          </Button>
        </div>
      </Sheet>
      <ConfirmSheet
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
        title={t('addresses.removeAsk')}
        confirm={t('addresses.remove')}
        tone="danger"
        note={t('addresses.removeNote')}
        error={remove.error}
      >
        <SummaryRow label={t('addresses.name')}>{one.label}</SummaryRow>
        <SummaryRow label={network}>
          <GroupedAddress address={one.address} className="justify-end text-13" />
        </SummaryRow>
      </ConfirmSheet>
    </>
  )
}

function Facts({ address: one, network }: { readonly address: WireWithdrawalAddress; readonly network: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <dl>
      <SummaryRow label={t('addresses.network')}>{network}</SummaryRow>
      <SummaryRow label={t('addresses.owner')}>{one.owner === 'own' ? t('addresses.own') : one.exchange}</SummaryRow>
      {one.beneficiary !== undefined && <SummaryRow label={t('addresses.person')}>{one.beneficiary}</SummaryRow>}
      <SummaryRow label={t('addresses.added')}>{format.dateTime(one.addedAt)}</SummaryRow>
      {one.usableAt > Date.now() && <SummaryRow label={t('addresses.usable')}>{format.dateTime(one.usableAt)}</SummaryRow>}
      <SummaryRow label={t('addresses.uses')}>{format.number(one.uses)}</SummaryRow>
      {one.lastUsedAt !== undefined && <SummaryRow label={t('addresses.lastUse')}>{format.dateTime(one.lastUsedAt)}</SummaryRow>}
    </dl>
  )
}

function NameForm({ address: one }: { readonly address: WireWithdrawalAddress }) {
  const { t } = useTranslation()
  const [label, setLabel] = useState(one.label)
  const rename = useMutation({
    mutationFn: () => addresses.rename(one.id, { label: label.trim() }),
    onSuccess: () => {
      toast({ text: t('addresses.saved'), tone: 'good' })
      void refresh()
    },
  })
  const isEmpty = label.trim() === ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isEmpty && !rename.isPending) rename.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <Field
        label={t('addresses.name')}
        value={label}
        maxLength={40}
        autoComplete="off"
        onChange={(event) => setLabel(event.target.value)}
        error={isEmpty ? t('addresses.nameMissing') : undefined}
      />
      <FormError error={rename.error} />
      {label.trim() !== one.label && (
        <Button type="submit" variant="soft" isWide isBusy={rename.isPending}>
          {t('addresses.save')}
        </Button>
      )}
    </form>
  )
}
