import type { FirmState } from '@candor/core/protocol/wire/firm/firm.ts'
import type { FirmRequestState } from '@candor/core/protocol/wire/firm/requests.ts'
import { useTranslation } from '../../app/translate.ts'

type Tone = 'good' | 'wait' | 'bad' | 'plain'
const tones: Readonly<Record<Tone, string>> = {
  good: 'bg-brandtint text-brand',
  wait: 'bg-warntint text-fg',
  bad: 'bg-dangertint text-danger',
  plain: 'bg-s2 text-fg2',
}

export function Tag({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`shrink-0 rounded-chip px-2 py-0.5 text-12 font-medium ${tones[tone]}`}>{children}</span>
}

export function StateChip({ state }: { readonly state: FirmState }) {
  const { t } = useTranslation()
  const words = { applied: t('firm.state.applied'), active: t('firm.state.active'), refused: t('firm.state.refused') }
  return <Tag tone={state === 'active' ? 'good' : state === 'applied' ? 'wait' : 'bad'}>{words[state]}</Tag>
}

const ofRequest: Readonly<Record<FirmRequestState, Tone>> = {
  open: 'wait',
  approved: 'good',
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  cancelled: 'plain',
  expired: 'plain',
}

export function RequestChip({ state }: { readonly state: FirmRequestState }) {
  const { t } = useTranslation()
  const words = {
    open: t('firm.request.open'),
    approved: t('firm.request.approved'),
    done: t('firm.request.done'),
    failed: t('firm.request.failed'),
    refused: t('firm.request.refused'),
    cancelled: t('firm.request.cancelled'),
    expired: t('firm.request.expired'),
  }
  return <Tag tone={ofRequest[state]}>{words[state]}</Tag>
}
