import { ApiError } from '@candor/client/errors.ts'
import type { AddressOwner, WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import { kindOfAddress } from '@candor/core/risk/addresses.ts'
import { useMutation } from '@tanstack/react-query'
import { Building2, Hourglass, WalletCards } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { acting } from '../../app/firm/acting.ts'
import { newClientId, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { back, navigate } from '../../app/location.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { addresses, addressesQuery } from '../../parts/addresses/data.ts'
import { Field } from '../../parts/fields/field.tsx'
import { requests } from '../../parts/firm/data.ts'
import { focusFirstWrong } from '../../parts/fields/first-wrong.ts'
import { Button } from '../../parts/ui/button.tsx'
import { ChoiceRow } from '../../parts/ui/row.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { AddressField } from './address-field.tsx'
import { AlikeSheet } from './alike-sheet.tsx'
import { alikeOf, type Draft, firstDraft, problemsOf, readDraft, requestOf } from './form.ts'

const icon = { size: 20, strokeWidth: 1.75 } as const

/** The form of a new address. What was typed stays until the address is added. */
export function AddressForm({ list }: { readonly list: WireWithdrawalList }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => firstDraft(list.networks))
  const form = useRef<HTMLFormElement>(null)
  const [wasSent, setWasSent] = useState(false)
  const [isAlike, setIsAlike] = useState(false)
  const add = useAdding(draft, () => setIsAlike(true))
  const all = problemsOf(draft, list)
  const problems = wasSent ? all : undefined
  // A whole address is checked while it is typed.
  const addressProblem = wasSent || kindOfAddress(draft.address) !== undefined ? all.get('address') : undefined
  const address = readDraft(draft)
  const known = address === undefined ? undefined : alikeOf(address, list)
  const field = add.error instanceof ApiError ? add.error.field : undefined
  const said = (name: string): string | undefined => (field === name ? problemOf(add.error, t).text : undefined)
  const onChange = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part })
    if (add.isError) add.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (all.size > 0) return focusFirstWrong(form.current)
    if (add.isPending) return
    if (known === undefined) add.mutate(undefined)
    else setIsAlike(true)
  }
  return (
    <>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-5">
        <AddressField draft={draft} networks={list.networks} problem={addressProblem} said={said('address')} onChange={onChange} />
        <OwnerFields draft={draft} problems={problems} onChange={onChange} />
        <Field
          label={t('addresses.name')}
          value={draft.label}
          maxLength={40}
          autoComplete="off"
          placeholder={t('addresses.namePlaceholder')}
          onChange={(event) => onChange({ label: event.target.value })}
          error={problems?.has('label') ? t('addresses.nameMissing') : said('label')}
        />
        <Wait waitMs={list.waitMs} />
        {field !== 'address' && !isAlike && <FormError error={add.error} />}
        <Button type="submit" isWide isBusy={add.isPending}>
          {t('addresses.send')}
        </Button>
      </form>
      {isAlike && address !== undefined && (
        <AlikeSheet
          address={address}
          known={known}
          isBusy={add.isPending}
          error={add.error}
          onClose={() => {
            setIsAlike(false)
            add.reset()
          }}
          onConfirm={(middle) => add.mutate(middle)}
        />
      )}
    </>
  )
}

/** Adds the address after a proof. `onAlike`: the exchange knows an address that looks like it. */
function useAdding(draft: Draft, onAlike: () => void) {
  const { t } = useTranslation()
  const format = useFormats()
  return useMutation({
    mutationFn: (middle: string | undefined) =>
      withProof(async () => {
        const address = requestOf(draft, middle)
        if (acting === undefined) return addresses.add(address)
        await requests.ask(acting.firm, { clientId: newClientId(), kind: 'address', address })
        return undefined
      }),
    onSuccess: (added) => {
      if (added === undefined) {
        toast({ text: t('firm.asked'), tone: 'good' })
        return navigate(`/organization?firm=${acting?.firm}&tab=requests`, { replace: true })
      }
      const { usableAt } = added
      toast({ text: t('addresses.done', { time: format.dateTime(usableAt) }), tone: 'good' })
      void queries.invalidateQueries({ queryKey: addressesQuery })
      back('/addresslist')
    },
    onError: (error, middle) => {
      if (error instanceof ApiError && error.code === 'ADDRESS_ALIKE' && middle === undefined) onAlike()
      // The list may have been changed on another device.
      else void queries.invalidateQueries({ queryKey: addressesQuery })
    },
  })
}

type OwnerProps = {
  readonly draft: Draft
  readonly problems: ReturnType<typeof problemsOf> | undefined
  readonly onChange: (part: Partial<Draft>) => void
}

/** Whose address it is: for payments between exchanges the law asks for names. */
function OwnerFields({ draft, problems, onChange }: OwnerProps) {
  const { t } = useTranslation()
  const choose = (owner: AddressOwner) => () => onChange({ owner })
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1.5 text-13 font-medium text-fg2">{t('addresses.whose')}</legend>
      <div role="radiogroup" aria-label={t('addresses.whose')} className="overflow-hidden rounded-control bg-s1">
        <ChoiceRow
          isOn={draft.owner === 'own'}
          onClick={choose('own')}
          icon={<WalletCards {...icon} />}
          title={t('addresses.own')}
          detail={t('addresses.ownHint')}
        />
        <ChoiceRow
          isOn={draft.owner === 'exchange'}
          onClick={choose('exchange')}
          icon={<Building2 {...icon} />}
          title={t('addresses.other')}
          detail={t('addresses.otherHint')}
        />
      </div>
      {draft.owner === 'exchange' && (
        <>
          <Field
            label={t('addresses.exchange')}
            value={draft.exchange}
            maxLength={40}
            autoComplete="off"
            onChange={(event) => onChange({ exchange: event.target.value })}
            error={problems?.has('exchange') ? t('addresses.exchangeMissing') : undefined}
          />
          <Field
            label={t('addresses.beneficiary')}
            value={draft.beneficiary}
            maxLength={100}
            autoComplete="name"
            onChange={(event) => onChange({ beneficiary: event.target.value })}
            hint={t('addresses.beneficiaryHint')}
            error={problems?.has('beneficiary') ? t('addresses.beneficiaryMissing') : undefined}
          />
        </>
      )}
    </fieldset>
  )
}

/** Says before the address is added that it waits. */
function Wait({ waitMs }: { readonly waitMs: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [now] = useState(Date.now)
  return (
    <div className="flex items-start gap-3 rounded-card bg-warntint p-4 text-13 text-fg">
      <Hourglass size={18} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div>
        <p className="font-semibold">{t('addresses.wait')}</p>
        <p>{t('addresses.waitLead', { time: format.dateTime(now + waitMs) })}</p>
      </div>
    </div>
  )
}
