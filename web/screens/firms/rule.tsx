import { firmBandsMax, type WireFirm, type WireFirmBand, type WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'
import { Minus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { may, useAsk } from '../../parts/firm/data.ts'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { Row, Rows } from '../../parts/ui/row.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { needsEverybody, ruleFault } from './rule-form.ts'

/** How many have to approve what, and what the firm has by its own terms. */
export function Rule({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isChanging, setIsChanging] = useState(false)
  const { bands, addressPeople } = firm.rule
  const people = (count: number): string => t('firm.ofPeople', { count, all: firm.approvers })
  return (
    <div className="flex flex-col gap-4">
      <Rows title={t('firm.withdrawals')}>
        {bands.map(({ upTo, people: count }, n) => (
          <Row
            key={n}
            title={bands.length === 1 ? t('firm.anySum') : upTo === null ? t('firm.above') : t('firm.upTo', { sum: format.number(upTo) })}
            value={people(count)}
          />
        ))}
      </Rows>
      <Rows title={t('firm.others')}>
        <Row title={t('firm.newAddresses')} value={people(addressPeople)} />
        <Row title={t('firm.ruleAndMembers')} value={people(Math.max(addressPeople, ...bands.map(({ people: one }) => one)))} />
      </Rows>
      <p className="px-4 text-12 text-pretty text-fg2">{t('firm.ruleHint')}</p>
      {firm.approvers < 2 && <p className="mx-4 rounded-card bg-warntint p-4 text-13">{t('firm.aloneHint')}</p>}
      {needsEverybody(firm.rule, firm.approvers) && <p className="mx-4 rounded-card bg-warntint p-4 text-13">{t('firm.spareHint')}</p>}
      {may(firm, 'manage') && (
        <div className="px-4">
          <Button isWide variant="soft" onClick={() => setIsChanging(true)}>
            {t('firm.changeRule')}
          </Button>
        </div>
      )}
      <Rows title={t('firm.terms')}>
        <Row title={t('firm.tier')} value={t('firm.tierNumber', { tier: firm.terms.tier })} />
        <Row title={t('firm.withdrawMax')} value={`${format.number(firm.terms.withdrawMax)} USDT`} />
      </Rows>
      {isChanging && <RuleSheet firm={firm} onClose={() => setIsChanging(false)} />}
    </div>
  )
}

/** Asks for another rule. */
function RuleSheet({ firm, onClose }: { readonly firm: WireFirm; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [rule, setRule] = useState<WireFirmRule>(firm.rule)
  const [wasSent, setWasSent] = useState(false)
  const fault = ruleFault(rule, firm.approvers)
  const words = { rising: t('firm.faultRising'), people: t('firm.faultPeople', { count: firm.approvers }) }
  const ask = useAsk(firm.id, onClose)
  const put = (at: number, part: Partial<WireFirmBand>): void =>
    setRule({ ...rule, bands: rule.bands.map((band, n) => (n === at ? { ...band, ...part } : band)) })
  const add = (): void => {
    const [last, before] = [rule.bands.at(-1)!, rule.bands.at(-2)]
    const upTo = String(Number(before?.upTo ?? '500') * 2)
    setRule({ ...rule, bands: [...rule.bands.slice(0, -1), { upTo, people: last.people }, last] })
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('firm.changeRule')}
      footer={
        <Button
          isWide
          isBusy={ask.isSending}
          onClick={() => {
            setWasSent(true)
            if (fault === undefined) ask.send({ kind: 'rule', rule })
          }}
        >
          {t('firm.askApproval')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{t('firm.ruleLead')}</p>
        {rule.bands.map(({ upTo, people }, n) => (
          <div key={n} className="flex flex-col gap-2 rounded-card bg-s2/50 p-3">
            {upTo === null ? (
              <span className="text-13 font-medium">{rule.bands.length === 1 ? t('firm.anySum') : t('firm.above')}</span>
            ) : (
              <div className="flex items-center gap-2">
                <div className="min-w-0 flex-1">
                  <NumberField label={t('firm.upToField')} value={upTo} step="100" places={0} onChange={(text) => put(n, { upTo: text })} />
                </div>
                <IconButton
                  label={t('firm.removeBand')}
                  onClick={() => setRule({ ...rule, bands: rule.bands.filter((_, at) => at !== n) })}
                >
                  <Trash2 size={18} strokeWidth={1.75} aria-hidden />
                </IconButton>
              </div>
            )}
            <People count={people} most={firm.approvers} onChange={(count) => put(n, { people: count })} />
          </div>
        ))}
        {rule.bands.length < firmBandsMax && (
          <Button variant="ghost" size="small" className="self-start" onClick={add}>
            <Plus size={16} strokeWidth={2} aria-hidden />
            {t('firm.addBand')}
          </Button>
        )}
        <div className="flex flex-col gap-2 rounded-card bg-s2/50 p-3">
          <span className="text-13 font-medium">{t('firm.newAddresses')}</span>
          <People count={rule.addressPeople} most={firm.approvers} onChange={(addressPeople) => setRule({ ...rule, addressPeople })} />
        </div>
        {needsEverybody(rule, firm.approvers) && <p className="rounded-card bg-warntint p-4 text-13">{t('firm.spareHint')}</p>}
        {wasSent && fault !== undefined && (
          <p role="alert" className="text-13 text-danger">
            {words[fault]}
          </p>
        )}
        <FormError error={ask.error} />
      </div>
    </Sheet>
  )
}

/** A count of people, at most all who may approve. */
function People({ count, most, onChange }: { readonly count: number; readonly most: number; readonly onChange: (count: number) => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex items-center justify-between gap-2 text-13">
      <span>{t('firm.ofPeople', { count, all: most })}</span>
      <span className="flex">
        <IconButton label={t('firm.fewer')} disabled={count <= 1} onClick={() => onChange(count - 1)}>
          <Minus size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('firm.more')} disabled={count >= most} onClick={() => onChange(count + 1)}>
          <Plus size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}
