import type { WirePresaleDetail } from '@candor/core/protocol/wire/presale.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { CopyField } from '../../parts/fields/copy-field.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { PaperRow } from './paper-row.tsx'

/** The terms in numbers. */
export function Facts({ presale }: { readonly presale: WirePresaleDetail }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { symbol, payAsset, price, startsAt, endsAt, supply, purchaseLimit, lockDays, softCap, sold, proceeds } = presale
  const { subscriptionMin, subscriptionMax, subscribed, subscribers, ratePercent } = presale
  const tokens = (sum: string): string => `${format.sum(sum, symbol)} ${symbol}`
  const paid = (sum: string): string => `${format.sum(sum, payAsset)} ${payAsset}`
  return (
    <dl>
      <SummaryRow label={t('presale.price')}>
        {t('presale.priceOf', { one: symbol, sum: `${format.number(price, 0, 18)} ${payAsset}` })}
      </SummaryRow>
      <SummaryRow label={t('presale.startsAt')}>{format.dateTime(startsAt)}</SummaryRow>
      <SummaryRow label={t('presale.endsAt')}>{format.dateTime(endsAt)}</SummaryRow>
      <SummaryRow label={t('presale.supply')}>{tokens(supply)}</SummaryRow>
      <SummaryRow label={t('presale.limit')}>{tokens(purchaseLimit)}</SummaryRow>
      <SummaryRow label={t('presale.perPerson')}>
        {t('presale.span', { from: format.sum(subscriptionMin, payAsset), until: paid(subscriptionMax) })}
      </SummaryRow>
      {softCap !== null && <SummaryRow label={t('presale.softCap')}>{paid(softCap)}</SummaryRow>}
      <SummaryRow label={t('presale.lockUp')}>{lockDays === 0 ? t('presale.noLock') : t('presale.days', { count: lockDays })}</SummaryRow>
      <SummaryRow label={t('presale.subscribed')}>{paid(subscribed)}</SummaryRow>
      <SummaryRow label={t('presale.rate')}>{format.percent(ratePercent)}</SummaryRow>
      <SummaryRow label={t('presale.participating')}>{format.number(subscribers)}</SummaryRow>
      {sold !== null && <SummaryRow label={t('presale.sold')}>{tokens(sold)}</SummaryRow>}
      {proceeds !== null && <SummaryRow label={t('presale.proceeds')}>{paid(proceeds)}</SummaryRow>}
    </dl>
  )
}

/** The token: name, symbol, supply, address, whitepaper, and the hash of the texts. */
export function TokenInfo({ presale }: { readonly presale: WirePresaleDetail }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { name, symbol, totalSupply, contract, paper, detailsHash } = presale
  return (
    <div className="flex flex-col gap-4">
      <dl>
        <SummaryRow label={t('presale.tokenName')}>{name}</SummaryRow>
        <SummaryRow label={t('presale.tokenSymbol')}>{symbol}</SummaryRow>
        <SummaryRow label={t('presale.totalSupply')}>{`${format.sum(totalSupply, symbol)} ${symbol}`}</SummaryRow>
        <SummaryRow label={t('presale.network')}>{contract?.network ?? t('presale.notYet')}</SummaryRow>
      </dl>
      {contract !== null && <CopyField label={t('presale.contract')} text={contract.address} />}
      <div className="flex flex-col gap-2">
        <h3 className="text-15 font-semibold">{t('presale.paper')}</h3>
        {paper === null ? <p className="text-13 text-fg2">{t('presale.noPaper')}</p> : <PaperRow hash={paper} symbol={symbol} />}
      </div>
      {detailsHash !== '' && (
        <div className="flex flex-col gap-1.5">
          <CopyField label={t('presale.detailsHash')} text={detailsHash} />
          <p className="text-12 text-fg3">{t('presale.detailsHint')}</p>
        </div>
      )}
    </div>
  )
}
