import type { ChallengeProblem, DeliveryState, WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import { useTranslation } from '../../app/translate.ts'

/** The name of each kind of event, in the order of the list. */
export function useKinds(): Readonly<Record<WebhookKind, string>> {
  const { t } = useTranslation()
  return {
    'spot.fill': t('webhooks.kind.spotFill'),
    'margin.fill': t('webhooks.kind.marginFill'),
    'perp.fill': t('webhooks.kind.perpFill'),
    'perp.liquidation': t('webhooks.kind.perpLiquidation'),
    'perp.deleverage': t('webhooks.kind.perpDeleverage'),
    'margin.liquidation': t('webhooks.kind.marginLiquidation'),
    'perp.funding': t('webhooks.kind.perpFunding'),
    'perp.close': t('webhooks.kind.perpClose'),
    'option.settlement': t('webhooks.kind.optionSettlement'),
    'deposit.update': t('webhooks.kind.depositUpdate'),
    'withdrawal.update': t('webhooks.kind.withdrawalUpdate'),
  }
}

export function useStates(): Readonly<Record<DeliveryState, string>> {
  const { t } = useTranslation()
  return { waiting: t('webhooks.waiting'), delivered: t('webhooks.delivered'), failed: t('webhooks.failed') }
}

type Tried = { readonly problem?: ChallengeProblem; readonly status?: number }

/** The error of the last attempt; undefined if it succeeded or there was none. */
export function useProblem({ problem, status }: Tried): string | undefined {
  const { t } = useTranslation()
  if (problem === undefined) return undefined
  const words = {
    status: t('webhooks.problem.status', { status }),
    timeout: t('webhooks.problem.timeout'),
    connection: t('webhooks.problem.connection'),
    name: t('webhooks.problem.name'),
    tls: t('webhooks.problem.tls'),
    refused: t('webhooks.problem.refused'),
    sealed: t('webhooks.problem.sealed'),
    challenge: t('webhooks.problem.challenge'),
  }
  return words[problem]
}
