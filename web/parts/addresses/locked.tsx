import type { WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import { LockKeyhole } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'

/** Why no address can be added now; nothing if one can. */
export function AddingClosed({ list }: { readonly list: WireWithdrawalList }) {
  const { t } = useTranslation()
  const { lock, addresses, max } = list
  if (lock.isOn)
    return (
      <div className="flex items-start gap-2 rounded-card bg-warntint p-4 text-13 text-fg">
        <LockKeyhole size={18} strokeWidth={1.75} aria-hidden className="shrink-0" />
        <p>
          {t('addresses.locked')}{' '}
          <a href="#/safety?open=list" className="inline-flex min-h-6 items-center font-semibold underline underline-offset-2">
            {t('addresses.lockSee')}
          </a>
        </p>
      </div>
    )
  return addresses.length < max ? null : <p className="rounded-card bg-warntint p-4 text-13 text-fg">{t('addresses.full')}</p>
}

/** Whether an address can be added now. */
export function canAdd({ lock, addresses, max }: WireWithdrawalList): boolean {
  return !lock.isOn && addresses.length < max
}
