import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireWithdrawalAddress } from '@candor/core/protocol/wire/addresses.ts'
import type { WireChainNetwork, WireWithdrawTerms } from '@candor/core/protocol/wire/chains.ts'
import type { WireFirmWish } from '@candor/core/protocol/wire/firm/requests.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import type { Sending } from '../../app/use-send-once.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'

type Props = {
  readonly asset: string
  readonly scale: number
  readonly network: WireChainNetwork
  readonly terms: WireWithdrawTerms
  readonly address: WireWithdrawalAddress
  readonly units: number
  readonly ask: Sending<WireFirmWish>
  readonly onClose: () => void
}

/** A withdrawal of a firm once more, before the members are asked. */
export function AskSheet({ asset, scale, network, terms: { fee }, address, units, ask, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const amount = formatUnits(units, scale)
  const text = (value: string): string => `${format.sum(value, asset, true)} ${asset}`
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('chains.check')}
      footer={
        <Button
          isWide
          isBusy={ask.isSending}
          onClick={() => ask.send({ kind: 'withdrawal', withdrawal: { network: network.name, asset, address: address.id, amount, fee } })}
        >
          {t('firm.askApproval')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <dl>
          <SummaryRow label={t('chains.receive')}>
            <span className="text-22 font-semibold">{text(formatUnits(units - (parseUnits(fee, scale) ?? 0), scale))}</span>
          </SummaryRow>
          <SummaryRow label={t('chains.amount')}>{text(amount)}</SummaryRow>
          <SummaryRow label={t('chains.fee')}>{text(fee)}</SummaryRow>
          <SummaryRow label={t('chains.network')}>{network.label}</SummaryRow>
        </dl>
        <div className="flex flex-col gap-1.5 rounded-control bg-s2 p-3.5">
          <span className="text-13 text-fg2">{`${t('chains.to')} · ${address.label}`}</span>
          <GroupedAddress address={address.address} className="text-15" />
        </div>
        <p className="text-12 text-fg2">{t('firm.withdrawLead')}</p>
        <FormError error={ask.error} />
      </div>
    </Sheet>
  )
}
