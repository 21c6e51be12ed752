import { firmAccountsMax, firmNameMax, type WireFirm, type WireFirmAccount } from '@candor/core/protocol/wire/firm/firm.ts'
import { useMutation } from '@tanstack/react-query'
import { ArrowLeftRight, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { acting } from '../../app/firm/acting.ts'
import { useTranslation } from '../../app/translate.ts'
import { Field } from '../../parts/fields/field.tsx'
import { firms, may, refreshFirms, useActFor, useFirmBalances } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CopyButton } from '../../parts/ui/copy.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { ActionRow, Rows } from '../../parts/ui/row.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { Tag } from './chips.tsx'
import { MoveSheet } from './move-sheet.tsx'

/** Accounts of the firm that the member sees, and what can be done with them. */
export function Accounts({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const balances = useFirmBalances(firm.id).data
  const [opened, setOpened] = useState<'new' | 'move' | { readonly account: string }>()
  const account = typeof opened === 'object' ? firm.accounts.find(({ id }) => id === opened.account) : undefined
  const living = firm.accounts.filter(({ isArchived }) => !isArchived)
  const close = (): void => setOpened(undefined)
  return (
    <div className="flex flex-col gap-3 px-4">
      {firm.accounts.map((one) => (
        <AccountCard
          key={one.id}
          firm={firm}
          account={one}
          worth={balances?.accounts.find(({ id }) => id === one.id)?.totalUsdt}
          onOpen={() => setOpened({ account: one.id })}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {may(firm, 'treasury') && living.length > 1 && (
          <Button variant="soft" size="medium" className="flex-1" onClick={() => setOpened('move')}>
            <ArrowLeftRight size={18} strokeWidth={1.75} aria-hidden />
            {t('firm.move')}
          </Button>
        )}
        {may(firm, 'manage') && (
          <Button
            variant="soft"
            size="medium"
            className="flex-1"
            disabled={firm.accounts.length >= firmAccountsMax}
            onClick={() => setOpened('new')}
          >
            <Plus size={18} strokeWidth={2} aria-hidden />
            {t('firm.newAccount')}
          </Button>
        )}
      </div>
      <p className="text-12 text-fg3">{t('firm.accountsHint')}</p>
      {opened === 'new' && <LabelSheet firm={firm} onClose={close} />}
      {opened === 'move' && <MoveSheet firm={firm} accounts={living} balances={balances} onClose={close} />}
      {account !== undefined && <AccountSheet key={account.id} firm={firm} account={account} onClose={close} />}
    </div>
  )
}

type CardProps = {
  readonly firm: WireFirm
  readonly account: WireFirmAccount
  readonly worth: string | undefined
  readonly onOpen: () => void
}

function AccountCard({ firm, account, worth, onOpen }: CardProps) {
  const { t } = useTranslation()
  const act = useActFor()
  const isActing = acting?.uid === account.uid
  const canManage = may(firm, 'manage')
  return (
    <section className="flex flex-col gap-3 rounded-card bg-s1 p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col">
          <h2 className="text-15 font-semibold break-words">{account.label}</h2>
          <span className="tn flex items-center text-12 text-fg3">
            {account.uid}
            <CopyButton text={account.uid} label={t('firm.uid')} />
          </span>
        </div>
        {account.isArchived ? (
          <Tag tone="plain">{t('firm.archived')}</Tag>
        ) : (
          <Tag tone={account.kind === 'main' ? 'good' : 'plain'}>{account.kind === 'main' ? t('firm.main') : t('firm.sub')}</Tag>
        )}
      </div>
      {worth !== undefined && <Amount value={worth} asset="USDT" className="text-17 font-semibold" />}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant={isActing ? 'soft' : 'primary'}
          disabled={isActing || account.isArchived}
          onClick={() => act(firm, account)}
        >
          {isActing ? t('firm.actingNow') : t('firm.act')}
        </Button>
        {canManage && (
          <Button size="small" variant="soft" onClick={onOpen}>
            {t('firm.settings')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** A new account, or a new name of one. */
function LabelSheet({
  firm,
  account,
  onClose,
}: {
  readonly firm: WireFirm
  readonly account?: WireFirmAccount
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const form = useId()
  const [label, setLabel] = useState(account?.label ?? '')
  const [wasSent, setWasSent] = useState(false)
  const save = useMutation({
    mutationFn: async (): Promise<unknown> =>
      account === undefined ? firms.openAccount(firm.id, { label }) : firms.changeAccount(firm.id, account.id, { label }),
    onSuccess: onClose,
    onSettled: refreshFirms,
  })
  const isMissing = wasSent && label.trim() === ''
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={account === undefined ? t('firm.newAccount') : t('firm.rename')}
      footer={
        <Button type="submit" form={form} isWide isBusy={save.isPending}>
          {account === undefined ? t('firm.create') : t('firm.save')}
        </Button>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setWasSent(true)
          if (label.trim() !== '') save.mutate()
        }}
      >
        {account === undefined && <p className="text-13 text-fg2">{t('firm.newAccountLead')}</p>}
        <Field
          label={t('firm.accountName')}
          value={label}
          maxLength={firmNameMax}
          autoComplete="off"
          placeholder={t('firm.accountPlaceholder')}
          onChange={(event) => setLabel(event.target.value)}
          error={isMissing ? t('firm.accountNameMissing') : undefined}
        />
        <FormError error={save.error} />
      </form>
    </Sheet>
  )
}

function AccountSheet({
  firm,
  account,
  onClose,
}: {
  readonly firm: WireFirm
  readonly account: WireFirmAccount
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const act = useActFor()
  const [isRenaming, setIsRenaming] = useState(false)
  const archive = useMutation({
    mutationFn: () => firms.changeAccount(firm.id, account.id, { isArchived: !account.isArchived }),
    onSuccess: onClose,
    onSettled: refreshFirms,
  })
  if (isRenaming) return <LabelSheet firm={firm} account={account} onClose={onClose} />
  return (
    <Sheet isOpen onClose={onClose} title={account.label}>
      <div className="-mx-4 flex flex-col gap-3">
        <Rows>
          <ActionRow title={t('firm.rename')} onClick={() => setIsRenaming(true)} />
          {!account.isArchived && (
            <ActionRow title={t('firm.keys')} detail={t('firm.keysHint')} onClick={() => act(firm, account, '/apikeys')} />
          )}
          {account.kind === 'sub' && (
            <ActionRow
              title={account.isArchived ? t('firm.restore') : t('firm.archive')}
              detail={account.isArchived ? undefined : t('firm.archiveHint')}
              isDanger={!account.isArchived}
              onClick={() => !archive.isPending && archive.mutate()}
            />
          )}
        </Rows>
        <div className="px-4">
          <FormError error={archive.error} />
        </div>
      </div>
    </Sheet>
  )
}
