import { useState } from 'react'
import { acting } from '../../app/firm/acting.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { CertifyGate, useIsCertified } from '../../parts/account/certify-gate.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { JoinSheet } from './join-sheet.tsx'
import type { OwnPresaleDetail } from '../../parts/presale/api.ts'

/**
 * The button that stays in view: to the login for visitors, to the identity check for those who need it, else to the amount. A further
 * account of a firm is told that only the main one takes part.
 */
export function Join({ presale, scale, amount }: { readonly presale: OwnPresaleDetail; readonly scale: number; readonly amount: string }) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const isCertified = useIsCertified()
  const [opened, setOpened] = useState<'gate' | 'sheet'>()
  return (
    <div className="sticky bottom-0 z-10 bg-bg px-4 pt-2 pb-[calc(16px+env(safe-area-inset-bottom))]">
      {acting?.kind === 'sub' ? (
        <div className="flex flex-col gap-3">
          <p className="text-13 text-pretty text-fg2">{t('presale.mainOnly')}</p>
          <ButtonLink to={`/organization?firm=${acting.firm}`} variant="soft" isWide>
            {t('presale.toFirm')}
          </ButtonLink>
        </div>
      ) : isVisitor ? (
        <ButtonLink to={`/login?next=${encodeURIComponent(`/sellDetail?id=${presale.number}`)}`} isWide>
          {t('presale.login')}
        </ButtonLink>
      ) : (
        <Button isWide onClick={() => setOpened(isCertified ? 'sheet' : 'gate')}>
          {t(presale.own === null ? 'presale.join' : 'presale.joinMore')}
        </Button>
      )}
      <CertifyGate isOpen={opened === 'gate'} onClose={() => setOpened(undefined)} onCertified={() => setOpened('sheet')} />
      {opened === 'sheet' && <JoinSheet presale={presale} scale={scale} start={amount} onClose={() => setOpened(undefined)} />}
    </div>
  )
}
