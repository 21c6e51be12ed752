import type { RecordType, WireRecord } from '@candor/core/protocol/wire/funds.ts'
import {
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUpFromLine,
  CalendarClock,
  CircleDollarSign,
  CirclePercent,
  Droplets,
  Gavel,
  Gift,
  HandCoins,
  Landmark,
  LockOpen,
  type LucideIcon,
  PencilLine,
  Percent,
  PiggyBank,
  Repeat2,
  Scale,
  ShieldCheck,
  TimerOff,
  Undo2,
  Unlink,
  Wallet,
} from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { AskSupport } from '../../parts/ui/ask-support.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { Detail } from '../../parts/wide/detail.tsx'
import type { ChainKind } from './chain-kind.ts'

const icons: Readonly<Record<RecordType, LucideIcon>> = {
  faucet: Droplets,
  transfer: ArrowLeftRight,
  trade: Repeat2,
  fee: Percent,
  realised: CircleDollarSign,
  funding: CalendarClock,
  'liquidation-fee': Gavel,
  insurance: ShieldCheck,
  deleverage: Scale,
  borrow: HandCoins,
  repay: Undo2,
  interest: CirclePercent,
  supply: PiggyBank,
  withdraw: Wallet,
  stake: TimerOff,
  payout: Landmark,
  posting: PencilLine,
  deposit: ArrowDownToLine,
  'deposit-reversed': Unlink,
  'deposit-debt': Scale,
  withdrawal: ArrowUpFromLine,
  'withdrawal-fee': Percent,
  convert: ArrowLeftRight,
  hedge: Scale,
  referral: Gift,
  'presale-subscribe': ArrowUpFromLine,
  'presale-refund': Undo2,
  'presale-allocate': ArrowDownToLine,
  'presale-release': LockOpen,
  'firm-move': ArrowLeftRight,
}

export function RecordRow({ record, onOpen }: { readonly record: WireRecord; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const Icon = icons[record.type]
  const market = useMarket(record.symbol ?? '')
  const pair = market === undefined ? record.symbol : `${market.base}/${market.quote}`
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-15 w-full flex-wrap items-center gap-x-3 px-4 py-2 text-start active:bg-s2"
    >
      <span aria-hidden className="flex size-9 shrink-0 items-center justify-center rounded-full bg-s2 text-fg2">
        <Icon size={18} strokeWidth={1.75} />
      </span>
      {/* With large text, the amount goes below. */}
      <span className="flex min-w-0 flex-1 flex-col" style={{ flexBasis: '8rem' }}>
        <span className="truncate text-15 font-medium">
          {t(`records.type.${record.type}`)}
          {record.symbol !== undefined && <span className="text-12 font-normal text-fg3"> {pair}</span>}
        </span>
        <span className="tn text-11 text-fg3">{format.dateTime(record.time)}</span>
      </span>
      <span className="ms-auto flex flex-col items-end">
        <Signed record={record} />
        <span className="text-11 text-fg3">{t('records.completed')}</span>
      </span>
    </button>
  )
}

export function Signed({ record, isFull = false }: { readonly record: WireRecord; readonly isFull?: boolean }) {
  // Released tokens were in the balance before, so they have no sign.
  if (record.released !== undefined)
    return <Amount value={record.released} asset={record.asset} isFull={isFull} className="text-15 font-medium" />
  const isIn = !record.amount.startsWith('-')
  return (
    <span className={`text-15 font-medium ${isIn ? 'text-up' : ''}`}>
      {isIn && Number(record.amount) !== 0 ? '+' : ''}
      <Amount value={record.amount} asset={record.asset} isFull={isFull} />
    </span>
  )
}

/** Details of a record, with its order number to copy. */
export function RecordSheet({ record, ...actions }: RecordActions & { readonly record: WireRecord | undefined }) {
  return record === undefined ? null : <Details record={record} {...actions} />
}

type RecordActions = {
  readonly onList: (kind: ChainKind) => void
  readonly onClose: () => void
}

function Details({ record, onList, onClose }: RecordActions & { readonly record: WireRecord }) {
  const { t } = useTranslation()
  const market = useMarket(record.symbol ?? '')
  const pair = market === undefined ? record.symbol : `${market.base}/${market.quote}`
  const list = listOf(record)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(record.id)
      toast({ text: t('common.copied'), detail: record.id, tone: 'good' })
    } catch {
      toast({ text: t('common.failed'), tone: 'bad' })
    }
  }
  return (
    <Detail onClose={onClose} title={t(`records.type.${record.type}`)}>
      <dl>
        <SummaryRow label={record.released === undefined ? t('records.amount') : t('records.released')}>
          <Signed record={record} isFull />
        </SummaryRow>
        <SummaryRow label={t('records.balance')}>
          <Amount value={record.balance} asset={record.asset} isFull />
        </SummaryRow>
        <SummaryRow label={t('records.account')}>{t(`accounts.name.${record.account}`)}</SummaryRow>
        <SummaryRow label={t('records.status')}>{t('records.completed')}</SummaryRow>
        {/* A movement is carried out with the command that asks for it. Of deposits and withdrawals the own list has both times. */}
        {list === undefined && (
          <SummaryRow label={t('chains.submitted')}>
            <Moment at={record.time} />
          </SummaryRow>
        )}
        <SummaryRow label={t('records.time')}>
          <Moment at={record.time} />
        </SummaryRow>
        {record.symbol !== undefined && <SummaryRow label={t('orders.pair')}>{pair}</SummaryRow>}
        {record.orderId !== undefined && <SummaryRow label={t('trade.order')}>{record.orderId}</SummaryRow>}
        <SummaryRow label={t('records.number')}>{record.id}</SummaryRow>
      </dl>
      <div className="flex flex-wrap gap-2 pt-4">
        <Button variant="soft" size="medium" className="flex-1" onClick={() => void copy()}>
          {t('records.copy')}
        </Button>
        {list !== undefined && (
          <Button variant="soft" size="medium" className="flex-1" onClick={() => onList(list)}>
            {t(`records.type.${list}`)}
          </Button>
        )}
        {record.orderId !== undefined && (
          <ButtonLink to={historyOf(record)} variant="soft" size="medium" className="flex-1">
            {t('orders.history')}
          </ButtonLink>
        )}
        <AskSupport kind="record" id={record.id} />
      </div>
    </Detail>
  )
}

function Moment({ at }: { readonly at: number }) {
  const format = useFormats()
  return (
    <>
      {format.dateTime(at)}
      <span className="block text-11 text-fg3">{format.utc(at)}</span>
    </>
  )
}

/** The list with the status, both times and the transaction of a deposit or withdrawal. */
function listOf({ type }: WireRecord): ChainKind | undefined {
  if (type === 'deposit' || type === 'deposit-reversed' || type === 'deposit-debt') return 'deposit'
  return type === 'withdrawal' || type === 'withdrawal-fee' ? 'withdrawal' : undefined
}

/** The tab with the past orders of the product that an entry belongs to. */
function historyOf({ account }: WireRecord): string {
  if (account === 'option') return '/optionentrust?tab=history'
  return account === 'perp' ? '/entrust?product=perp&tab=history' : '/entrust?product=spot&tab=history'
}
