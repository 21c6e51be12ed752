import { type AccountKind, accountKinds } from '@candor/core/protocol/account.ts'
import { type RecordType, recordTypes } from '@candor/core/protocol/wire/funds.ts'
import { useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { Field } from '../../parts/fields/field.tsx'
import { PlainSelect } from '../../parts/fields/plain-select.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { isChainKind } from './chain-kind.ts'
import { type Filter, noFilter } from './filter.ts'

/** Type, coin, account and days of the records. */
export function FilterSheet({
  filter,
  onChange,
  onClose,
}: {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const assets = useConfig().data?.assets ?? []
  const [next, setNext] = useState(filter)
  const done = (wanted: Filter): void => {
    onChange(wanted)
    onClose()
  }
  // Deposits and withdrawals are those of the spot account.
  const hasAccount = !isChainKind(next.type)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('records.filter')}
      footer={
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" className="flex-1" onClick={() => done(noFilter)}>
            {t('records.clear')}
          </Button>
          <Button className="flex-1" onClick={() => done(hasAccount ? next : { ...next, account: '' })}>
            {t('records.show')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-3">
        <PlainSelect<RecordType | ''>
          label={t('records.kind')}
          value={next.type}
          onChange={(type) => setNext({ ...next, type })}
          choices={[{ value: '', label: t('records.all') }, ...recordTypes.map((value) => ({ value, label: t(`records.type.${value}`) }))]}
        />
        <PlainSelect
          label={t('records.asset')}
          value={next.asset}
          onChange={(asset) => setNext({ ...next, asset })}
          choices={[{ value: '', label: t('records.allAssets') }, ...assets.map(({ symbol }) => ({ value: symbol, label: symbol }))]}
        />
        {hasAccount && (
          <PlainSelect<AccountKind | ''>
            label={t('records.account')}
            value={next.account}
            onChange={(account) => setNext({ ...next, account })}
            choices={[
              { value: '', label: t('records.allAccounts') },
              ...accountKinds.map((value) => ({ value, label: t(`accounts.name.${value}`) })),
            ]}
          />
        )}
        <div className="grid grid-cols-2 gap-3">
          <Field
            type="date"
            label={t('records.from')}
            value={next.from}
            max={next.to === '' ? undefined : next.to}
            onChange={(event) => setNext({ ...next, from: event.target.value })}
          />
          <Field
            type="date"
            label={t('records.to')}
            value={next.to}
            min={next.from === '' ? undefined : next.from}
            onChange={(event) => setNext({ ...next, to: event.target.value })}
          />
        </div>
      </div>
    </Sheet>
  )
}
