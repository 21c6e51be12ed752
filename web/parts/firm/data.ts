/** Firms of the person, with their members, requests and log. */
import { bind } from '@candor/client/bind.ts'
import * as requestColumn from '@candor/client/column/growth/firm-requests.ts'
import * as column from '@candor/client/column/growth/firm.ts'
import type { FirmRight, FirmRole, WireFirm, WireFirmAccount } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmRequest, WireFirmWish, WireNewFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import { useQuery } from '@tanstack/react-query'
import { type Acting, actFor } from '../../app/firm/acting.ts'
import { http, queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { withProof } from '../account/proof.ts'
import { toast } from '../ui/toast.tsx'

export const firms = bind(column, http)
export const requests = bind(requestColumn, http)
export const firmsQuery = ['own', 'firms'] as const
export const firmQuery = (id: string) => [...firmsQuery, id] as const

export function useFirms() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: firmsQuery, queryFn: () => firms.list(), enabled: isCustomer })
}

export function useFirm(id: string) {
  return useQuery({ queryKey: firmQuery(id), queryFn: () => firms.get(id), refetchInterval: 15_000 })
}

/** Accounts with their coins and worth. */
export function useFirmBalances(id: string) {
  return useQuery({ queryKey: [...firmQuery(id), 'balances'], queryFn: () => firms.balances(id) })
}

/** Asks the members of a firm, once however often a button is tapped. The notice that it was made is shown here. */
export function useAsk(firm: string, onAsked: () => void): Sending<WireFirmWish> {
  const { t } = useTranslation()
  return useSendOnce<WireFirmWish, WireNewFirmRequest, WireFirmRequest>({
    request: (clientId, wish) => ({ clientId, ...wish }),
    call: (request) => withProof(() => requests.ask(firm, request)),
    onAnswer: () => {
      toast({ text: t('firm.asked'), tone: 'good' })
      onAsked()
    },
  })
}

export const refreshFirms = (): Promise<void> => queries.invalidateQueries({ queryKey: firmsQuery })

/** Loads the app anew for an account of the firm. */
export function useActFor(): (firm: Pick<WireFirm, 'id' | 'name' | 'me'>, account: WireFirmAccount, path?: string) => void {
  const me = useMe()
  return ({ id, name, me: { role, rights } }, { uid, label, kind }, path = '/property') => {
    if (me !== undefined) actFor({ uid, label, kind, member: me.uid, firm: id, firmName: name, role, rights } satisfies Acting, path)
  }
}

export const may = ({ me }: Pick<WireFirm, 'me'>, right: FirmRight): boolean => me.rights.includes(right)

export function useRoleWords(): { readonly [R in FirmRole]: { readonly name: string; readonly hint: string } } {
  const { t } = useTranslation()
  return {
    owner: { name: t('firm.role.owner'), hint: t('firm.roleHint.owner') },
    admin: { name: t('firm.role.admin'), hint: t('firm.roleHint.admin') },
    treasurer: { name: t('firm.role.treasurer'), hint: t('firm.roleHint.treasurer') },
    trader: { name: t('firm.role.trader'), hint: t('firm.roleHint.trader') },
    viewer: { name: t('firm.role.viewer'), hint: t('firm.roleHint.viewer') },
  }
}
