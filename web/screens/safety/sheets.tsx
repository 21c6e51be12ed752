import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import { SessionsSheet } from '../../parts/account/sessions-sheet.tsx'
import { factorsIn } from '../../parts/account/strength.ts'
import { AddressSheet } from './address.tsx'
import { AuthenticatorSheets } from './authenticator.tsx'
import { FreezeSheet } from './freeze.tsx'
import { HistorySheet } from './history.tsx'
import { ListSheet } from './list.tsx'
import type { Fresh } from './new-authenticator.ts'
import { NewPasskeySheet, PasskeySheet } from './passkeys.tsx'
import { PaymentSheet } from './payment.tsx'
import { PhraseSheet } from './phrase.tsx'
import { CodesSheet, RecoverySheet } from './recovery.tsx'
import { RegainSheet } from './regain.tsx'

/** The sheet that is open. */
export type Opened =
  | ('authenticator' | 'new-passkey' | 'recovery' | 'phrase' | 'payment' | 'email' | 'phone' | 'sessions' | 'history' | 'freeze')
  | ('list' | 'regain')
  | { readonly passkey: string }

type Props = {
  readonly own: WireFactors
  readonly safety: WireSafety
  readonly opened: Opened | undefined
  readonly fresh: Fresh
  /** New recovery codes that the person has not kept yet. */
  readonly codes: readonly string[] | undefined
  readonly setCodes: (codes: readonly string[] | undefined) => void
  readonly onClose: () => void
  readonly onReplace: () => void
}

/** All sheets of the security centre. */
export function Sheets({ own, safety, opened, fresh, codes, setCodes, onClose, onReplace }: Props) {
  const passkey = typeof opened === 'object' ? own.passkeys.find(({ id }) => id === opened.passkey) : undefined
  return (
    <>
      <NewPasskeySheet isOpen={opened === 'new-passkey'} own={own} onClose={onClose} onAdded={setCodes} />
      <PasskeySheet passkey={passkey} isLast={factorsIn(own) === 1} onClose={onClose} />
      <AuthenticatorSheets
        own={own}
        isOpen={opened === 'authenticator'}
        fresh={fresh}
        onClose={onClose}
        onReplace={onReplace}
        onAdded={setCodes}
      />
      <RecoverySheet isOpen={opened === 'recovery'} left={own.recoveryCodesLeft} onClose={onClose} onRenewed={setCodes} />
      <CodesSheet codes={codes} onKept={() => setCodes(undefined)} />
      <PhraseSheet isOpen={opened === 'phrase'} own={own} onClose={onClose} />
      <AddressSheet channel={opened === 'email' || opened === 'phone' ? opened : undefined} own={safety} onClose={onClose} />
      <PaymentSheet isOpen={opened === 'payment'} own={safety} onClose={onClose} />
      <FreezeSheet isOpen={opened === 'freeze'} onClose={onClose} />
      <ListSheet isOpen={opened === 'list'} own={safety} onClose={onClose} />
      <RegainSheet isOpen={opened === 'regain'} own={safety} onClose={onClose} />
      <SessionsSheet isOpen={opened === 'sessions'} onClose={onClose} />
      <HistorySheet isOpen={opened === 'history'} onClose={onClose} />
    </>
  )
}
